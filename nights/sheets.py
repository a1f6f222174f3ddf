"""What is printed: a sheet for each table, and a slip with the personal link for each person."""

from __future__ import annotations

from typing import NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from nights.codes import draw_code
from nights.models import Entry
from nights.pages import NightPage
from nights.rows import SideRow
from nights.sheet_kinds import find_kind, list_doubles

ROWS_WITH_TARGET = 12  # of a sheet where a round has no number of hands
EMPTY_SHEETS = 12  # at most, before the first draw


class Sheet(NamedTuple):
    """`sides` is empty before the first draw: the sheet then has lines to write on."""

    number: int
    sides: tuple[SideRow, ...]
    rows: tuple[str, ...]
    code: SafeString
    address: str


class Slip(NamedTuple):
    name: str
    number: int
    code: SafeString
    address: str


def build_sheets(page: NightPage, site: str) -> list[Sheet]:
    """Return a sheet for each table of the last round; before it, for each table of the draw to come."""
    number_of_rows = page.night.hands or ROWS_WITH_TARGET
    doubles = list_doubles(find_kind(page.night.preset), number_of_rows)
    rows = tuple(doubles or map(str, range(1, number_of_rows + 1)))
    sides = {table.number: table.sides for table in page.tables}
    if not sides:
        tables, _out = page.loaded.count_seats()
        sides = {number: () for number in range(1, min(tables, EMPTY_SHEETS) + 1)}
    sheets = []
    for number, rows_of_sides in sides.items():
        address = f"{site}{page.enter_address(number)}"
        name = _("Table %(n)d: enter its result") % {"n": number}
        sheets.append(Sheet(number, rows_of_sides, rows, draw_code(address, name), address))
    return sheets


def build_slips(page: NightPage, site: str) -> list[Slip]:
    return [_build_slip(page, entry, site) for entry in page.loaded.entries.values()]


def _build_slip(page: NightPage, entry: Entry, site: str) -> Slip:
    address = f"{site}{reverse('night-me', args=[page.night.code, entry.secret])}"
    code = draw_code(address, _("The own page of %(name)s") % {"name": entry.name})
    return Slip(entry.name, entry.number, code, address)
