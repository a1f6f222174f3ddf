"""The big screen of a hall: tables with names, and standings, a few at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from boneyard.engine.perspective import perspective
from core.numbers import format_points
from games.drawing.line import draw_cropped
from games.models import Match
from games.repository import get_value
from games.seats import seats_with_users
from games.table.news import describe_line
from nights import wording
from nights.models import Night
from nights.pages import NightPage, SideRow, StandingRow, TableRow

TABLES_PER_TURN = 6
BOARDS_PER_TURN = 2
ROWS_PER_TURN = 24

Item = TypeVar("Item")


class WallBoard(NamedTuple):
    """A table on phones as spectators see it: the line of play, and the sides with their points."""

    number: int
    line: SafeString
    words: str
    sides: tuple[tuple[SideRow, str], ...]


@dataclass(frozen=True)
class WallPage:
    page: NightPage

    @property
    def headline(self) -> str:
        loaded, night = self.page.loaded, self.page.night
        if loaded.is_round_open and not loaded.is_over:
            return _("Round %(n)d of %(all)d") % {"n": self.page.round_number, "all": night.rounds}
        return night.name

    @property
    def table_turns(self) -> list[Sequence[TableRow]]:
        """Return the tables of the open round, as many as fit at once."""
        if not self.page.loaded.is_round_open or self.page.loaded.is_over:
            return []
        return _split(self.page.tables, TABLES_PER_TURN)

    @property
    def board_turns(self) -> list[Sequence[WallBoard]]:
        """Return the boards of the matches that are being played, two at a time."""
        loaded = self.page.loaded
        if loaded.night.is_wood or not loaded.is_round_open or loaded.is_over:
            return []
        codes = {table.match_code: table for table in self.page.tables_of_matches}
        rows = Match.objects.filter(code__in=codes, status=Match.Status.PLAYING)
        by_code = {row.code: row for row in rows.prefetch_related(seats_with_users())}
        sides = {row.number: row.sides for row in self.page.tables}
        boards = [
            _build_board(by_code[code], table.number, sides[table.number])
            for code, table in codes.items()
            if code in by_code
        ]
        return _split(boards, BOARDS_PER_TURN)

    @property
    def standing_turns(self) -> list[Sequence[StandingRow]]:
        return _split(self.page.standings, ROWS_PER_TURN)

    @property
    def is_empty(self) -> bool:
        return not self.table_turns and not self.standing_turns

    @property
    def names(self) -> list[str]:
        """Return who is on the list, before the first draw."""
        return [entry.name for entry in self.page.loaded.people]

    @property
    def bell(self) -> str:
        return wording.describe_bell(self.page.night)

    @property
    def may_join(self) -> bool:
        return self.page.night.status in (Night.Status.OPEN, Night.Status.PLAYING)


def _build_board(match: Match, number: int, sides: Sequence[SideRow]) -> WallBoard:
    view = perspective(get_value(match), None)
    line = mark_safe(draw_cropped(view).art("mini"))  # noqa: S308  of numbers and tiles
    scores = map(format_points, view.scores)
    return WallBoard(number, line, describe_line(view), tuple(zip(sides, scores, strict=True)))


def _split(items: Sequence[Item], size: int) -> list[Sequence[Item]]:
    return [items[start : start + size] for start in range(0, len(items), size)]
