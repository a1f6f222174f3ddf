"""The tables of a round as pages show them: who sits there, what is entered, and what is missing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from django.urls import reverse
from django.utils.translation import gettext as _

from games.drawing.marks import mark
from nights import wording
from nights.codes import table_code
from nights.loaded import LoadedNight
from nights.models import DrawnRound, Night, NightTable, SentResult
from nights.rows import SideRow, TableRow, Version
from nights.services.results import find_beside, find_holding, find_standing
from nights.standings import find_leavers, find_winners


def build_tables(loaded: LoadedNight, drawn: DrawnRound, *, is_director: bool) -> tuple[TableRow, ...]:
    """Return the tables of a round; only a director sees who has sent what."""
    tables = list(drawn.tables.all())
    sent = _read_sent(tables) if is_director else {}
    leavers = find_leavers(tables)
    return tuple(
        _build_table(
            loaded,
            drawn,
            table,
            sent.get(table.pk, ()),
            leavers.get(table.match_code, frozenset()),
            is_director,
        )
        for table in tables
    )


def _read_sent(tables: Sequence[NightTable]) -> dict[int, list[SentResult]]:
    rows = SentResult.objects.filter(table__in=tables).select_related("entry", "director").order_by("pk")
    found: dict[int, list[SentResult]] = {}
    for row in rows:
        found.setdefault(row.table_id, []).append(row)
    return found


def _build_table(
    loaded: LoadedNight,
    drawn: DrawnRound,
    table: NightTable,
    sent: Sequence[SentResult],
    leavers: Collection[int],
    is_director: bool,
) -> TableRow:
    night = loaded.night
    left = [number for number in table.replaced if number in leavers]
    winners = find_winners(night, table)
    sides = tuple(
        SideRow(
            mark(position),
            tuple(loaded.entries[number].name for number in side),
            wording.name_side(loaded, side),
            position in winners,
        )
        for position, side in enumerate(table.sides)
    )
    holding = find_holding(table, sent)
    versions = find_versions(table, sent)
    may_enter = is_director and night.is_wood
    return TableRow(
        table.number,
        table.version,
        sides,
        wording.describe_result(table) if table.status in ("entered", *NightTable.DECIDED) else "",
        table.status,
        describe_sender(night, holding) if holding else "",
        tuple(_build_version(night, each) for each in versions),
        find_enter_address(night, table.number, drawn if drawn != loaded.last else None) if may_enter else "",
        bool(versions) and table.status != NightTable.Status.DISPUTED,
        f"round={drawn.number}&table={table.number}&table_version={table.version}",
        reverse("match", args=[table.match_code]) if table.match_code else "",
        wording.name_side(loaded, [number for number in table.replaced if number not in left]),
        wording.name_side(loaded, left),
    )


def find_versions(table: NightTable, sent: Sequence[SentResult]) -> list[SentResult]:
    """Return the results among which a director may choose: those in dispute, and those that are kept beside."""
    if table.status == NightTable.Status.DISPUTED:
        return find_standing(table.sides, sent)
    beside, holding = find_beside(table, sent), find_holding(table, sent)
    return [holding, *beside] if beside and holding else beside


def name_places(places: Iterable[tuple[int, int]]) -> str:
    """Return *round 1, table 3; round 2, table 5*."""
    return "; ".join(
        _("round %(round)d, table %(table)d") % {"round": number, "table": table} for number, table in places
    )


def find_late(drawn: Iterable[DrawnRound]) -> list[tuple[int, int]]:
    """Return the tables at which a result came late and waits for a director: the round's number and its own."""
    places = {table.pk: (each.number, table) for each in drawn for table in each.tables.all()}
    sent = _read_sent([table for _number, table in places.values()])
    return [
        (number, table.number)
        for pk, (number, table) in places.items()
        if find_beside(table, sent.get(pk, ()))
    ]


def _build_version(night: Night, sent: SentResult) -> Version:
    value = ",".join(map(str, sent.points))
    return Version(
        tuple(sent.points), value, wording.format_points(sent.points), describe_sender(night, sent)
    )


def describe_sender(night: Night, sent: SentResult) -> str:
    """Return *Ramón Peña, 05:14*."""
    name = sent.entry.name if sent.entry else sent.director.username if sent.director else _("the table")
    return f"{name}, {wording.format_hour(night, sent.sent_at)}"


def find_enter_address(night: Night, table: int, drawn: DrawnRound | None = None) -> str:
    """Return where the result of a table is entered, by default that of the present round."""
    address = reverse("night-table", args=[night.code, table, table_code(night, table)])
    return f"{address}?round={drawn.number}" if drawn else address


def describe_missing(night: Night, tables: Iterable[NightTable]) -> str:
    """Return *Not entered: 3. Not confirmed: 4, 5. In dispute: 6.*"""
    numbers: dict[str, list[int]] = {}
    for table in tables:
        numbers.setdefault(table.status, []).append(table.number)
    sentences = (
        (
            NightTable.Status.PLAYING,
            _("Not entered: %(tables)s.") if night.is_wood else _("Missing: %(tables)s."),
        ),
        (NightTable.Status.ENTERED, _("Not confirmed: %(tables)s.")),
        (NightTable.Status.DISPUTED, _("In dispute: %(tables)s.")),
    )
    return " ".join(
        text % {"tables": ", ".join(map(str, numbers[status]))}
        for status, text in sentences
        if status in numbers
    )


def describe_entered(night: Night, table: NightTable, sent: Sequence[SentResult]) -> list[str]:
    """Return what a sheet says of the results that were sent before: each with who and when."""
    holding = find_holding(table, sent)
    shown = [holding] if holding else find_versions(table, sent)
    words = {
        NightTable.Status.CONFIRMED: _("Confirmed: %(result)s (%(sender)s)."),
        NightTable.Status.DISPUTED: _("In dispute: %(result)s (%(sender)s)."),
        NightTable.Status.ENTERED: _("Entered, not confirmed yet: %(result)s (%(sender)s)."),
    }
    text = words.get(NightTable.Status(table.status), _("Kept for the directors: %(result)s (%(sender)s)."))
    return [
        text % {"result": wording.format_points(each.points), "sender": name_sender(night, each)}
        for each in shown
    ]


def name_sender(night: Night, sent: SentResult) -> str:
    """Return who sent a result, without the name of a director's account: for people of the table."""
    if sent.director_id is None:
        return describe_sender(night, sent)
    hour = wording.format_hour(night, sent.sent_at)
    return _("whoever runs the night, %(hour)s") % {"hour": hour}
