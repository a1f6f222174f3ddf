"""Summarise an analysed match for one side: luck, play, and the mean loss of each seat."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import stdev
from typing import Any, NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import wording as games_wording
from games.models import Match
from study import drawing, wording

MIN_DECISIONS = 10  # for a mean loss


class Share(NamedTuple):
    """Luck or play of the side, as text and as a bar."""

    figure: str
    bar: SafeString


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
    def headline(self) -> str:
        """Return how the match was won or lost, or who ended it early."""
        if self.match.result_how != "target":
            is_own = any(not self.names[seat] for seat in self.sides[self.side])
            has_won = self.side in (self.match.winners or ())
            return (
                wording.own_victory(self.match.ending) if is_own and has_won else ""
            ) or self.match.outcome
        luck, play = self._figures
        won = None if not self.match.winners else self.side in self.match.winners
        return wording.headline(won, luck, play)

    @property
    def _figures(self) -> tuple[float | None, float | None]:
        if self.result is None:
            return None, None
        luck, play = self.result["luck"], self.result["play"]
        return luck[self.side] if luck else None, play[self.side] if play else None

    @property
    def luck(self) -> Share | None:
        return self._share(self._figures[0])

    @property
    def play(self) -> Share | None:
        return self._share(self._figures[1])

    def _share(self, figure: float | None) -> Share | None:
        if figure is None:
            return None
        limit = max(0.5, *(abs(each) for each in self._figures if each is not None))
        return Share(wording.signed_share(figure), drawing.draw_bar(figure, limit))

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
