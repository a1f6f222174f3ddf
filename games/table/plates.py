"""The plates around the table: each seat with its player, last action, number of tiles and clock."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from boneyard.engine.moves import MUGGINS
from boneyard.engine.perspective import View
from boneyard.engine.presets import PRESETS
from boneyard.engine.tiles import NAMES
from games.drawing.marks import bold_suits, mark
from games.drawing.tiles import keep_figures_together
from games.models import Match, Seat
from games.table.audience import NO_EMOTES, Emote
from games.table.bubbles import Bubble
from games.table.move_log import MoveLine
from games.time.clocks import (
    format_clock,
    get_clock_deadline,
    get_first_turn_end,
    get_vacation_end,
    remaining_seconds,
)
from games.time.outages import get_halt
from games.time.presence import Presence, get_grace_end
from games.wording import cached_by_language, level_name, level_number, ngettext, pgettext
from games.wording import gettext as _

MAX_BACKS = 7
BACKS = MAX_BACKS * "<i></i>"  # the style sheet displays as many as the seat holds, and their number
LOW_TIME_SECONDS = 60
NO_BUBBLES: Mapping[int, Bubble] = {}
CORNERS = ("plate-0", "plate-1", "plate-2", "plate-3")


class Player(NamedTuple):
    """Who sits in a seat, as its plate displays them; no move changes it.

    icon        of a computer's persona, or ""
    level       of a computer, in words; `strength` as a number from 1, or 0
    completion  percentage of earlier rated matches that were played to the end; None before the first
    """

    name: str
    url: str
    rating: int | None
    kind: str
    icon: str
    level: str
    strength: int
    completion: int | None
    avatar: str


class Plate(NamedTuple):
    """One seat as the page displays it.

    corner      0 to 3, clockwise from the viewer at the bottom left, see `corner_of`
    net         "on", "elsewhere" (on the site), "away", or "" for a computer; `net_word` is its translation
    fact        the last thing that the seat did, as HTML; of the viewer's own in the second person
    bubble      what the seat says: a call, a wrong claim, the word that ends a round
    lacks       the suits that it has shown not to hold, in words
    seconds     left on its clock, or None; `deadline` only while it runs

    While the end of a round is displayed (`scene`), `fact` is of that round; `tiles` and `lacks` are of the next one
    and hidden by the page.
    """

    seat: int
    corner: int
    mine: bool
    partner: bool
    player: Player
    mark: SafeString
    net: str
    net_word: str
    fact: SafeString | str
    bubble: Bubble | None
    emote: Emote | None
    on_turn: bool
    tiles: int
    lacks: str
    seconds: float | None
    deadline: datetime | None

    @property
    def classes(self) -> str:
        return f"seat {CORNERS[self.corner]}{' mine' if self.mine else ''}"

    @property
    def clock(self) -> str:
        return format_clock(self.seconds or 0)

    @property
    def low(self) -> bool:
        return self.seconds is not None and self.seconds < LOW_TIME_SECONDS


def corner_of(preset: str | None, seat: int, viewer: int, seats: int) -> int:
    """Return the corner of a seat: the next player sits on the left, in counterclockwise games on the right."""
    is_counterclockwise = preset is not None and PRESETS[preset].play == "counterclockwise"
    return (viewer - seat if is_counterclockwise else seat - viewer) % seats


class Plates:
    """The plates of one match for one viewer at one moment."""

    def __init__(
        self,
        match: Match,
        view: View,
        seats: Sequence[Seat],
        last_lines: Sequence[MoveLine | None],
        presence: Presence,
        now: datetime,
        steady: bool = False,
        bubbles: Mapping[int, Bubble] = NO_BUBBLES,
        emotes: Mapping[int, Emote] = NO_EMOTES,
    ) -> None:
        self.match, self.view, self.seats = match, view, seats
        self.bubbles, self.emotes = bubbles, emotes
        self.last_lines, self.presence, self.now = last_lines, presence, now
        self.halt = get_halt() if match.playing else None
        self.clocks_at = self.halt or (match.turn_began_at if steady else now)
        # When the others may go on without the player on turn; None while they are connected, and during a halt.
        self.grace_end: datetime | None = None
        if view.turn is not None and self.halt is None and view.turn not in presence.just_left:
            self.grace_end = get_grace_end(match, seats, view.turn, view, presence)
        self.vacation_end = get_vacation_end(match, now)

    def build(self) -> tuple[Plate, ...]:
        """Return the plates in order of play, the viewer's own last: it is next to the hand."""
        me, seats = self.view.seat or 0, len(self.seats)
        order = [(me + step) % seats for step in range(1, seats + 1)]
        return tuple(
            [
                self._build_plate(self.seats[each], corner_of(self.match.preset, each, me, seats))
                for each in order
            ]
        )

    def _build_plate(self, row: Seat, corner: int) -> Plate:
        view, seat = self.view, row.position
        net, net_word = self._net(row)
        on_turn = view.turn == seat
        return Plate(
            seat=seat,
            corner=corner,
            mine=view.seat == seat,
            partner=_are_partners(view, seat),
            player=_find_player(row, self.match.code),
            mark=mark(view.terms.side_of[seat]),
            net=net,
            net_word=net_word,
            fact=self._fact(row, on_turn),
            bubble=self.bubbles.get(seat),
            emote=self.emotes.get(seat),
            on_turn=on_turn,
            tiles=view.tiles[seat],
            lacks=_lacks(view.lacks[seat]) if view.lacks[seat] else "",
            seconds=remaining_seconds(self.match, row, view.turn, view, self.clocks_at),
            deadline=get_clock_deadline(self.match, self.seats, view.turn, view)
            if on_turn and self.halt is None and self.vacation_end is None
            else None,
        )

    def _net(self, row: Seat) -> tuple[str, str]:
        if row.computer:
            return "", ""
        seat, presence = row.position, self.presence
        if seat not in presence.seats | presence.just_left:
            return ("", "") if self.match.days else _connection("away")
        return _connection("elsewhere" if seat in presence.elsewhere else "on")

    def _fact(self, row: Seat, on_turn: bool) -> SafeString | str:
        line, mine = self.last_lines[row.position], self.view.seat == row.position
        if row.position in self.view.gone or row.position == self.match.leaver:
            return describe_departure(self.view, row.position, mine)
        if self.view.result is not None:
            return ""
        if on_turn and self.vacation_end is not None:
            return describe_vacation(self.vacation_end, you=mine)
        if on_turn and mine:
            return self._with_first_turn(_to_play(you=True))
        if on_turn and self.grace_end is not None:
            return self._absent(self.grace_end, row.position in self.presence.absent)
        if on_turn and not _is_draw_or_pass(line):
            return self._with_first_turn(_to_play(you=False))
        return describe_last_action(line, mine)

    def _with_first_turn(self, fact: SafeString) -> SafeString:
        """Add the time left in a first turn, during which no clock runs."""
        until = get_first_turn_end(self.match, self.view.turn, self.view)
        if until is None or until <= self.now or self.match.left_at is not None or self.halt is not None:
            return fact
        return format_html("{} {}", fact, _time_left(until, self.clocks_at))

    def _absent(self, until: datetime, away: bool) -> SafeString | str:
        if until <= self.now:
            return _("away") if away else _("was asked to move")
        words = _("away, %(time)s to come back") if away else _("asked to move, %(time)s left")
        return mark_safe(words % {"time": _time_left(until, self.clocks_at)})  # noqa: S308


