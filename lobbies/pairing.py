"""Find people who suit each other in quick play. Reads only; `services` seats them.

A waiting table accepts people within 100 rating points of those at it, and 10 points more for each second of its wait.
Both figures grow in a small crowd: where fewer than 50 people wait for the game or play it, they are multiplied by 50
over that number. So with 5 people everybody within 1000 points is accepted at once, with 20 within 250.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from django.db.models import QuerySet

from accounts import relations
from accounts.models import User
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from games.models import Match, Seat
from games.time.day_clocks import DAY_SECONDS
from games.time.pace import is_slow_player
from lobbies.game import Game, rating_and_completion
from lobbies.models import Sitting, Table

NEAR_POINTS = 100.0
WIDENING_POINTS_PER_SECOND = 10.0
FULL_CROWD_PEOPLE = 50
MIN_RELIABLE_COMPLETION_PERCENT = 80
MAX_CONSIDERED_TABLES = 50  # the longest waiting come first


class Manner(NamedTuple):
    """A person's record: `reliable` people play to the end, `slow` ones let most of the clock run in one turn."""

    reliable: bool
    slow: bool


def find_fitting(user: User, game: Game, now: datetime) -> list[Table]:
    """Return the open tables of this game where the person may sit down.

    Tables whose people finish their matches and play as fast as this person come first, then the nearest ratings.
    """
    if game.changed:
        return []
    rating, completion = rating_and_completion(user, game)
    tables = (
        _filter_waiting()
        .filter(
            private=False,
            changed=False,
            preset=game.preset,
            seats=game.seats,
            rated=game.rated,
            rules__target=game.rules.target,
            clock_seconds=game.clock[0] if game.clock else None,
            clock_increment=game.clock[1] if game.clock else None,
        )
        .exclude(sittings__user=user)
        .order_by("created_at")[:MAX_CONSIDERED_TABLES]
    )
    # A table with other choices of the source has the same preset and target.
    alike = [table for table in tables if Rules.from_dict(table.rules) == game.rules]
    suitable = [table for table in alike if not _has_blocked(user, table)]
    if not suitable:
        return []
    people = count_people(game.preset, game.seats, game.rated) + 1
    manner = Manner(_is_reliable(completion), is_slow_player(user))
    near = [(_is_mixed(table, manner), compute_distance([rating], table), table) for table in suitable]
    near.sort(key=lambda found: found[:2])
    return [table for _mixed, distance, table in near if distance <= _reach_of(table, now, people)]


def count_people(preset: str, seats: int, rated: bool) -> int:
    """Return how many people wait for a game now or play it, with a clock of minutes."""
    waiting = Sitting.objects.filter(
        table__status=Table.Status.OPEN, table__preset=preset, table__seats=seats, table__rated=rated
    ).exclude(table__clock_seconds__gte=DAY_SECONDS)
    playing = Seat.objects.filter(
        match__status=Match.Status.PLAYING,
        match__preset=preset,
        match__pool=PRESETS[preset].pool(seats),
        match__rated=rated,
    )
    return sum(rows.filter(user__isnull=False).count() for rows in (waiting, playing))


def compute_reach(wait_seconds: float, people: int) -> float:
    """Return how far apart, in rating points, somebody may be who is seated after this wait."""
    scale = max(1.0, FULL_CROWD_PEOPLE / max(1, people))
    return scale * (NEAR_POINTS + WIDENING_POINTS_PER_SECOND * max(0.0, wait_seconds))


def find_mergeable(now: datetime) -> Iterator[tuple[Table, Table]]:
    """Yield pairs of quick-play tables, the older first, whose people fit at one table and are close enough by now."""
    kinds: dict[tuple[str, int, bool, tuple[int, int] | None], list[Table]] = {}
    for table in _filter_waiting().filter(quick=True).order_by("created_at"):
        kinds.setdefault((table.preset, table.seats, table.rated, table.clock), []).append(table)
    for (preset, seats, rated, _clock), tables in kinds.items():
        if len(tables) > 1:
            yield from _pair_tables(tables, now, count_people(preset, seats, rated))


def _pair_tables(tables: list[Table], now: datetime, people: int) -> Iterator[tuple[Table, Table]]:
    paired: set[int] = set()
    for index, older in enumerate(tables):
        if older.pk in paired:
            continue
        near = [
            younger
            for younger in tables[index + 1 :]
            if younger.pk not in paired and _may_merge(older, younger, now, people)
        ]
        if near:
            manner = _manner_of(older)
            younger = min(near, key=lambda t: (_is_mixed(t, manner), compute_distance(_ratings_of(t), older)))
            paired.add(younger.pk)
            yield older, younger


def may_merge(older: Table, younger: Table, now: datetime) -> bool:
    """Return whether the people of the younger table may join the older one, which has waited longer."""
    return _may_merge(older, younger, now, count_people(older.preset, older.seats, older.rated))


def _may_merge(older: Table, younger: Table, now: datetime, people: int) -> bool:
    present, coming = older.sittings.all(), younger.sittings.all()
    if len(present) + len(coming) > older.seats:
        return False
    if {sitting.user_id for sitting in present} & {sitting.user_id for sitting in coming}:
        return False
    if compute_distance(_ratings_of(younger), older) > _reach_of(older, now, people):
        return False
    return not any(_has_blocked(sitting.user, older) for sitting in coming if sitting.user)


def _is_reliable(completion: int | None) -> bool:
    return completion is None or completion >= MIN_RELIABLE_COMPLETION_PERCENT


def _manner_of(table: Table) -> Manner:
    sittings = table.sittings.all()
    return Manner(all(_is_reliable(s.completion) for s in sittings), any(s.slow for s in sittings))


def _is_mixed(table: Table, manner: Manner) -> bool:
    """Return whether somebody at the table plays in another manner: it is taken only if there is no other table."""
    return any(Manner(_is_reliable(s.completion), s.slow) != manner for s in table.sittings.all())


def _has_blocked(user: User, table: Table) -> bool:
    """Return whether the person and somebody at the table have blocked each other."""
    present = {sitting.user_id for sitting in table.sittings.all() if sitting.user_id}
    return bool(present) and bool(relations.blocked_among(user, present))


def _reach_of(table: Table, now: datetime, people: int) -> float:
    return compute_reach((now - table.created_at).total_seconds(), people)


def compute_distance(ratings: Iterable[float | None], table: Table) -> float:
    """Return the distance from the mean of these ratings to that of the table; 0 if one side has none."""
    coming, present = _mean(ratings), _mean(_ratings_of(table))
    return 0.0 if coming is None or present is None else abs(coming - present)


def _filter_waiting() -> QuerySet[Table]:
    waiting = Table.objects.filter(status=Table.Status.OPEN, full_at=None, rematch_of="", kept_for=None)
    return waiting.prefetch_related("sittings__user")


def _ratings_of(table: Table) -> list[float | None]:
    return [sitting.rating for sitting in table.sittings.all()]


def _mean(ratings: Iterable[float | None]) -> float | None:
    known = [rating for rating in ratings if rating is not None]
    return sum(known) / len(known) if known else None
