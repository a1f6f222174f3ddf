"""Who suits whom in quick play. Reads only; `services` seats them.

A waiting table accepts people within 100 rating points of those at it, and 10 points more for each second it waits.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from django.db.models import QuerySet

from accounts import relations
from accounts.models import User
from games.pace import is_slow_player
from lobbies.game import Game, rating_and_completion
from lobbies.models import Table

NEAR = 100.0
WIDENING = 10.0  # points a second
RELIABLE = 80  # of a hundred rated matches, played to the end
LOOKED_AT = 50  # waiting tables; the longest waiting come first


class Manner(NamedTuple):
    """Whether somebody plays matches to the end, and whether they let most of the clock run in one turn."""

    reliable: bool
    slow: bool


def fitting(user: User, game: Game, now: datetime) -> list[Table]:
    """Open tables of this game where the person may sit down: first those whose people finish their matches, and let
    time run, as they do, then by the nearest rating."""
    if game.changed:
        return []
    rating, completion = rating_and_completion(user, game.preset, game.seats)
    tables = (
        _waiting()
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
        .order_by("created_at")[:LOOKED_AT]
    )
    fitting = [table for table in tables if not _apart(user, table)]
    manner = Manner(_is_reliable(completion), is_slow_player(user))
    near = [(_is_mixed(table, manner), distance([rating], table), table) for table in fitting]
    near.sort(key=lambda found: found[:2])
    return [table for _mixed, apart, table in near if apart <= reach_of(table, now)]


def to_be_joined(now: datetime) -> Iterator[tuple[Table, Table]]:
    """Pairs of quick-play tables, the older first, whose people fit at one table and are close enough by now."""
    kinds: dict[tuple[object, ...], list[Table]] = {}
    for table in _waiting().filter(quick=True).order_by("created_at"):
        kind = (table.preset, table.seats, table.rated, table.clock_seconds, table.clock_increment)
        kinds.setdefault(kind, []).append(table)
    for tables in kinds.values():
        yield from _pairs(tables, now)


def _pairs(tables: list[Table], now: datetime) -> Iterator[tuple[Table, Table]]:
    gone: set[int] = set()
    for index, older in enumerate(tables):
        if older.pk in gone:
            continue
        near = [
            younger
            for younger in tables[index + 1 :]
            if younger.pk not in gone and joinable(older, younger, now)
        ]
        if near:
            manner = _manner_of(older)
            younger = min(near, key=lambda t: (_is_mixed(t, manner), distance(_ratings(t), older)))
            gone.add(younger.pk)
            yield older, younger


def joinable(older: Table, younger: Table, now: datetime) -> bool:
    """Whether the people of the younger table fit at the older one, which has waited longer."""
    here, coming = older.sittings.all(), younger.sittings.all()
    if len(here) + len(coming) > older.seats:
        return False
    if {sitting.user_id for sitting in here} & {sitting.user_id for sitting in coming}:
        return False
    if distance(_ratings(younger), older) > reach_of(older, now):
        return False
    return not any(_apart(sitting.user, older) for sitting in coming if sitting.user)


def _is_reliable(completion: int | None) -> bool:
    return completion is None or completion >= RELIABLE


def _manner_of(table: Table) -> Manner:
    here = table.sittings.all()
    return Manner(all(_is_reliable(s.completion) for s in here), any(s.slow for s in here))


def _is_mixed(table: Table, manner: Manner) -> bool:
    """Whether somebody at the table plays in another manner than the comer. Such a table is taken only where there
    is no other."""
    return any(Manner(_is_reliable(s.completion), s.slow) != manner for s in table.sittings.all())


def _apart(user: User, table: Table) -> bool:
    """Whether the person and somebody at the table have blocked each other."""
    here = {sitting.user_id for sitting in table.sittings.all() if sitting.user_id}
    return bool(here) and bool(relations.blocked_among(user, here))


def reach_of(table: Table, now: datetime) -> float:
    """How far from its people's ratings somebody may be by now to be accepted."""
    return NEAR + WIDENING * max(0.0, (now - table.created_at).total_seconds())


def distance(ratings: Iterable[float | None], table: Table) -> float:
    """From the mean of these ratings to that of the table; 0 where one side has none."""
    coming, here = _mean(ratings), _mean(_ratings(table))
    return 0.0 if coming is None or here is None else abs(coming - here)


def _waiting() -> QuerySet[Table]:
    waiting = Table.objects.filter(status=Table.Status.OPEN, full_at=None, rematch_of="", kept_for=None)
    return waiting.prefetch_related("sittings__user")


def _ratings(table: Table) -> list[float | None]:
    return [sitting.rating for sitting in table.sittings.all()]


def _mean(ratings: Iterable[float | None]) -> float | None:
    known = [rating for rating in ratings if rating is not None]
    return sum(known) / len(known) if known else None
