"""The big screen of a hall: tables with names, and standings, a few at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import NamedTuple, TypeVar

from django.utils import timezone
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
from nights.models import NightTable
from nights.pages import NightPage
from nights.rows import SideRow, StandingRow, TableRow

TABLES_PER_TURN = 6
BOARDS_PER_TURN = 2
ROWS_PER_TURN = 24
SEATING_PERIOD = timedelta(minutes=4)  # after a draw, in which people look for their tables
COUNTED_PERIOD = timedelta(hours=24)  # before the start
WIDE_NAME_LENGTH = 11  # longer names are shortened on a table's plate
LARGE_NAME_LENGTH = 9  # where one is longer all are written smaller

Item = TypeVar("Item")


class WallTable(NamedTuple):
    """`sides`: mark, names, and points once they are confirmed; `has_two_names`: one name on each of two sides."""

    number: int
    status: str
    sides: tuple[tuple[SafeString, tuple[str, ...], str], ...]
    has_two_names: bool


class Turn(NamedTuple):
    """What is shown at once; `caption` says which part of all."""

    items: Sequence[WallTable] | Sequence[StandingRow]
    caption: str
    has_long_names: bool = False

    @property
    def has_one_more(self) -> bool:
        return len(self.items) > ROWS_PER_TURN


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
    def begins_at(self) -> datetime | None:
        """Return when the night begins, while that is soon and nothing is drawn."""
        night, loaded = self.page.night, self.page.loaded
        left = night.starts_at - timezone.now()
        is_soon = timedelta(0) < left < COUNTED_PERIOD
        return night.starts_at if is_soon and loaded.last is None and not loaded.is_over else None

    @property
    def begins_hour(self) -> str:
        return wording.format_hour(self.page.night, self.page.night.starts_at)

    @property
    def draw_words(self) -> str:
        return _("Round %(n)d is drawn soon") % {"n": self.page.loaded.next_round}

    @property
    def about(self) -> str:
        """Return what stands beside the headline where no time is counted."""
        loaded, night = self.page.loaded, self.page.night
        if loaded.is_over or (loaded.last and not loaded.missing):
            return self.page.now_line
        if loaded.last:
            return self.page.round_words
        return self.draw_words if night.starts_at <= timezone.now() else self.page.start

    @property
    def seats_until(self) -> datetime | None:
        """Return until when only tables take turns: not once every result is in."""
        last = self.page.loaded.last
        return last.drawn_at + SEATING_PERIOD if last and self.page.loaded.missing else None

    @property
    def table_turns(self) -> list[Turn]:
        """Return the tables of the open round, as many as fit at once."""
        if not self.page.loaded.is_round_open or self.page.loaded.is_over:
            return []
        turns = _split([self._build_table(table) for table in self.page.tables], TABLES_PER_TURN)
        all = len(self.page.tables)
        return [
            Turn(
                tables,
                _("Tables %(first)d to %(last)d of %(all)d")
                % {"first": tables[0].number, "last": tables[-1].number, "all": all},
                any(len(name) > LARGE_NAME_LENGTH for name in _names_of(tables)),
            )
            for tables in turns
        ]

    def _build_table(self, table: TableRow) -> WallTable:
        all_points = self._find_points(table)
        short_names = self._shorter_names if any(all_points) else self._short_names
        sides = tuple(
            (side.mark, tuple(short_names.get(name, name) for name in side.names), points)
            for side, points in zip(table.sides, all_points, strict=True)
        )
        has_two_names = len(sides) == 2 and all(len(names) == 1 for _mark, names, _points in sides)
        return WallTable(table.number, table.status, sides, has_two_names)

    def _find_points(self, table: TableRow) -> tuple[str, ...]:
        """Return the points of each side of a table whose result is confirmed; "" for each of another."""
        row = next(row for row in self.page.loaded.tables if row.number == table.number)
        if row.status != NightTable.Status.CONFIRMED or not row.points:
            return ("",) * len(table.sides)
        return tuple(map(format_points, row.points))

    @cached_property
    def _short_names(self) -> dict[str, str]:
        return self._shorten_names(WIDE_NAME_LENGTH)

    @cached_property
    def _shorter_names(self) -> dict[str, str]:
        """Return the names for plates on which points stand, too."""
        return self._shorten_names(LARGE_NAME_LENGTH)

    def _shorten_names(self, length: int) -> dict[str, str]:
        """Return *Beatriz G.* for *Beatriz González*, where nobody else is so called; never of pairs."""
        if self.page.night.form.people_an_entry > 1:
            return {}
        names = [entry.name for entry in self.page.loaded.entries.values()]
        short = {name: _shorten(name, length) for name in names}
        used = Counter(short.values())
        return {name: text for name, text in short.items() if used[text] == 1}

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
    def standing_turns(self) -> list[Turn]:
        """Return the standings; a last row that would stand alone joins those before."""
        parts = _split(self.page.standings, ROWS_PER_TURN)
        if len(parts) > 1 and len(parts[-1]) == 1:
            parts = [*parts[:-2], [*parts[-2], *parts[-1]]]
        all = len(self.page.standings)
        return [
            Turn(
                part,
                _("Places %(first)d to %(last)d of %(all)d")
                % {"first": place * ROWS_PER_TURN + 1, "last": place * ROWS_PER_TURN + len(part), "all": all},
            )
            for place, part in enumerate(parts)
        ]

    @property
    def is_empty(self) -> bool:
        return not self.table_turns and not self.standing_turns

    @property
    def bell(self) -> str:
        return wording.describe_bell(self.page.night)


def _shorten(name: str, length: int) -> str:
    words = name.split()
    if len(name) <= length or len(words) < 2:
        return name
    return f"{words[0]} {words[-1][0]}."


def _names_of(tables: Sequence[WallTable]) -> list[str]:
    return [name for table in tables for _mark, names, _points in table.sides for name in names]


def _build_board(match: Match, number: int, sides: Sequence[SideRow]) -> WallBoard:
    view = perspective(get_value(match), None)
    line = mark_safe(draw_cropped(view).art("mini"))  # noqa: S308  of numbers and tiles
    scores = map(format_points, view.scores)
    return WallBoard(number, line, describe_line(view), tuple(zip(sides, scores, strict=True)))


def _split(items: Sequence[Item], size: int) -> list[Sequence[Item]]:
    return [items[start : start + size] for start in range(0, len(items), size)]
