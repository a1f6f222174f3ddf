"""How a match begins: a secret is sealed for its table, and later the match is started under that seal."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from accounts import elo
from accounts.models import Rating, User
from accounts.pauses import USUAL, Pauses
from games import clocks, repository
from games.engine.presets import PRESETS
from games.engine.rules import Rules
from games.engine.shuffle import chain
from games.models import Match, SealedSecret, Seat
from games.repository import Snapshot
from live.broadcast import broadcast_page_changed


@dataclass(frozen=True)
class SeatAssignment:
    """Who takes a seat: a person's `user`, or a computer's `level` and which of its figures it is."""

    name: str
    kind: str
    user: User | None = None
    level: str = ""
    figure: int = 0


def seal(code: str, secret: bytes = b"") -> str:
    """Seal a secret of 32 bytes for the table and the match of this code, a drawn one unless given; its seal in hex."""
    secret = secret or secrets.token_bytes(32)
    return SealedSecret.objects.create(code=code, secret=secret.hex(), seal=chain(secret).seal).seal


def start(
    *,
    code: str,
    preset: str | None,
    rules: Rules,
    rated: bool,
    seats: Sequence[SeatAssignment],
    entropy: str,
    clock: tuple[int, int] | None = None,
    private: bool = False,
    pauses: Pauses = USUAL,
) -> Match:
    """Begin the match that was sealed under this code; there is no other way. `clock`: seconds and increment."""
    now = timezone.now()
    pool = PRESETS[preset].pool(len(seats)) if preset else ""
    with transaction.atomic():
        sealed = repository.get_sealed_secret(code)
        match = Match(
            code=code,
            preset=preset,
            pool=pool,
            rules=rules.as_dict(),
            rated=rated,
            private=private,
            clock_seconds=clock[0] if clock else None,
            clock_increment=clock[1] if clock else None,
            computer_pause=pauses.computer,
            call_pause=pauses.call,
            seal=sealed.seal,
            entropy=entropy,
            started_at=now,
            turn_began_at=now,
        )
        rows = _seated(match, seats)
        snapshot = Snapshot(match, rows, repository.initial_value(match, rows, sealed))
        match.scores = list(snapshot.value.scores)
        match.next_action_at = clocks.get_next_action(snapshot, now)
        match.save(force_insert=True)
        Seat.objects.bulk_create(rows)
        transaction.on_commit(lambda: repository.cache_value(match.pk, 0, snapshot.value))
        broadcast_page_changed("lobby", "lobby")
    return match


def _seated(match: Match, seats: Sequence[SeatAssignment]) -> list[Seat]:
    """The rows of the seats; players bring the rating and the completion that they have in the match's pool."""
    players = [s.user for s in seats if s.user is not None and s.kind == Seat.Kind.PLAYER]
    ratings = dict.fromkeys([player.pk for player in players], elo.START) if match.pool else {}
    own = list(Rating.objects.filter(pool=match.pool, user__in=players)) if players else []
    ratings |= {rating.user_id: rating.value for rating in own}
    completions = {rating.user_id: rating.completion for rating in own}
    return [
        Seat(
            match=match,
            position=position,
            user=seated.user,
            kind=seated.kind,
            level=seated.level,
            figure=seated.figure,
            name=seated.name,
            clock_ms=None if match.clock_seconds is None else match.clock_seconds * 1000,
            rating_before=ratings.get(seated.user.pk) if seated.user else None,
            completion=completions.get(seated.user.pk) if seated.user else None,
        )
        for position, seated in enumerate(seats)
    ]
