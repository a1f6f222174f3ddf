"""Summarise an analysed match for one side: how luck and play make the result, and the mean loss of each seat."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import floor, sqrt
from statistics import stdev
from typing import Any, Literal, NamedTuple

from django.utils.translation import gettext as _

from games import wording as games_wording
from games.models import Match
from study import balance_words, wording

MIN_DECISIONS = 10  # for a mean loss

Unit = Literal["chances", "points"]
Cause = Literal["mistakes", "rest", "left"]

_DISPLAYED_PARTS: dict[Unit, int] = {"chances": 100, "points": 1}  # chances in per cent
_CAUSES: tuple[Cause, ...] = ("mistakes", "rest", "left")


class Line(NamedTuple):
    """A line of the account: what it is, its chance to win and its points; no points in an old analysis."""

    label: str
    chance: str
    points: str


class StepLine(NamedTuple):
    """A step of the match: luck, play and the chance after it, of the side, in per cent; a deal has no label."""

    number: int
    label: str
    luck: str
    play: str
    after: str


class Loss(NamedTuple):
    """The mean loss per decision of a seat."""

    name: str
    percent: str
    error: str
    decisions: int


@dataclass(frozen=True)
class Balance:
    """The summary for `side`. `sides` lists the seats of each side; `result` is the stored analysis, or None.

    `names` are those of the seats, empty for the reader.
    """

    match: Match
    names: Sequence[str]
    sides: tuple[tuple[int, ...], ...]
    side: int
    result: dict[str, Any] | None

    @property
    def side_name(self) -> str:
        return games_wording.side_names(self.sides, [name or _("you") for name in self.names])[self.side]

    @property
    def _others_name(self) -> str:
        if len(self.sides) > 2:
            return _("the others")
        return games_wording.side_names(self.sides, [name or _("you") for name in self.names])[1 - self.side]

    @property
    def headline(self) -> str:
        """Return what decided the match, or who ended it early."""
        if self.match.result_how == "target":
            return self.sentence or _("The analysis")
        is_own = any(not self.names[seat] for seat in self.sides[self.side])
        has_won = self.side in (self.match.winners or ())
        return (wording.own_victory(self.match.ending) if is_own and has_won else "") or self.match.outcome

    @property
    def sentence(self) -> str:
        """Return the mistakes of the side and what the tiles gave it, or ""."""
        if not self.is_complete:
            return ""
        # A mistake may win more points and fewer matches: then the chances say what it was worth.
        in_points = self.has_points and (
            self._whole("points")["own mistakes"] < 0 or not self._mistakes[True]
        )
        figures = self._whole("points" if in_points else "chances")
        return balance_words.balance_sentence(
            "" if self._is_reader else self.side_name,
            alone=len(self.sides[self.side]) == 1,
            mistakes=self._mistakes[True],
            worth=-figures["own mistakes"],
            luck=figures["luck"],
            in_points=in_points,
        )

    @property
    def _is_reader(self) -> bool:
        return any(not self.names[seat] for seat in self.sides[self.side])

    @property
    def is_complete(self) -> bool:
        """Return whether there is an analysis, and a result for it to explain."""
        return self.result is not None and bool(self.match.winners)

    @property
    def has_points(self) -> bool:
        """Return whether the analysis has the series of values; before engine 3 it had not."""
        return self.result is not None and "balance" in self.result

    @cached_property
    def _steps(self) -> list[dict[str, Any]]:
        """Return the stored steps; of an analysis before engine 3, one for each loss, without luck or points."""
        if self.result is None:
            return []
        if self.has_points:
            return list(self.result["balance"]["steps"])
        lost = [(row, "decision") for row in self.result["decisions"]]
        lost += [(row, "call") for row in self.result["calls"]]
        return [self._old_step(row, kind) for row, kind in lost]

    def _old_step(self, row: dict[str, Any], kind: str) -> dict[str, Any]:
        own = next(side for side, seats in enumerate(self.sides) if row["seat"] in seats)
        gain = row["loss"] / (len(self.sides) - 1)
        play = [-row["loss"] if side == own else gain for side in range(len(self.sides))]
        charge = [row["seat"], kind, row["loss"], 0.0]
        return {"number": row["number"], "play": {"chances": play}, "charges": [charge]}

    def _ends(self, unit: Unit) -> tuple[float, float]:
        """Return the first and the last value of the side."""
        if self.has_points:
            assert self.result is not None
            balance = self.result["balance"]
            return balance["start"][unit][self.side], balance["end"][unit][self.side]
        winners = self.match.winners or ()
        return 1 / len(self.sides), (self.side in winners) / max(1, len(winners))

    @cached_property
    def _marked(self) -> frozenset[int]:
        rows = [] if self.result is None else self.result["decisions"]
        return frozenset(row["number"] for row in rows if row["mark"])

    def _cause(self, number: int, kind: str) -> Cause:
        if kind == "left":
            return "left"
        return "mistakes" if kind != "decision" or number in self._marked else "rest"

    @cached_property
    def _mistakes(self) -> Counter[bool]:
        """Return the number of mistakes of the side (True) and of the others (False)."""
        return Counter(
            seat in self.sides[self.side]
            for step in self._steps
            for seat, kind, chance, _points in step["charges"]
            if chance > 0 and self._cause(step["number"], kind) == "mistakes"
        )

    def _exact(self, unit: Unit) -> dict[str, float]:
        """Return what luck and each cause of play gave the side; they add up to its end less its start."""
        figures = {f"{who} {cause}": 0.0 for who in ("own", "their") for cause in _CAUSES}
        for step in self._steps:
            for name, figure in self._split_play(step, unit):
                figures[name] += figure
        start, end = self._ends(unit)
        return {"luck": end - start - sum(figures.values())} | figures

    def _split_play(self, step: dict[str, Any], unit: Unit) -> Iterator[tuple[str, float]]:
        """Yield the parts of a step's play; what others lost is the side's in the share that it gained of all."""
        lost: dict[bool, list[tuple[str, float]]] = {True: [], False: []}
        for seat, kind, chance, points in step["charges"]:
            cause = self._cause(step["number"], kind)
            lost[seat in self.sides[self.side]].append((cause, chance if unit == "chances" else points))
        yield from ((f"own {cause}", -figure) for cause, figure in lost[True])
        theirs = sum(figure for _cause, figure in lost[False])
        gained = step["play"][unit][self.side] + sum(figure for _cause, figure in lost[True])
        if theirs:
            yield from ((f"their {cause}", figure * gained / theirs) for cause, figure in lost[False])

    def _whole(self, unit: Unit) -> dict[str, float]:
        """Return the figures as displayed: rounded so that they add up to the displayed end less the start."""
        scale = _DISPLAYED_PARTS[unit]
        start, end = (round(figure * scale) for figure in self._ends(unit))
        exact = {name: figure * scale for name, figure in self._exact(unit).items()}
        rounded = _round_to_sum(list(exact.values()), end - start)
        return {name: figure / scale for name, figure in zip(exact, rounded, strict=True)}

    @property
    def lines(self) -> list[Line]:
        """Return the account from the start to the result; parts that are 0 are left out."""
        if not self.is_complete:
            return []
        chances = self._whole("chances")
        points = self._whole("points") if self.has_points else dict.fromkeys(chances, 0.0)
        lines = [
            Line(
                balance_words.balance_part(name, self._who(name), self._mistakes[name.startswith("own")]),
                wording.signed_share(chances[name]),
                self._points(points[name]),
            )
            for name in chances
            if name == "luck" or chances[name] or points[name]
        ]
        ends = [
            (wording.percent(chance), self._points(lead))
            for chance, lead in zip(
                self._ends("chances"),
                self._ends("points") if self.has_points else (0.0, 0.0),
                strict=True,
            )
        ]
        first, last = (
            Line(label, f"{chance}\N{NO-BREAK SPACE}%", lead)
            for label, (chance, lead) in zip((_("Before the deal"), _("The result")), ends, strict=True)
        )
        return [first, *lines, last]

    def _who(self, name: str) -> str:
        return self.side_name if name.startswith("own") else self._others_name

    def _points(self, figure: float) -> str:
        return balance_words.signed_points(figure) if self.has_points else ""

    @property
    def steps(self) -> list[StepLine]:
        """Return the steps in tenths of a per cent; in each the chance before, luck and play make the one after."""
        if not self.has_points or not self.is_complete:
            return []
        value = before = self._ends("chances")[0]
        before = round(before, 3)
        lines = []
        for step in self._steps:
            luck, play = (step[part]["chances"][self.side] for part in ("luck", "play"))
            value += luck + play
            after, play = round(value, 3), round(play, 3)
            lines.append(
                StepLine(
                    step["number"],
                    self._step_label(step),
                    balance_words.signed_tenths(after - before - play),
                    balance_words.signed_tenths(play),
                    wording.percent(after, 1),
                )
            )
            before = after
        return lines

    def _step_label(self, step: dict[str, Any]) -> str:
        """Return who moved, and what; "" for a deal."""
        if step["seat"] is None:
            return ""
        name = self.names[step["seat"]] or _("you")
        move = self._moves.get(step["number"], "").partition("@")[0]
        return f"{name} {move}" if "-" in move else name

    @cached_property
    def _moves(self) -> dict[int, str]:
        return {} if self.result is None else {row["number"]: row["move"] for row in self.result["decisions"]}

    @property
    def chances(self) -> list[tuple[int, float]]:
        """Return move numbers and the chance of the side: after each step, in an old analysis at each decision."""
        if not self.has_points:
            return self._graded_chances
        value, found = self._ends("chances")[0], []
        for step in self._steps:
            value += step["luck"]["chances"][self.side] + step["play"]["chances"][self.side]
            found.append((step["number"], value))
        return found

    @property
    def _graded_chances(self) -> list[tuple[int, float]]:
        """Return the chance at each decision as its seat could know it; of two sides, also at the other's."""
        if self.result is None:
            return []
        return [
            (row["number"], row["chance"] if row["seat"] in self.sides[self.side] else 1 - row["chance"])
            for row in self.result["decisions"]
            if row["tried"] and (len(self.sides) == 2 or row["seat"] in self.sides[self.side])
        ]

    @property
    def losses(self) -> list[Loss]:
        if self.result is None:
            return []
        losses = []
        for seat, name in enumerate(self.names):
            lost = [row["loss"] for row in self.result["decisions"] if row["seat"] == seat]
            if len(lost) >= MIN_DECISIONS:
                mean = wording.percent(self.result["skill"][seat], 1)
                error = wording.percent(stdev(lost) / sqrt(len(lost)), 1)
                losses.append(Loss(name or _("you"), mean, error, len(lost)))
        return losses

    @property
    def too_few(self) -> list[str]:
        """Return a sentence for each seat with too few decisions for a mean."""
        if self.result is None:
            return []
        decided = Counter(row["seat"] for row in self.result["decisions"])
        return [
            wording.too_few_decisions(name, decided[seat])
            for seat, name in enumerate(self.names)
            if 0 < decided[seat] < MIN_DECISIONS
        ]


def _round_to_sum(figures: Sequence[float], total: int) -> list[int]:
    """Return the figures as whole numbers that add up to `total`, each the one below or above.

    Those with the largest remainders are rounded up; a figure that is 0 stays 0 where that is possible.

    >>> _round_to_sum([0.4, 0.4, 1.2], 2)
    [1, 0, 1]
    """
    whole = [floor(figure) for figure in figures]
    by_remainder = sorted(range(len(figures)), key=lambda n: whole[n] - figures[n])
    for place in by_remainder[: total - sum(whole)]:
        whole[place] += 1
    return whole
