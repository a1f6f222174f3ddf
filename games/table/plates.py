"""The plates around the table: who sits where, what they did last, how many tiles they hold, their clocks."""

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import presence
from games.clocks import clock_face, deadline_of, remaining
from games.drawing.marks import mark, suits_marked
from games.drawing.tiles import unbroken
from games.engine.perspective import View
from games.engine.presets import PRESETS
from games.engine.tiles import NAMES
from games.models import Match, Seat
from games.table.move_log import MoveLine
from games.wording import Figure, level_name, remembered, strength

BACKS = (
    7 * "<i></i>"
)  # drawn at most; the style sheet shows as many as are held, and their number beside them
LOW = 60  # seconds
CORNERS = ("plate-0", "plate-1", "plate-2", "plate-3")


class Plate(NamedTuple):
    """One seat as it is shown.

    corner    0 to 3, clockwise from the viewer at the bottom left, see `corner_of`
    figure, level, strength  of a computer: which it is, its level in words and by number from 1; else None, "" and 0
    completion  of a hundred rated matches before this one, how many were played to the end; None before the first
    net       on, away, or "" for a computer
    net_word  the same in a word
    fact      the latest thing about the seat, marked up
    lacks     the suits it has shown not to hold, in words
    seconds   left on its clock, or None; `deadline` only while it runs

    While the end of a round is shown (`scene`), the fact is still of that round; tiles and lacks are of the next one,
    and the page hides them.
    """

    seat: int
    corner: int
    mine: bool
    partner: bool
    name: str
    url: str
    mark: SafeString
    rating: int | None
    kind: str
    figure: Figure | None
    level: str
    strength: int
    completion: int | None
    net: str
    net_word: str
    fact: SafeString | str
    on_turn: bool
    tiles: int
    lacks: str
    seconds: float | None
    deadline: datetime | None

    @property
    def classes(self) -> str:
        return f"seat {CORNERS[self.corner]}{' mine' if self.mine else ''}"

    @property
    def initial(self) -> str:
        return self.name[:1].upper()

    @property
    def icon(self) -> str:
        return self.figure.icon if self.figure else ""

    @property
    def clock(self) -> str:
        return clock_face(self.seconds or 0)

    @property
    def low(self) -> bool:
        return self.seconds is not None and self.seconds < LOW


def corner_of(preset: str | None, seat: int, viewer: int, seats: int) -> int:
    """Where a seat is drawn: the next to play on the viewer's left, or on the right in games that go that way."""
    turned = preset is not None and PRESETS[preset].play == "counterclockwise"
    return (viewer - seat if turned else seat - viewer) % seats


class Plates:
    """The plates of one match for one viewer at one moment."""

    def __init__(
        self,
        match: Match,
        view: View,
        seats: Sequence[Seat],
        latest: Sequence[MoveLine | None],
        here: presence.Presence,
        now: datetime,
        steady: bool = False,
    ) -> None:
        self.match, self.view, self.seats = match, view, seats
        self.latest, self.here, self.now = latest, here, now
        self.clocks_at = match.turn_began_at if steady else now

    @cached_property
    def all(self) -> tuple[Plate, ...]:
        """The viewer's own comes last, being nearest to the hand."""
        me = self.view.seat or 0
        order = [(me + step) % len(self.seats) for step in range(1, len(self.seats) + 1)]
        return tuple(
            self._plate(self.seats[seat], corner_of(self.match.preset, seat, me, len(self.seats)))
            for seat in order
        )

    def _plate(self, row: Seat, corner: int) -> Plate:
        view, seat = self.view, row.position
        net, net_word = self._net(row)
        on_turn = view.turn == seat
        return Plate(
            seat=seat,
            corner=corner,
            mine=view.seat == seat,
            partner=_are_partners(view, seat),
            name=row.shown_name,
            url=_profile(row, self.match),
            mark=mark(view.terms.side_of[seat]),
            rating=None if row.taken_over else row.shown_rating,
            kind=_kind(row),
            figure=row.cast,
            level=_("computer, %(level)s") % {"level": level_name(row.level)} if row.cast else "",
            strength=strength(row.level) if row.cast else 0,
            completion=None if row.taken_over else row.completion,
            net=net,
            net_word=net_word,
            fact=self._fact(row, on_turn),
            on_turn=on_turn,
            tiles=view.tiles[seat],
            lacks=_lacks(view.lacks[seat]),
            seconds=remaining(self.match, row, view.turn, view, self.clocks_at),
            deadline=deadline_of(self.match, self.seats, view.turn, view) if on_turn else None,
        )

    def _net(self, row: Seat) -> tuple[str, str]:
        if row.computer:
            return "", ""
        return _connected(row.position in self.here.seats)

    def _fact(self, row: Seat, on_turn: bool) -> SafeString | str:
        line = self.latest[row.position]
        if row.position in self.view.gone or row.position == self.match.leaver:
            return _gone(self.view, row.position)
        if self.view.result is not None:
            return ""
        if on_turn and self.view.seat == row.position:
            return _to_play(you=True)
        if on_turn and (until := self.grace_ends(row)) is not None:
            return self._absent(until, row.position in self.here.absent)
        if on_turn and not _shows_hand(line):
            return _to_play(you=False)
        return did(line)

    def _absent(self, until: datetime, away: bool) -> SafeString | str:
        if until <= self.now:
            return _("away") if away else _("was asked to move")
        words = _("away, %(time)s to come back") if away else _("asked to move, %(time)s left")
        return mark_safe(words % {"time": _time_left(until, self.clocks_at)})  # noqa: S308

    def grace_ends(self, row: Seat) -> datetime | None:
        """From when the others may go on without `row`; None while that player is here or not on turn."""
        if not self.match.playing or self.view.turn != row.position:
            return None
        return presence.grace_ends(self.match, self.seats, row.position, self.view, self.here)


