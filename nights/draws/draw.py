"""The draw of a round: who is out, and who sits with whom. Pure: the same field, past and key give the same draw.

The lot numbers the entries. Then the first of these that fits decides the tables: a schedule while the same entries
stay, an exact matching at tables of two, a search at larger ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from boneyard.engine.shuffle import shuffled_items
from nights.draws.formats import Format
from nights.draws.matching import match_pairs
from nights.draws.meetings import Meetings, Side, Sides, sorted_pair
from nights.draws.schedules import ALWAYS_WHIST, circle_rounds, has_whist, whist_round
from nights.draws.seating import seat_tables

SEARCH_VERSION = "1"  # of everything in this package that decides a draw
WON_UNITS = lcm(2, 3)  # a half for equal points, a third for a place among four
PURPOSE = "draw"


class NotEnough(Exception):
    """Too few entries are here for one table."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What an entry has when a round is drawn: its place, 1 the best, and its points for rounds won."""

    place: int
    won: Fraction


@dataclass(frozen=True, slots=True)
class Entrants:
    """Who can be seated.

    here        numbers of the entries that play, helpers without
    helpers     numbers of those who fill tables, in the order in which they do
    standings   by number; needed where the draw follows the standings
    own_tables  by number, of entries that keep their table
    """

    here: tuple[int, ...]
    helpers: tuple[int, ...] = ()
    standings: Mapping[int, Standing] = field(default_factory=dict)
    own_tables: Mapping[int, int] = field(default_factory=dict)

    @property
    def everybody(self) -> tuple[int, ...]:
        return tuple(sorted((*self.here, *self.helpers)))


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a round; the numbers of its sides' entries."""

    number: int
    sides: Sides


@dataclass(frozen=True, slots=True)
class Draw:
    """A drawn round. `tables` is what the draw gave; since then each of a pair in `moved` took the other's seat."""

    lot: tuple[int, ...]
    out: tuple[int, ...]
    tables: tuple[Table, ...]
    moved: tuple[tuple[int, int], ...] = ()

    @property
    def seated_tables(self) -> tuple[Table, ...]:
        """Return the tables at which people sat."""
        places = {number: number for table in self.tables for side in table.sides for number in side}
        for one, other in self.moved:
            renamed = {one: other, other: one}  # one of them may have sat at no table: a helper who came in
            places = {seat: renamed.get(sits, sits) for seat, sits in places.items()}
        return tuple(
            Table(table.number, tuple(tuple(places[number] for number in side) for side in table.sides))
            for table in self.tables
        )

    @property
    def sides(self) -> tuple[Sides, ...]:
        return tuple(table.sides for table in self.seated_tables)


@dataclass(frozen=True, slots=True)
class DrawRules:
    """What a night says of its draws; `rounds` is None where it goes on until a director ends it."""

    format: Format
    by_standings: bool = False
    rounds: int | None = None


def draw_round(
    rules: DrawRules, entrants: Entrants, past: Sequence[Draw], key: bytes, number: int, code: str
) -> Draw:
    """Return the draw with key `number` of the night `code`, after the draws that still hold.

    Raise `NotEnough` if no table can be filled.
    """
    lot = shuffled_items(entrants.everybody, key, PURPOSE, number, code)
    seated, out = _choose_seated(rules, entrants, past, lot)
    if not seated:
        raise NotEnough
    tables = _find_scheduled(rules, seated, out, past, lot) or _find_best(rules, entrants, seated, past)
    return Draw(lot, out, _number_tables(tables, lot, entrants.own_tables))


