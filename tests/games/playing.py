"""Start and play matches in tests, through services and with legal moves of the engine."""

import random
from hashlib import sha256

from django.utils import timezone

from accounts.pauses import DEFAULT_PAUSES, Pauses
from boneyard.engine.moves import parse
from boneyard.engine.presets import PRESETS
from core.prepared import PreparedQuery
from games import repository, services
from games.models import Match, SealedSecret, Seat
from games.services import SeatAssignment
from games.time.clocks import remaining_seconds

SHORT_MATCH_SEED = 221  # ends a match of two with the default deal after 40 moves instead of 100


def begin(
    *people,
    preset: str = "all-fives",
    rated: bool = False,
    clock: tuple[int, int] | None = None,
    seed: str = "boneyard",
    code: str = "",
    pauses: Pauses = DEFAULT_PAUSES,
    quick=(),
    **changes,
) -> Match:
    """Start a match of `people` in seat order: users, or a computer's level as text.

    Quick play has seated those in `quick`.
    """
    rules = PRESETS[preset].rules
    if changes:
        rules = rules.replace(**changes)
    code = code or sha256(f"{seed}:{Match.objects.count()}".encode()).hexdigest()[:10]
    services.seal(code, sha256(seed.encode()).digest())
    return services.start(
        code=code,
        preset=None if changes else preset,
        rules=rules,
        rated=rated,
        seats=[sitting(who, quick=who in quick) for who in people],
        entropy=".".join("a1b2" for _ in people),
        clock=clock,
        pauses=pauses,
    )


def sitting(who, *, quick: bool = False) -> SeatAssignment:
    if isinstance(who, str):
        return SeatAssignment(name=f"{who} computer", kind=Seat.Kind.COMPUTER, level=who)
    kind = Seat.Kind.GUEST if who.is_guest else Seat.Kind.PLAYER
    return SeatAssignment(name=who.username, kind=kind, user=who, quick=quick)


def secret_of(code: str) -> str:
    """Return the secret of a table and its match, in hex."""
    return SealedSecret.objects.get(code=code).secret


# Django would make the SQL of a row and its seats anew each time, which costs as much as a move.
_SEATED = PreparedQuery(
    lambda pk: Seat.objects.select_related("match", "user").filter(match__pk=pk).order_by("position")
)


def on_turn(match: Match) -> Seat:
    """Return the seat on turn and refresh `match`."""
    seats = _SEATED.rows(match.pk)
    vars(match).pop("_prefetched_objects_cache", None)
    vars(match).update(vars(seats[0].match))
    turn = repository.get_value(match, seats).turn
    if turn is None and match.playing:
        end_calls(match)
        return on_turn(match)
    (seat,) = (seat for seat in seats if seat.position == turn)
    seat.match = match
    return seat


def seconds_left(match: Match) -> float | None:
    """Return what the clock of the seat on turn shows."""
    seat = on_turn(match)
    return remaining_seconds(match, seat, seat.position, repository.get_value(match), timezone.now())


def end_calls(match: Match) -> None:
    """End the pause in which the play that ends a round can be called, as the referee does."""
    now = timezone.now()
    Match.objects.filter(pk=match.pk).update(wait_until=now, next_action_at=now)
    match.refresh_from_db()
    services.advance(match, now)


def legal(match: Match) -> list[str]:
    """Return the legal moves of the seat on turn, as text."""
    value = repository.get_value(match)
    return [str(move) for move in value.legal(value.turn)]


def play(match: Match, move: str = "", claim: int | None = None) -> Match:
    """Play `move` (the first legal one if empty) for the seat on turn."""
    seat = on_turn(match)
    before, move = repository.get_value(match), move or legal(match)[0]
    if seat.taken_over:
        after = services.play_for_computer(
            match=match, seat=seat.position, move=parse(move), claim=claim, seen_version=match.version
        )
    else:
        after = services.play(match=match, seat=seat, move=move, seen_version=match.version, claim=claim)
    if after.version == match.version + 1:
        # A test's transaction never commits, so cache the value here, or each move would read all earlier ones.
        repository.cache_value(after.pk, after.version, before.play(seat.position, parse(move), claim))
    return after


def play_and_resign(match: Match, moves: int = 8) -> Match:
    """Play `moves` moves, enough for a rated match, and resign the seat on turn."""
    for _ in range(moves):
        match = play(match)
    return play(match, "resign")


def under_way(match: Match) -> Match:
    """Play until every seat has played a tile, so that clocks run."""
    match.refresh_from_db()
    while not all(map(repository.get_value(match).has_played, range(match.seats.count()))):
        match = play(match)
    return match


def play_to_the_end(match: Match, seed: int = SHORT_MATCH_SEED, each=lambda match: None) -> Match:
    """Play random legal moves to the end of the match; call `each` with every version."""
    chance = random.Random(seed)
    match.refresh_from_db()
    while match.playing:
        each(match)
        if repository.get_value(match).turn is None:
            end_calls(match)
        else:
            match = play(match, chance.choice(legal(match)))
    each(match)
    return match
