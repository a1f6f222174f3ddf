"""What moderators see of a closed day: shared networks, entries alike, and plays that fit hidden hands.

Entries of people about whom a moderator does not decide, their own first of all, are left out.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from accounts.models import User
from accounts.moderators import may_decide
from events.field import LoadedField, Result
from events.leaderboards import describe_reason
from events.models import Entry, Network
from events.services.findings import get_peek_sum
from study.peeks import Null, Verdict, judge, load_null

MIN_EQUAL_ROUNDS = 3
MAX_LISTED = 100


class Line(NamedTuple):
    """An entry on the desk."""

    entry: Entry
    result: Result
    reason: str
    verdict: Verdict

    @property
    def false_alarm(self) -> str:
        """Return *1 in 2,000*, how often an honest person's plays fit hidden hands as well; "" for too few rounds."""
        rate = self.verdict.false_alarm_rate
        return "" if rate is None else format_odds(rate)


class Twins(NamedTuple):
    """Two entries with the same own decisions in `rounds` rounds, and how likely one makes the other's by chance."""

    one: Result
    other: Result
    rounds: int
    log_chance: float

    @property
    def odds(self) -> str:
        return format_odds(10**self.log_chance)


def format_odds(chance: float) -> str:
    """Return a probability in words of figures.

    >>> format_odds(0.004), format_odds(0.7), format_odds(0.0)
    ('1 : 250', '1 : 1', '1 : 1000000000')
    """
    return f"1 : {round(1 / max(chance, 1e-9))}"


@dataclass(frozen=True)
class DayDesk:
    loaded: LoadedField
    moderator: User

    @cached_property
    def lines(self) -> list[Line]:
        """Return the entries, those whose plays fit hidden hands best first."""
        null = load_null()
        lines = [self._build_line(entry, null) for entry in self._entries]
        return sorted(lines, key=_compute_excess, reverse=True)[:MAX_LISTED]

    def _build_line(self, entry: Entry, null: Null) -> Line:
        verdict = judge(get_peek_sum(entry), null)
        return Line(entry, self._results[entry.pk], describe_reason(entry), verdict)

    @cached_property
    def _entries(self) -> list[Entry]:
        """Return the entries about which the moderator decides."""
        return [
            entry
            for entry in self.loaded.entries
            if entry.user is None or may_decide(self.moderator, entry.user)
        ]

    @cached_property
    def _results(self) -> dict[int, Result]:
        return {entry.pk: self.loaded.build_result(entry) for entry in self._entries}

    @cached_property
    def sharing(self) -> list[list[Result]]:
        """Return the entries of each network from which several were played, in the order of their starts."""
        rows = Network.objects.filter(entry__deals=self.loaded.deals, entry__practice=False)
        by_network: dict[str, list[int]] = defaultdict(list)
        for network, entry in rows.order_by("entry").values_list("network", "entry"):
            if entry in self._results:
                by_network[network].append(entry)
        groups = {tuple(entries) for entries in by_network.values() if len(entries) > 1}
        return [[self._results[entry] for entry in group] for group in sorted(groups)][:MAX_LISTED]

    @cached_property
    def twins(self) -> list[Twins]:
        """Return pairs of entries with the same decisions in several rounds, the least likely first."""
        pairs = find_twins(self._entries)
        return [
            Twins(self._results[one.pk], self._results[other.pk], rounds, log_chance)
            for one, other, rounds, log_chance in pairs[:MAX_LISTED]
        ]


def find_twins(entries: Sequence[Entry]) -> list[tuple[Entry, Entry, int, float]]:
    """Return pairs with the same own decisions in `MIN_EQUAL_ROUNDS` rounds, how many, and the logarithm of the chance.

    The same decisions give the same round, as the answers follow from the plays. The least likely come first.
    """
    by_line: dict[tuple[int, str], list[int]] = defaultdict(list)
    for index, entry in enumerate(entries):
        for number, line in enumerate(entry.lines):
            by_line[number, line].append(index)
    equal: dict[tuple[int, int], list[int]] = defaultdict(list)
    for (number, _line), indexes in by_line.items():
        for pair in combinations(indexes, 2):
            equal[pair].append(number)
    found = [
        (entries[one], entries[other], len(rounds), _sum_chances(entries[one], rounds))
        for (one, other), rounds in equal.items()
        if len(rounds) >= MIN_EQUAL_ROUNDS
    ]
    return sorted(found, key=lambda pair: pair[3])


def _sum_chances(entry: Entry, rounds: Sequence[int]) -> float:
    chances = (entry.findings or {}).get("chances", [])
    return sum(chances[number] for number in rounds if number < len(chances))


def _compute_excess(line: Line) -> float:
    return line.verdict.sums.total / (line.verdict.error or 1.0)