@cached_by_language
def _connection(state: str) -> tuple[str, str]:
    words = {"on": _("connected"), "elsewhere": _("elsewhere on the site"), "away": _("away")}
    return state, words[state]


@cached_by_language
def _to_play(you: bool) -> SafeString:
    return format_html("<b>{}</b>", _("Your turn") if you else _("to play"))


def describe_vacation(end: datetime, *, you: bool) -> str:
    format_ = "j M" if get_language() == "en" else "j b"  # only English writes months with a capital
    words = _("on vacation until %(date)s") % {"date": date_format(end, format_)}
    return format_html('{}<span class="vacation">, {}</span>', _to_play(you=True), words) if you else words


def describe_departure(view: View, seat: int, mine: bool = False) -> str:
    """Return how a seat has left the match."""
    logs = (*(ended.log for ended in view.ended), view.log)
    kinds = {entry.move.kind for log in logs for entry in log if entry.seat == seat}
    if "resign" in kinds:
        return pgettext("you", "resigned") if mine else _("resigned")
    if "time" in kinds:
        return _("out of time")
    return pgettext("you", "have left") if mine else _("has left")


def _are_partners(view: View, seat: int) -> bool:
    """Return whether `seat` is the viewer's partner."""
    mine, side_of = view.seat, view.terms.side_of
    return mine is not None and mine != seat and side_of[mine] == side_of[seat]


