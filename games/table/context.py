"""The table as one viewer may see it: the page's context and the fragments that keep it fresh.

Built from perspectives only. What all viewers share comes from `common`, rendered once a version; the hand, its
spots and the buttons are the viewer's own.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.forms.utils import flatatt
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import presence, wording
from games.drawing.tiles import heap, symbols
from games.engine.errors import Illegal
from games.engine.matches import Match as Value
from games.engine.moves import DRAW, MUGGINS, PASS, Move
from games.engine.perspective import View, perspective
from games.models import Match, Seat, Talk
from games.seats import Viewer
from games.table import claims
from games.table.common import Common, common
from games.table.hand import Hand
from games.table.panels import MatchPanel, RoundPanel, match_panel, round_panel
from games.table.plates import Plate, Plates


class Button(NamedTuple):
    """A move that is always shown: what it sends, or why it cannot be pressed."""

    move: str
    legal: bool
    reason: str

    @property
    def type(self) -> str:
        return "submit" if self.legal else "button"

    @property
    def attributes(self) -> SafeString:
        """What it sends, or that and why it cannot be pressed."""
        if self.legal:
            return flatatt({"name": "move", "value": self.move})
        return flatatt({"aria-disabled": "true", "title": self.reason or None})


class Absent(NamedTuple):
    """A player on turn who is away: from when the others may go on without them, and whether that is now."""

    name: str
    until: datetime
    now: bool
    computer: bool


class SaidLine(NamedTuple):
    """A line of talk; `number` is its row's key."""

    number: int
    name: str
    text: str


class Around:
    """What surrounds the play: who is here, and the talk of each room, read once.

    `at` is a moment before that (time.monotonic).
    """

    def __init__(self, match: Match, now: datetime) -> None:
        self.at = time.monotonic()
        self.match = match
        self.here = presence.presence_of(match, now)
        self._talk: dict[str, tuple[SaidLine, ...]] = {}

    def talk(self, seat: Seat | None) -> tuple[SaidLine, ...]:
        room = Talk.Room.TABLE if seat else Talk.Room.WATCHERS
        if room not in self._talk:
            heard = Talk.objects.heard(self.match, room)
            self._talk[room] = tuple(SaidLine(line.pk, line.name, line.text) for line in heard)
        return self._talk[room]


@dataclass(frozen=True)
class Table:
    """What the templates need. `seat` is the viewer's own, None for a spectator."""

    match: Match
    view: View
    common: Common
    seat: int | None
    plates: tuple[Plate, ...]
    hand: Hand
    draw: Button
    pass_: Button
    call: Button
    claims: tuple[int, ...]
    automatic: str
    absent: Absent | None
    watchers: int
    lines: tuple[SaidLine, ...]
    may_talk: bool
    confirm_resign: bool
    round_panel: RoundPanel | None
    match_panel: MatchPanel | None
    now: datetime

    @property
    def version(self) -> int:
        return self.match.version

    @property
    def seats(self) -> int:
        return self.view.seats

    @property
    def classes(self) -> str:
        """Of the table as a whole: by the number of its seats, its rules and its viewer."""
        states = {
            "is-called": self.called,
            "claims-many": self.many_claims,
            "is-watching": self.seat is None,
        }
        return " ".join(["table", f"seats-{self.seats}", *(name for name, holds in states.items() if holds)])

    @property
    def game(self) -> str:
        return wording.game_title(self.match.preset)

    @property
    def title(self) -> str:
        names = [plate.name for plate in sorted(self.plates, key=lambda plate: plate.seat)]
        return _("%(first)s against %(second)s") % {
            "first": names[0],
            "second": ", ".join(names[1:]),
        }

    @property
    def rules_in_words(self) -> list[wording.Sentence]:
        return wording.rules_in_words(self.view.rules, self.view.seats)

    @property
    def clock(self) -> str:
        if self.match.clock_seconds is None:
            return _("no clock")
        minutes, seconds = divmod(self.match.clock_seconds, 60)
        first = f"{minutes}:{seconds:02d}" if seconds else str(minutes)
        return _("%(minutes)s min + %(seconds)d s") % {
            "minutes": first,
            "seconds": self.match.clock_increment or 0,
        }

    @property
    def called(self) -> bool:
        return self.view.terms.called

    @property
    def many_claims(self) -> bool:
        """Whether the numbers to claim need more than one row."""
        return self.called and len(claims.worths(self.view.terms)) > 8

    @property
    def shows_count(self) -> bool:
        return self.view.rules.count != "none" and not self.called

    @property
    def my_turn(self) -> bool:
        return self.seat is not None and self.view.turn == self.seat

    @property
    def playing(self) -> bool:
        """Whether the viewer plays here and still may."""
        return self.seat is not None and self.match.playing and self.seat not in self.view.gone

    @property
    def claimable(self) -> Absent | None:
        """The absent player, for a viewer who may claim now or soon."""
        return self.absent if self.playing else None

    @property
    def whose_turn(self) -> str:
        """mine, other, or "" while nobody is on turn."""
        if self.my_turn:
            return "mine"
        return "" if self.view.turn is None else "other"

    @property
    def say_something(self) -> str:
        """What the empty field for talk invites to."""
        return _("Say something to the spectators") if self.seat is None else _("Say something")

    @property
    def tiles_kept(self) -> int:
        """Tiles of the boneyard that can never be drawn."""
        return min(self.view.reserve, self.view.boneyard)

    @property
    def boneyard_in_words(self) -> str:
        """14 tiles in the boneyard, 2 of them stay"""
        tiles = ngettext("%(n)s tile in the boneyard", "%(n)s tiles in the boneyard", self.view.boneyard)
        text = tiles % {"n": self.view.boneyard}
        return f"{text}, {_('%(n)s of them stay') % {'n': self.tiles_kept}}" if self.tiles_kept else text

    @property
    def may_draw(self) -> bool:
        return self.playing and self.view.rules.draw != "none"

    @property
    def heap(self) -> SafeString:
        return heap(self.view.boneyard)

    @property
    def legal(self) -> str:
        """The viewer's legal moves for the script, joined by blanks."""
        return " ".join(map(str, self.view.legal))

    @property
    def together(self) -> Button:
        """The play of several tiles, as planned so far."""
        move = self.hand.planned_move
        return Button(move, bool(move), self.why_not_together)

    @property
    def together_words(self) -> str:
        """The button for several tiles with 1, 2, 3 and 4 of them, for the script."""
        return "|".join(_together(n) for n in range(1, 5))

    @property
    def planned(self) -> str:
        return _together(max(1, len(self.hand.plan)))

    @property
    def why_not_together(self) -> str:
        return _("Choose tiles and their ends first. Several tiles must make the count a multiple of five.")

    @property
    def waits_until(self) -> datetime | None:
        """Until when the last play can still be called and nobody may move."""
        until = self.match.wait_until
        return until if self.match.playing and until is not None and until > self.now else None

    @property
    def has_boneyard(self) -> bool:
        return self.match.playing and (self.view.boneyard > 0 or self.view.rules.draw != "none")

    @property
    def symbols(self) -> SafeString:
        """The tiles' halves that this set needs, once in the page."""
        return symbols(self.view.rules.set)

    @property
    def latest_sentence(self) -> str:
        """The latest move, or how the round before ended; its last tile may be back in anybody's hand."""
        return self.common.news[-1].sentence if self.common.news else self.common.before


