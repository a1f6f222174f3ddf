"""Seal the secret of a table, and later start its match under that seal."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from accounts import elo
from accounts.models import Rating, User
from accounts.pauses import DEFAULT_PAUSES, Pauses
from accounts.pools import BOTS_SUFFIX
from boneyard.engine.lengths import compute_length_scale
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from boneyard.engine.shuffle import chain
from games import repository
from games.models import Match, SealedSecret, Seat
from games.repository import Snapshot
from games.services import turns
from games.time import clocks, vacations
from games.time.day_clocks import get_days, get_initial_ms
from games.wording.personas import PERSONAS_PER_LEVEL, persona_of
from live.broadcast import broadcast_page_changed


@dataclass(frozen=True)
class SeatAssignment:
    """A seat at the start: a person's `user`, or a computer's `level` and persona (`figure`).

    `quick` if quick play has seated the person.
    """

    name: str
    kind: str
    user: User | None = None
    level: str = ""
    figure: int = 0
    quick: bool = False


def seal(code: str, secret: bytes = b"") -> str:
    """Seal a secret of 32 bytes, by default a random one, for the table and match `code`; return the seal in hex."""
    secret = secret or secrets.token_bytes(32)
    return SealedSecret.objects.create(code=code, secret=secret.hex(), seal=chain(secret).seal).seal


def start(
    *,
    code: str,
    preset: str | None,
    base_preset: str = "",
    rules: Rules,
    rated: bool,
    seats: Sequence[SeatAssignment],
    entropy: str,
    commitments: Sequence[str | None] | None = None,
    clock: tuple[int, int] | None = None,
    private: bool = False,
    pauses: Pauses = DEFAULT_PAUSES,
    deals: str = "",
    concealed: bool = False,
    night: str = "",
) -> Match:
    """Start the match sealed under this code, or as the set of shared `deals`. Raise `SealedSecret.DoesNotExist`.

    House rules have a `base_preset` in place of a `preset`. While the match is `concealed`, nobody but its player sees
    anything of it (`disclose`). `clock` is seconds and increment; `commitments` are those to the nonces in `entropy`,
    by seat. `night` is the code of the one that has drawn the seats.
    """
    now = timezone.now()
    by_days = clock is not None and get_days(clock[0]) is not None
    pool = PRESETS[preset].pool(len(seats), by_days=by_days) if preset else ""
    if pool and rated and all(each.user is not None and each.user.is_bot for each in seats):
        pool += BOTS_SUFFIX
    length_scale = (
        compute_length_scale(PRESETS[preset], len(seats), rules.target) if preset and rated else 1.0
    )
    with transaction.atomic():
        sealed = repository.get_sealed_secret(deals or code)
        match = Match(
            code=code,
            preset=preset,
            base_preset=base_preset,
            pool=pool,
            rules=rules.written(),
            rated=rated,
            length_scale=length_scale,
            private=private,
            clock_seconds=clock[0] if clock else None,
            clock_increment=clock[1] if clock else None,
            computer_pause=pauses.computer,
            call_pause=pauses.call,
            seal=sealed.seal,
            entropy=entropy,
            commitments=None if commitments is None else list(commitments),
            deals=deals,
            concealed=concealed,
            night=night,
            started_at=now,
            turn_began_at=now,
        )
        rows = _build_seats(match, seats)
        snapshot = Snapshot(match, rows, repository.initial_value(match, rows, sealed))
        match.scores = list(snapshot.value.scores)
        vacations.delay_turn(match, rows, snapshot.value.turn, now)
        match.next_action_at = clocks.get_next_action(snapshot, now)
        match.save(force_insert=True)
        Seat.objects.bulk_create(rows)
        transaction.on_commit(lambda: repository.cache_value(match.pk, 0, snapshot.value))
        broadcast_page_changed("lobby", "lobby")
        turns.notify(snapshot)
    return match


def choose_figures(seats: Sequence[SeatAssignment]) -> list[int]:
    """Return the persona of each seat, so that no two at a table have one name, as far as its level has others."""
    taken = {seat.name.casefold() for seat in seats if seat.user is not None}
    figures = []
    for seat in seats:
        figure = seat.figure
        if seat.kind == Seat.Kind.COMPUTER and seat.level:
            names = [persona_of(seat.level, figure + more).name for more in range(PERSONAS_PER_LEVEL)]
            more = next((at for at, name in enumerate(names) if name.casefold() not in taken), 0)
            figure = (figure + more) % PERSONAS_PER_LEVEL
            taken.add(names[more].casefold())
        figures.append(figure)
    return figures


def _build_seats(match: Match, seats: Sequence[SeatAssignment]) -> list[Seat]:
    """Build the rows of the seats, with the players' rating and completion in the match's pool."""
    players = [s.user for s in seats if s.user is not None and s.kind == Seat.Kind.PLAYER]
    if not match.pool.endswith(BOTS_SUFFIX):
        players = [player for player in players if not player.is_bot]  # they have no rating among people
    ratings = dict.fromkeys([player.pk for player in players], elo.START_RATING) if match.pool else {}
    own = list(Rating.objects.filter(pool=match.pool, user__in=players)) if players else []
    ratings |= {rating.user_id: rating.value for rating in own}
    completions = {rating.user_id: rating.completion for rating in own}
    established = {rating.user_id for rating in own if rating.established}
    figures = [each.figure for each in seats] if match.deals else choose_figures(seats)
    return [
        Seat(
            match=match,
            position=position,
            user=assignment.user,
            kind=assignment.kind,
            is_bot=assignment.user is not None and assignment.user.is_bot,
            level=assignment.level,
            figure=figures[position],
            name=assignment.name,
            clock_ms=None if match.clock_seconds is None else get_initial_ms(match.clock_seconds),
            rating_before=ratings.get(assignment.user.pk) if assignment.user else None,
            completion=completions.get(assignment.user.pk) if assignment.user else None,
            by_chance=assignment.quick and assignment.user is not None and assignment.user.pk in established,
        )
        for position, assignment in enumerate(seats)
    ]
