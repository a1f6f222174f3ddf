"""Seal and play sets of deals in tests."""

import random
from datetime import UTC, datetime, time, timedelta
from hashlib import sha256

from django.utils import timezone

import games.services
from boneyard.computer.players import choose_move
from boneyard.engine.moves import parse
from boneyard.engine.records import LEVELS
from events import services
from events.models import GRACE, HOUSE_SIZE, DealSet, Entry, HouseResult
from events.programme import DailyGame, build_rules
from games import referee, repository
from games.models import Match, Seat
from tests.games.playing import end_calls, legal


def open_today(
    preset: str = "block", seats: int = 2, rounds: int = 2, level: str = "club", **changes
) -> DealSet:
    """Seal a set that is today's Daily Deal and open; with weak computers and few rounds, which take little time."""
    now = timezone.now()
    opens_at = datetime.combine(now.date(), time(), tzinfo=UTC)
    deals = services.seal_set(
        f"daily-{now.date()}",
        DailyGame(preset, seats),
        build_rules(preset).replace(rounds=rounds, **changes),
        day=now.date(),
        sealed_at=opens_at - timedelta(days=1),
        opens_at=opens_at,
        closes_at=opens_at + timedelta(days=1, hours=1),  # so that no start is asked whether it is too late
        secret=sha256(b"the deals of a test").digest(),
    )
    DealSet.objects.filter(pk=deals.pk).update(level=level)
    deals.refresh_from_db()
    return deals


def close(deals: DealSet) -> None:
    """Close a set now, as if its day had been over for ten minutes."""
    DealSet.objects.filter(pk=deals.pk).update(closes_at=timezone.now() - GRACE)
    services.close_due(timezone.now())
    deals.refresh_from_db()


def start(deals: DealSet, user) -> Match:
    return services.start(deals, user, timezone.now()).match


def play_turn(match: Match, chance: random.Random) -> Match:
    """Play the next move: a random one of the person, or what the referee would have the computers play."""
    match.refresh_from_db()
    value, seats = repository.get_value(match), list(match.seats.select_related("user"))
    if value.turn is None:
        end_calls(match)
        return match
    seat = seats[value.turn]
    if seat.kind != Seat.Kind.COMPUTER:
        move, claim = chance.choice(legal(match)), None
    else:
        turn = referee._build_turn(match, value, seat)
        chosen, claim = choose_move(
            turn.view, turn.level, int(turn.seed, 16), secret=turn.seed, figure=turn.figure
        )
        move = str(chosen)
    return _store(match, value, seat, move, claim)


def _store(match: Match, value, seat: Seat, move: str, claim) -> Match:
    version = match.version
    arguments = {"match": match, "claim": claim, "seen_version": match.version}
    if seat.kind == Seat.Kind.COMPUTER:
        parsed = parse(move)
        after = games.services.play_for_computer(seat=seat.position, move=parsed, **arguments)
    else:
        after = games.services.play(seat=seat, move=move, **arguments)
    # A test's transaction never commits, so cache the value here; after the close more than this move was made.
    if after.version == version + 1:
        repository.cache_value(after.pk, after.version, value.play(seat.position, parse(move), claim))
    return after


def play_rounds(match: Match, rounds: int | None = None, seed: int = 1, each=lambda match: None) -> Match:
    """Play until this many rounds have ended, or the whole match; call `each` with every version."""
    chance = random.Random(seed)
    match.refresh_from_db()
    while match.playing and (rounds is None or len(repository.get_value(match).ended) < rounds):
        each(match)
        match = play_turn(match, chance)
    each(match)
    return match


def be_official(*people) -> None:
    """Let the entries of these people be of the field, and count, as those of old accounts are."""
    Entry.objects.filter(user__in=people).update(standing=Entry.Standing.OFFICIAL)


def store_house(deals: DealSet, margin: int = 0) -> None:
    """Store results of the whole house, which would take the computers seconds."""
    HouseResult.objects.bulk_create(
        HouseResult(
            deals=deals,
            number=number,
            level=LEVELS[number // 3],
            figure=number % 3,
            margins=[margin] * deals.rounds,
            lines=[""] * deals.rounds,
        )
        for number in range(HOUSE_SIZE)
    )


def entry_of(match: Match) -> Entry:
    return Entry.objects.get(match=match)
