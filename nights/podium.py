"""The first places of a night that is over, for pages, for the picture to share and for its words."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import ngettext, npgettext

from nights.pages import NightPage
from nights.rows import StandingRow


@dataclass(frozen=True)
class Podium:
    page: NightPage

    @property
    def steps(self) -> list[tuple[int, list[StandingRow]]]:
        """Return each place with all who share it."""
        return [(place, list(rows)) for place, rows in groupby(self.page.podium, key=lambda row: row.place)]

    @property
    def words(self) -> str:
        """Return *Friday pairs: 1. Ana, 2. Luis, 3. Rosa*."""
        return f"{self.page.night.name}: {', '.join(f'{row.place}. {row.name}' for row in self.page.podium)}"

    @property
    def lines(self) -> list[str]:
        """Return when it was and the game; how many people and how many rounds were played."""
        people, rounds = len(self.page.standings), len(self.page.loaded.rounds)
        return [
            f"{self.page.start}  ·  {self.page.game}",
            ngettext("%(n)d person", "%(n)d people", people) % {"n": people}
            + "  ·  "
            + npgettext("a night", "%(n)d round", "%(n)d rounds", rounds) % {"n": rounds},
        ]
