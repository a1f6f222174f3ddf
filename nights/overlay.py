"""A table of a night as a stream shows it, some seconds late: who sat there, and the result that held then.

What is played on phones is the overlay of its match (`games.past.overlay`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from zlib import crc32

from django.db.models import Q
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.drawing import name_tile
from games.drawing.marks import mark
from games.drawing.tiles import draw_symbols
from games.models import Match, Seat
from nights import wording
from nights.models import DrawnRound, Entry, Night, NightTable, SentResult
from nights.phones import get_rules, order_seats


class Person(NamedTuple):
    mark: SafeString
    tile: SafeString
    name: str


class TableOverlay(NamedTuple):
    """What a stream shows of a table without a match. `halves` is () while nobody plays there.

    game    the night's name, as the page's title
    points  the result, with each side's mark
    """

    game: str
    title: str = ""
    place: str = ""
    sentence: str = ""
    points: tuple[tuple[SafeString, str], ...] = ()
    halves: tuple[tuple[Person, ...], ...] = ()
    symbols: SafeString = SafeString("")

    @property
    def stamp(self) -> str:
        return str(crc32(repr(self).encode()))


class PastTable(NamedTuple):
    """A table of a round as it was at a moment: who sat there by side, and its match if one had begun."""

    row: NightTable
    sides: tuple[tuple[int, ...], ...]
    match: Match | None


def find_round(night: Night, moment: datetime) -> DrawnRound | None:
    """Return the round of this moment: the last one drawn then and not undone yet."""
    rows = night.drawn_rounds.filter(drawn_at__lte=moment)
    return rows.filter(Q(undone_at=None) | Q(undone_at__gt=moment)).order_by("-key_number").first()


def find_table(drawn: DrawnRound, number: int, moment: datetime) -> PastTable | None:
    """Return a table as it was. Swaps of later are taken back."""
    row = drawn.tables.filter(number=number).first()
    if row is None:
        return None
    acts = drawn.night.acts.filter(kind__in=("swap", "helper_for"), at__gte=drawn.drawn_at, at__gt=moment)
    until = drawn.undone_at or drawn.closed_at
    later = acts.filter(at__lte=until).count() if until else acts.count()
    sides = [list(side) for side in row.sides]
    for one, other in reversed(drawn.moved[len(drawn.moved) - later :] if later else []):
        renamed = {one: other, other: one}
        sides = [[renamed.get(each, each) for each in side] for side in sides]
    codes = [code for code in (row.match_code, row.waiting_code) if code]
    match = Match.objects.filter(code__in=codes, started_at__lte=moment).first()
    return PastTable(row, tuple(map(tuple, sides)), match)


def name_seats(night: Night, table: PastTable, match: Match) -> list[str]:
    """Return by which names the night knows those who play a match: by seat, computers by their own."""
    names = _read_names(night)
    seats = match.seats.select_related("user").order_by("position")
    return [
        seat.display_name if seat.kind == Seat.Kind.COMPUTER else names[number]
        for seat, number in zip(seats, order_seats(table.sides), strict=True)
    ]


def build_table(night: Night, number: int, moment: datetime) -> TableOverlay:
    """Return a table without a match as it was at `moment`, or what came next then."""
    drawn = find_round(night, moment)
    is_over = night.over_at is not None and night.over_at <= moment
    if is_over or drawn is None or (drawn.closed_at is not None and drawn.closed_at <= moment):
        return TableOverlay(
            night.name, sentence=_say_next(night, drawn, moment), symbols=_draw_symbols(night)
        )
    table = find_table(drawn, number, moment)
    if table is None:
        sentence = _("No table %(n)d in this round") % {"n": number}
        return TableOverlay(night.name, sentence=sentence, symbols=_draw_symbols(night))
    people = _build_people(_read_names(night), table.sides)
    middle = (len(people) + 1) // 2
    return TableOverlay(
        game=night.name,
        title=_("Table %(n)s") % {"n": number},
        place=_("Round %(round)d, table %(table)d") % {"round": drawn.number, "table": number},
        sentence=_("Round %(n)d of %(all)d") % {"n": drawn.number, "all": night.rounds},
        points=_find_points(table, moment),
        halves=(tuple(people[:middle]), tuple(people[middle:])),
        symbols=_draw_symbols(night),
    )


def _read_names(night: Night) -> dict[int, str]:
    return dict(night.entries.values_list("number", "name"))


def _draw_symbols(night: Night) -> SafeString:
    """Return the tiles that a match will need which begins while the page is open."""
    return SafeString("") if night.is_wood else draw_symbols(get_rules(night).set)


def _build_people(names: Mapping[int, str], sides: Sequence[Sequence[int]]) -> list[Person]:
    return [
        Person(mark(position), name_tile(names[number]), names[number])
        for position, side in enumerate(sides)
        for number in side
    ]


def _say_next(night: Night, drawn: DrawnRound | None, moment: datetime) -> str:
    if night.over_at is not None and night.over_at <= moment:
        is_cancelled = night.status == Night.Status.CANCELLED
        return _("This night was cancelled") if is_cancelled else _("The night is over")
    if drawn is None and moment < night.starts_at:
        return _("Begins %(start)s") % {"start": wording.format_start(night)}
    number = drawn.number + 1 if drawn else 1
    if number > night.rounds:
        return _("All rounds are played")
    return _("Round %(n)d is drawn soon") % {"n": number}


def _find_points(table: PastTable, moment: datetime) -> tuple[tuple[SafeString, str], ...]:
    """Return the result of a real table that held at `moment`; () without one, and while somebody is absent."""
    sent = SentResult.objects.filter(table=table.row, confirmed_at__lte=moment)
    last = sent.order_by("confirmed_at", "pk").last()
    if last is None or last.confirmed_at is None:
        return ()
    seated = [number for side in table.sides for number in side]
    names = Entry.objects.filter(night=table.row.drawn_round.night, number__in=seated).values("name")
    absences = table.row.drawn_round.night.acts.filter(kind="absent", about__in=names, at__lte=moment)
    if len(table.sides) == 2 and absences.filter(at__gt=last.confirmed_at).exists():
        return ()
    return tuple((mark(side), wording.format_points([points])) for side, points in enumerate(last.points))
