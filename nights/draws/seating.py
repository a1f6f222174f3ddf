"""Tables of three and four: a search in steps, never in time, so that it can be repeated anywhere.

Iterated local search. It swaps two people where that makes the draw better, and shakes the best draw where no swap
does. Its choices come from a generator of its own with a fixed start: the same places and past give the same tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from nights.draws.meetings import Sides

STEP_LIMIT = 20_000  # swaps tried: a few tenths of a second on a slow core
SHAKEN_SWAPS = 3
# More than the sum of all meetings of a night can be: partners who meet again count before any opponents.
PARTNER_WEIGHT = 100_000
_MULTIPLIER, _INCREMENT, _MODULUS = 6364136223846793005, 1442695040888963407, 1 << 64

Counts = Sequence[Sequence[int]]  # of meetings, by two places


@dataclass
class _Generator:
    """A linear congruential generator (Knuth's MMIX); its upper bits choose."""

    state: int = 1

    def below(self, limit: int) -> int:
        self.state = (self.state * _MULTIPLIER + _INCREMENT) % _MODULUS
        return (self.state >> 33) % limit


@dataclass
class _Search:
    """The seats of all tables one after another, and who sits there."""

    sizes: tuple[int, ...]
    in_pairs: bool
    partners: Counts
    opponents: Counts
    steps: int = 0
    places: list[int] = field(default_factory=list)
    costs: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    table_of: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        for table, size in enumerate(self.sizes):
            self.starts.append(len(self.table_of))
            self.table_of += [table] * size
        self.places = list(range(len(self.table_of)))
        self.costs = [self.cost(table) for table in range(len(self.sizes))]

    def cost(self, table: int) -> int:
        start = self.starts[table]
        seated = self.places[start : start + self.sizes[table]]
        met = self.opponents
        if self.in_pairs:
            a, b, c, d = seated
            again = self.partners[a][b] + self.partners[c][d]
            return again * PARTNER_WEIGHT + met[a][c] + met[a][d] + met[b][c] + met[b][d]
        return sum(met[one][other] for index, one in enumerate(seated) for other in seated[:index])

    def swap(self, seat: int, other: int) -> None:
        places = self.places
        places[seat], places[other] = places[other], places[seat]
        for table in {self.table_of[seat], self.table_of[other]}:
            self.costs[table] = self.cost(table)

    def gain(self, seat: int, other: int) -> int:
        """Return by how much a swap would lower the sum."""
        self.steps += 1
        places = self.places
        one, two = self.table_of[seat], self.table_of[other]
        places[seat], places[other] = places[other], places[seat]
        gained = self.costs[one] - self.cost(one)
        if two != one:
            gained += self.costs[two] - self.cost(two)
        places[seat], places[other] = places[other], places[seat]
        return gained

    def improve(self) -> None:
        """Swap while a swap of somebody at a table with a repeated meeting helps."""
        improved = True
        while improved and self.steps < STEP_LIMIT:
            improved = False
            for table, cost in enumerate(self.costs):
                if not cost:
                    continue
                start = self.starts[table]
                best = max(
                    (
                        (self.gain(seat, other), -seat, -other)
                        for seat in range(start, start + self.sizes[table])
                        for other in range(len(self.places))
                        if other != seat
                    ),
                )
                if best[0] > 0:
                    self.swap(-best[1], -best[2])
                    improved = True

    def shake(self, generator: _Generator) -> None:
        for _ in range(SHAKEN_SWAPS):
            self.swap(generator.below(len(self.places)), generator.below(len(self.places)))

    def restore(self, places: list[int]) -> None:
        self.places = places[:]
        self.costs = [self.cost(table) for table in range(len(self.sizes))]

    def sides(self) -> list[Sides]:
        tables: list[Sides] = []
        for start, size in zip(self.starts, self.sizes, strict=True):
            seated = self.places[start : start + size]
            pairs: Sides = (tuple(seated[:2]), tuple(seated[2:]))
            alone: Sides = tuple((place,) for place in seated)
            tables.append(pairs if self.in_pairs else alone)
        return tables


def seat_tables(
    sizes: tuple[int, ...], *, in_pairs: bool, partners: Counts, opponents: Counts
) -> list[Sides]:
    """Return tables of places 0, 1, … with few repeated partners, then few repeated opponents.

    `sizes` gives the entries of each table; with `in_pairs` all are four, and the first two play the others.
    """
    search = _Search(sizes, in_pairs, partners, opponents)
    generator = _Generator()
    search.improve()
    best, best_cost = search.places[:], sum(search.costs)
    while best_cost and search.steps < STEP_LIMIT:
        search.shake(generator)
        search.improve()
        cost = sum(search.costs)
        if cost <= best_cost:
            best, best_cost = search.places[:], cost
        else:
            search.restore(best)
    search.restore(best)
    return search.sides()
