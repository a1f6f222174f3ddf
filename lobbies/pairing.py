"""Find people who suit each other in quick play. Reads only; `services` seats them.

A waiting table accepts people within 100 rating points of those at it, and 10 points more for each second of its wait.
Both figures grow in a small crowd: where fewer than 50 people wait for the game or play it, they are multiplied by 50
over that number. So with 5 people everybody within 1000 points is accepted at once, with 20 within 250.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from django.db.models import QuerySet

from accounts import elo, relations
from accounts.models import Rating, User
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from games.models import Match, Seat
from games.time.day_clocks import DAY_SECONDS
from games.time.pace import is_slow_player
from lobbies import no_shows
from lobbies.game import Game, pool_of
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


class Seeker(NamedTuple):
    """Somebody who looks for a table; `key` is None for a visitor.

    ratings   (value, completion) by pool; None for guests and visitors, who have none
    may_rate  whether quick play seats them at rated tables
    apart     the people with whom quick play does not seat them
    """

    key: int | None = None
    ratings: Mapping[str, tuple[float, int | None]] | None = None
    may_rate: bool = False
    is_slow: bool = False
    apart: frozenset[int] = frozenset()

    @property
    def has_no_account(self) -> bool:
        """Return whether this is a guest or a visitor: rated matches are open to them once they sign up."""
        return self.ratings is None

    def get_rating(self, pool: str) -> tuple[float | None, int | None]:
        """Return rating and completion in a pool; before the first rated match the starting rating and None."""
        if self.ratings is None:
            return None, None
        return self.ratings.get(pool, (elo.START_RATING, None))


VISITOR = Seeker()


def load_seeker(user: User, now: datetime) -> Seeker:
    apart, is_slow = find_apart(user.pk, now), is_slow_player(user)
    if user.is_guest:
        return Seeker(user.pk, is_slow=is_slow, apart=apart)
    ratings = {row.pool: (row.value, row.completion) for row in Rating.objects.filter(user=user)}
    return Seeker(user.pk, ratings, not user.barred, is_slow, apart)


def find_apart(user: int, now: datetime) -> frozenset[int]:
    """Return the people with whom quick play does not seat this person: blocked, or not to meet today."""
    return no_shows.find_consequences(user, now).apart | relations.find_blocked(user)


def find_fitting(user: User, game: Game, now: datetime) -> list[Table]:
    """Return the open tables of this game where the person may sit down.

    Tables whose people finish their matches and play as fast as this person come first, then the nearest ratings.
    """
    if game.changed:
        return []
    tables = (
        filter_waiting()
        .filter(preset=game.preset, seats=game.seats, rated=game.rated)
        .exclude(sittings__user=user)
        .order_by("created_at")[:MAX_CONSIDERED_TABLES]
    )
    return choose_fitting(load_seeker(user, now), game, list(tables), now) if tables else []


def choose_fitting(seeker: Seeker, game: Game, tables: Iterable[Table], now: datetime) -> list[Table]:
    """Return those of the waiting tables, with their sittings, where `find_fitting` lets this person sit down."""
    suitable = [table for table in tables if _is_of(table, game) and may_meet(seeker, table)]
    if not suitable:
        return []
    rating, completion = seeker.get_rating(pool_of(game))
    manner = Manner(_is_reliable(completion), seeker.is_slow)
    near = [(_is_mixed(table, manner), compute_distance([rating], table), table) for table in suitable]
    near.sort(key=lambda found: found[:2])
    if all(distance <= compute_reach(_wait_of(table, now), FULL_CROWD_PEOPLE) for _, distance, table in near):
        return [table for _mixed, _distance, table in near]
    people = count_people(game.preset, game.seats, game.rated) + 1
    return [table for _, distance, table in near if distance <= compute_reach(_wait_of(table, now), people)]


def may_meet(seeker: Seeker, table: Table) -> bool:
    """Return whether a person may sit down among those at a table, and does not sit there yet."""
    present = {sitting.user_id for sitting in table.sittings.all() if sitting.user_id}
    return not (present & seeker.apart or seeker.key in present)


def _is_of(table: Table, game: Game) -> bool:
    """Return whether an open table has this game. One with other choices of the source has the same preset."""
    key = (table.preset, table.seats, table.rated, table.clock)
    if key != (game.preset, game.seats, game.rated, game.clock) or table.private or table.changed:
        return False
    return Rules.from_dict(table.rules) == game.rules


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
    """Yield pairs of tables whose people fit at the first one and are close enough by now.

    Those of the second wait in quick play. They move to the older table, or to one that its host has made.
    """
    kinds: dict[tuple[str, int, bool, tuple[int, int] | None], list[Table]] = {}
    for table in filter_waiting().filter(private=False, changed=False).order_by("created_at"):
        kinds.setdefault((table.preset, table.seats, table.rated, table.clock), []).append(table)
    for (preset, seats, rated, _clock), tables in kinds.items():
        if len(tables) > 1 and any(table.quick for table in tables):
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
            yield (older, younger) if younger.quick else (younger, older)


def may_merge(target: Table, moved: Table, now: datetime) -> bool:
    """Return whether the people of `moved`, who wait in quick play, may go to the other table."""
    return moved.quick and _may_merge(
        target, moved, now, count_people(target.preset, target.seats, target.rated)
    )


def _may_merge(one: Table, other: Table, now: datetime, people: int) -> bool:
    here, there = one.sittings.all(), other.sittings.all()
    if not (one.quick or other.quick) or one.rules != other.rules or len(here) + len(there) > one.seats:
        return False
    keys = {sitting.user_id for sitting in here if sitting.user_id}
    if keys & {sitting.user_id for sitting in there}:
        return False
    wait = max(_wait_of(one, now), _wait_of(other, now))
    if compute_distance(_ratings_of(other), one) > compute_reach(wait, people):
        return False
    return not any(find_apart(sitting.user_id, now) & keys for sitting in there if sitting.user_id)


def _is_reliable(completion: int | None) -> bool:
    return completion is None or completion >= MIN_RELIABLE_COMPLETION_PERCENT


def _manner_of(table: Table) -> Manner:
    sittings = table.sittings.all()
    return Manner(all(_is_reliable(s.completion) for s in sittings), any(s.slow for s in sittings))


def _is_mixed(table: Table, manner: Manner) -> bool:
    """Return whether somebody at the table plays in another manner: it is taken only if there is no other table."""
    return any(Manner(_is_reliable(s.completion), s.slow) != manner for s in table.sittings.all())


def _wait_of(table: Table, now: datetime) -> float:
    """Return for how many seconds a table has waited."""
    return (now - table.created_at).total_seconds()


def compute_distance(ratings: Iterable[float | None], table: Table) -> float:
    """Return the distance from the mean of these ratings to that of the table; 0 if one side has none."""
    coming, present = _mean(ratings), _mean(_ratings_of(table))
    return 0.0 if coming is None or present is None else abs(coming - present)


def filter_waiting() -> QuerySet[Table]:
    """Return the open tables at which somebody may sit down, with their sittings."""
    waiting = Table.objects.filter(status=Table.Status.OPEN, full_at=None, rematch_of="", kept_for=None)
    return waiting.filter(night="").prefetch_related("sittings__user")


def _ratings_of(table: Table) -> list[float | None]:
    return [sitting.rating for sitting in table.sittings.all()]


def _mean(ratings: Iterable[float | None]) -> float | None:
    known = [rating for rating in ratings if rating is not None]
    return sum(known) / len(known) if known else None