def _find_player(row: Seat, code: str) -> Player:
    """Return who sits in a seat of the match `code`."""
    user, persona = row.user, row.cast if row.kind == Seat.Kind.COMPUTER else None
    username = user.username if user is not None and user.is_active else ""
    is_guest = row.kind == Seat.Kind.GUEST and (user is None or user.is_guest)
    level = row.level if persona else ""
    icon = persona.icon if persona else ""
    name, is_own = row.display_name, not row.taken_over
    rating, completion = (row.displayed_rating, row.completion) if is_own else (None, None)
    return _describe_player(
        code,
        name,
        username,
        icon,
        level,
        row.taken_over,
        is_guest and is_own,
        rating,
        completion,
        row.avatar,
    )


@cached_by_language
def _describe_player(
    code: str,
    name: str,
    username: str,
    icon: str,
    level: str,
    is_taken_over: bool,
    is_guest: bool,
    rating: int | None,
    completion: int | None,
    avatar: str,
) -> Player:
    """Return a player, whose profile's address has the match that a report from there is about."""
    return Player(
        name=name,
        url=reverse("profile", args=[username], query={"match": code}) if username else "",
        rating=rating,
        kind=_("computer") if is_taken_over else _("guest") if is_guest else "",
        icon=icon,
        level=_("computer, %(level)s") % {"level": level_name(level)} if level else "",
        strength=level_number(level) if level else 0,
        completion=completion,
        avatar=avatar,
    )


def _time_left(until: datetime, at: datetime) -> SafeString:
    seconds = max(10, (until - at).total_seconds())
    return format_html('<time data-until="{}">{}</time>', until.isoformat(), format_clock(seconds))


@cached_by_language
def describe_last_action(line: MoveLine | None, mine: bool = False) -> SafeString | str:
    """Return what the seat played, and drew before; or what it is drawing or passed on. *You* if it is `mine`."""
    if line is None:
        return ""
    if line.move is MUGGINS:
        return format_html("{} <b>+{}</b>", _("Muggins!"), line.scored or 0)
    return _describe_draw_or_pass(line, mine) if _is_draw_or_pass(line) else _describe_play(line, mine)


def _is_draw_or_pass(line: MoveLine | None) -> bool:
    """Return whether the line is a pass, or draws that no move has followed yet."""
    if line is None:
        return False
    return line.drew > 0 if line.move is None else line.move.kind == "pass"


def _describe_draw_or_pass(line: MoveLine, mine: bool) -> SafeString:
    """Return *drew 3 on 6·5·0* or *passed on 5·4·0*."""
    if line.move is not None and line.move.kind == "pass":
        on, alone = (
            (pgettext("you", "passed on %(suits)s"), pgettext("you", "passed"))
            if mine
            else (_("passed on %(suits)s"), _("passed"))
        )
    else:
        on, alone = (
            (pgettext("you", "drew %(n)d on %(suits)s"), pgettext("you", "drew %(n)d"))
            if mine
            else (_("drew %(n)d on %(suits)s"), _("drew %(n)d"))
        )
    text = on if line.lacked else alone
    return mark_safe(text % {"n": line.drew, "suits": bold_suits(line.lacked)})  # noqa: S308 - our own words and numbers


def _describe_play(line: MoveLine, mine: bool) -> SafeString | str:
    if line.move is None or line.move.kind != "play":
        return ""
    tiles = ", ".join(NAMES[tile] for tile, _end in line.move.plays)
    if line.matched[0] is None:
        led = pgettext("you", "led %(tile)s") if mine else _("led %(tile)s")
        return keep_figures_together(led % {"tile": tiles})
    if line.drew:
        # As in the move list: a plate on a phone has no room for "played".
        both = pgettext("you", "drew %(n)d · %(tiles)s") if mine else _("drew %(n)d · %(tiles)s")
        return keep_figures_together(both % {"n": line.drew, "tiles": tiles})
    played = pgettext("you", "played %(tiles)s") if mine else _("played %(tiles)s")
    return keep_figures_together(played % {"tiles": tiles})


@cached_by_language
def _lacks(suits: frozenset[int]) -> str:
    if not suits:
        return ""
    return _("holds no %(suits)s") % {"suits": ", ".join(map(str, sorted(suits, reverse=True)))}


@cached_by_language
def format_tile_count(tiles: int) -> str:
    return ngettext("%(n)d tile", "%(n)d tiles", tiles) % {"n": tiles}