def _choose_seated(
    rules: DrawRules, entrants: Entrants, past: Sequence[Draw], lot: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return who sits, in the order of the lot, and who is out: those who were out least often, the last of the lot."""
    people = len(entrants.here)
    room = rules.format.count_seated(people + len(entrants.helpers))
    outs = Counter(number for draw in past for number in draw.out)
    rank = {number: index for index, number in enumerate(lot)}

    def stays(number: int) -> tuple[int, int, int]:
        """Sort whom it is least fair to leave out first."""
        place = entrants.standings[number].place if rules.by_standings and number in entrants.standings else 0
        return (-outs[number], place, rank[number])

    staying = sorted(entrants.here, key=stays)[:room]
    helpers = entrants.helpers[: room - len(staying)]
    if not helpers and len(staying) < people:
        staying = staying[: rules.format.count_seated(people)]
    seated = {*staying, *helpers}
    return tuple(n for n in lot if n in seated), tuple(n for n in entrants.here if n not in seated)


def _find_scheduled(
    rules: DrawRules, seated: Sequence[int], out: Sequence[int], past: Sequence[Draw], lot: Sequence[int]
) -> list[Sides] | None:
    """Return the next round of a schedule, or None where none fits the past."""
    if rules.by_standings or rules.format.name == "free" or any(draw.moved for draw in past):
        return None
    field = sorted((*seated, *out))
    base = past[0].lot if past else lot
    if sorted(base) != sorted(lot) or any(sorted(draw.lot) != sorted(lot) for draw in past):
        return None
    order = [number for number in base if number in field]
    if rules.format.table_size == 2:
        return _find_circle_round(order, out, past, lot)
    return _find_whist_round(rules, order, out, past)


def _find_circle_round(
    order: Sequence[int], out: Sequence[int], past: Sequence[Draw], lot: Sequence[int]
) -> list[Sides] | None:
    """Return the unused round of the circle that leaves `out` out, or in which the first of the lot meets the earliest.

    An odd field has a free place, and whoever would meet it is out.
    """
    places: list[int | None] = [*order, None] if len(order) % 2 else [*order]
    met = Meetings.of(sides for draw in past for sides in draw.sides).opponents
    rank = {number: index for index, number in enumerate(lot)}
    found: list[tuple[int, list[Sides]]] = []
    for pairs in circle_rounds(len(places)):
        tables: list[Sides] = []
        free = None
        for one, other in ((places[a], places[b]) for a, b in pairs):
            if one is None or other is None:
                free = one if other is None else other
            else:
                tables.append(((one,), (other,)))
        if (free,) != tuple(out) and (free is not None or out):
            continue
        if any(met[sorted_pair(one, other)] for ((one,), (other,)) in tables):
            continue
        first = min(tables, key=lambda sides: min(rank[number] for side in sides for number in side))
        found.append((max(rank[number] for side in first for number in side), tables))
    return min(found, key=lambda scored: scored[0])[1] if found else None


def _find_whist_round(
    rules: DrawRules, order: Sequence[int], out: Sequence[int], past: Sequence[Draw]
) -> list[Sides] | None:
    """Return the next round of whist tables: for eight people, and for others where all their rounds are played."""
    count = len(order)
    all_rounds = count == ALWAYS_WHIST or (rules.rounds is not None and rules.rounds >= count - 1)
    if out or not has_whist(count) or not all_rounds or len(past) >= count - 1:
        return None
    return [
        tuple(tuple(order[place] for place in side) for side in sides)
        for sides in whist_round(count, len(past))
    ]


def _find_best(
    rules: DrawRules, entrants: Entrants, seated: Sequence[int], past: Sequence[Draw]
) -> list[Sides]:
    """Return the tables with the fewest repeated meetings, by matching or search over places of the lot."""
    met = Meetings.of(sides for draw in past for sides in draw.sides)
    places = range(len(seated))
    opponents = [[met.opponents[sorted_pair(seated[a], seated[b])] for b in places] for a in places]
    if rules.format.table_size == 2:
        won = [_count_units(entrants, number) if rules.by_standings else 0 for number in seated]
        pairs = match_pairs(len(seated), lambda a, b: opponents[a][b], lambda a, b: (won[a] - won[b]) ** 2)
        return [((seated[a],), (seated[b],)) for a, b in pairs]
    partners = [[met.partners[sorted_pair(seated[a], seated[b])] for b in places] for a in places]
    in_pairs = rules.format.side_size == 2
    sizes = rules.format.find_table_sizes(len(seated))
    found = seat_tables(sizes, in_pairs=in_pairs, partners=partners, opponents=opponents)
    return [tuple(tuple(seated[place] for place in side) for side in sides) for sides in found]


def _count_units(entrants: Entrants, number: int) -> int:
    standing = entrants.standings.get(number)
    return int(standing.won * WON_UNITS) if standing else 0


def _number_tables(
    tables: Sequence[Sides], lot: Sequence[int], own_tables: Mapping[int, int]
) -> tuple[Table, ...]:
    """Return the tables with numbers: those that an entry keeps, the others in the order of the lot.

    Where two entries of a table keep different ones, or two tables the same, the earlier of the lot has its own.
    """
    rank = {number: index for index, number in enumerate(lot)}

    def members(sides: Sides) -> list[int]:
        return sorted((number for side in sides for number in side), key=rank.__getitem__)

    ordered = sorted(tables, key=lambda sides: rank[members(sides)[0]])
    kept: dict[int, Sides] = {}
    keepers = sorted((rank[number], number) for number in own_tables if number in rank)
    for _, number in keepers:
        sides = next((sides for sides in ordered if number in members(sides)), None)
        if sides is not None and own_tables[number] not in kept and sides not in kept.values():
            kept[own_tables[number]] = sides
    rest = iter(sides for sides in ordered if sides not in kept.values())
    numbers = iter(number for number in range(1, len(tables) + len(kept) + 1) if number not in kept)
    numbered = [*kept.items(), *((next(numbers), sides) for sides in rest)]
    return tuple(Table(number, _order_sides(sides)) for number, sides in sorted(numbered))


def _order_sides(sides: Sides) -> Sides:
    ordered: list[Side] = [tuple(sorted(side)) for side in sides]
    return tuple(sorted(ordered))