def table_for(
    match: Match,
    value: Value,
    *,
    seat: Seat | None,
    user: Viewer,
    now: datetime,
    chosen: str = "",
    several: str = "",
    rows: Sequence[Seat] | None = None,
    around: Around | None = None,
    steady: bool = False,
) -> Table:
    """The table for the viewer in `seat`; `chosen` and `several` are what a page without scripts has chosen.

    `rows`, those of the seats, and `around` have been read before, or are read now. A `steady` table shows a running
    clock as it was when the turn began: a page with scripts draws it itself, and nothing changes while it runs.
    """
    rows = list(match.seats.select_related("user")) if rows is None else rows
    around = around or Around(match, now)
    here = around.here
    names = [row.name for row in rows]
    view = perspective(value, seat.position if seat else None)
    shared = common(match.code, value, names)
    plates = Plates(match, view, rows, shared.latest, here, now, steady)
    hand = Hand(view, chosen, several)
    ended = view.result is not None
    shows_round = _shows_round(match, view, seat, now) and not (hand.chosen or several)
    return Table(
        match=match,
        view=view,
        common=shared,
        seat=view.seat,
        plates=plates.all,
        hand=hand,
        draw=_button(view, DRAW, value.round.refuse_draw),
        pass_=_button(view, PASS, value.round.refuse_pass),
        call=Button(str(MUGGINS), view.may_call, "" if view.may_call else _("Nothing to call")),
        claims=claims.claimable(view),
        automatic=_automatic(view, user),
        absent=None if ended else _absent(view, match, rows, plates, now),
        watchers=here.watchers,
        lines=around.talk(seat),
        may_talk=user.is_authenticated,
        confirm_resign=getattr(user, "confirm_resign", True),
        round_panel=round_panel(view, names) if shows_round else None,
        match_panel=match_panel(match, view, view.result, rows) if view.result else None,
        now=now,
    )


def _together(n: int) -> str:
    return ngettext("Play %(n)d tile", "Play %(n)d tiles", n) % {"n": n}


def _button(view: View, move: Move, refuse: Callable[[], None]) -> Button:
    if move in view.legal:
        return Button(str(move), True, "")
    if not view.legal:
        return Button(str(move), False, _("Not your turn"))
    try:
        refuse()
    except Illegal as error:
        return Button(str(move), False, wording.refused("illegal", error))
    return Button(str(move), False, "")


def _automatic(view: View, user: Viewer) -> str:
    """The only legal move, if it is a draw or pass and the viewer wants those made automatically; never at called
    tables."""
    wanted = getattr(user, "automatic", False) and not view.terms.called and len(view.legal) == 1
    return str(view.legal[0]) if wanted and view.legal[0] in (DRAW, PASS) else ""


def _absent(view: View, match: Match, rows: Sequence[Seat], plates: Plates, now: datetime) -> Absent | None:
    if view.turn is None or view.turn == view.seat:
        return None
    row = rows[view.turn]
    until = plates.grace_ends(row)
    if until is None:
        return None
    return Absent(row.name, until, until <= now, not match.rated)


def _shows_round(match: Match, view: View, seat: Seat | None, now: datetime) -> bool:
    """Whether the end of the round before is still laid open: until the viewer has continued, or play has."""
    if not view.ended or not match.playing:
        return False
    if seat is not None and seat.continued_round >= len(view.ended):
        return False
    return not view.log or (match.pause_until is not None and now < match.pause_until)