@remembered
def _connected(here: bool) -> tuple[str, str]:
    return ("on", _("connected")) if here else ("away", _("away"))


@remembered
def _to_play(you: bool) -> SafeString:
    return format_html("<b>{}</b>", _("Your turn") if you else _("to play"))


def _gone(view: View, seat: int) -> str:
    """How a seat has left the match."""
    logs = (*(ended.log for ended in view.ended), view.log)
    kinds = {entry.move.kind for log in logs for entry in log if entry.seat == seat}
    if "resign" in kinds:
        return _("resigned")
    return _("out of time") if "time" in kinds else _("has left")


def _are_partners(view: View, seat: int) -> bool:
    """Whether `seat` plays on the viewer's side."""
    mine, side_of = view.seat, view.terms.side_of
    return mine is not None and mine != seat and side_of[mine] == side_of[seat]


def _profile(row: Seat, match: Match) -> str:
    """The profile, whose menu then knows which match a report is about."""
    if row.user is None or not row.user.is_active:
        return ""
    return _profile_of(row.user.username, match.code)


@lru_cache(4096)
def _profile_of(username: str, code: str) -> str:
    return reverse("profile", args=[username], query={"match": code})


def _kind(row: Seat) -> str:
    if row.taken_over:
        return _("computer")
    return _("guest") if row.kind == Seat.Kind.GUEST else ""


def _time_left(until: datetime, at: datetime) -> SafeString:
    seconds = max(10, (until - at).total_seconds())
    return format_html('<time data-until="{}">{}</time>', until.isoformat(), clock_face(seconds))


@remembered
def did(line: MoveLine | None) -> SafeString | str:
    """The latest line of a seat: what it drew or passed on, else what it played."""
    if line is None:
        return ""
    return _showed(line) if _shows_hand(line) else _played(line)


def _shows_hand(line: MoveLine | None) -> bool:
    return line is not None and (line.drew > 0 or (line.move is not None and line.move.kind == "pass"))


def _showed(line: MoveLine) -> SafeString:
    """drew 3 on 6·5·0; passed on 5·4·0."""
    if line.move is not None and line.move.kind == "pass":
        text = _("passed on %(suits)s") if line.lacked else _("passed")
    else:
        text = _("drew %(n)d on %(suits)s") if line.lacked else _("drew %(n)d")
    return mark_safe(text % {"n": line.drew, "suits": suits_marked(line.lacked)})  # noqa: S308 - our own words and numbers


def _played(line: MoveLine) -> SafeString | str:
    if line.move is None or line.move.kind != "play":
        return ""
    tiles = ", ".join(NAMES[tile] for tile, _end in line.move.plays)
    if line.matched[0] is None:
        return unbroken(_("led %(tile)s") % {"tile": tiles})
    return unbroken(_("played %(tiles)s") % {"tiles": tiles})


@remembered
def _lacks(suits: frozenset[int]) -> str:
    if not suits:
        return ""
    return _("holds no %(suits)s") % {"suits": ", ".join(map(str, sorted(suits, reverse=True)))}


@remembered
def tiles_in_words(tiles: int) -> str:
    return ngettext("%(n)d tile", "%(n)d tiles", tiles) % {"n": tiles}
