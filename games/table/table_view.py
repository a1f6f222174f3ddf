"""The table as one viewer may see it: all that the page and its frames (`shown`) are made of.

Built from perspectives only. What all viewers share comes from `common`, rendered once a version; the hand, its
spots and the buttons are the viewer's own.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.forms.utils import flatatt
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import wording
from games.board import Shape
from games.calling_off import costs_the_match
from games.clocks import calls_until, clock_face, clock_name
from games.drawing.line import SHAPES
from games.drawing.tiles import heap, symbols
from games.engine.errors import Illegal
from games.engine.matches import Match as Value
from games.engine.moves import DRAW, MUGGINS, PASS, Move
from games.engine.perspective import View, perspective
from games.models import Match, Seat
from games.seats import Viewer
from games.table import claims, scene, waiting
from games.table.audience import Around, SaidLine
from games.table.hand import Hand
from games.table.news import KEPT, News, news_of, opening
from games.table.outcome import MatchPanel, match_panel
from games.table.panels import RoundPanel, round_panel
from games.table.plates import Plate, Plates
from games.table.public_view import Common, common
from games.table.waiting import Absent, Leaver, Prods


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
    claims: tuple[int, ...]
    automatic: str
    absent: Absent | None
    prods: Prods
    leaver: Leaver | None
    rated: bool  # still: where a computer has taken a seat, the match has become casual
    spectators: int
    lines: tuple[SaidLine, ...]
    may_talk: bool
    muted: bool
    against_computers: bool  # nobody else has sat here from the start
    confirm_resign: bool
    news: tuple[News, ...]
    round_news: tuple[News, ...]
    opening: str
    calling_off_costs: bool  # the match: it counts as resigned
    round_panel: RoundPanel | None
    match_panel: MatchPanel | None
    now: datetime
    language: str | None  # the one that is active
    steady: bool
    shapes: Sequence[Shape]  # of the board, that the page shows

    @property
    def version(self) -> int:
        return self.match.version

    @property
    def rematch_code(self) -> str:
        """The next table, if this viewer may come there: anybody who knows a private table's code may come in."""
        return self.match.rematch_code if self.seat is not None or not self.match.private else ""

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
        return wording.game_title(self.match.preset, self.view.rules, self.seats)

    @property
    def house_chips(self) -> tuple[str, ...]:
        """What is different at this table from the game as it is written."""
        return () if self.match.preset else tuple(wording.house_chips(self.view.rules, self.seats))

    @property
    def title(self) -> str:
        names = [plate.name for plate in sorted(self.plates, key=lambda plate: plate.seat)]
        return _("%(first)s against %(second)s") % {
            "first": names[0],
            "second": ", ".join(names[1:]),
        }

    @property
    def clock(self) -> str:
        return clock_name(self.match.clock)

    @property
    def called(self) -> bool:
        return self.view.terms.called

    @property
    def call(self) -> Button:
        return Button(str(MUGGINS), self.view.may_call, "" if self.view.may_call else _("Nothing to call"))

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
        here = self.seat is not None and self.match.playing and self.seat not in self.view.gone
        return here and self.seat != self.match.leaver

    @property
    def may_be_helped(self) -> bool:
        """Whether there are hints for the viewer."""
        return self.playing and self.against_computers and not self.match.rated

    @property
    def may_go_on_without(self) -> Absent | None:
        """The absent player, for a viewer who may go on without that one, now or soon."""
        return self.absent if self.playing else None

    @property
    def may_prod(self) -> str:
        """Whom the viewer may ask to move."""
        return self.prods.may if self.playing else ""

    @property
    def whose_turn(self) -> str:
        """mine, other, or "" while nobody is on turn."""
        if self.my_turn:
            return "mine"
        return "" if self.view.turn is None else "other"

    @property
    def say_something(self) -> str:
        """The hint in the empty field for talk."""
        return _("Say something to the spectators") if self.seat is None else _("Say something")

    @property
    def quick_replies(self) -> tuple[str, ...]:
        """What players say most, at one press."""
        if self.seat is None or self.muted:
            return ()
        return _replies(self.match.playing)

    @property
    def tiles_kept(self) -> int:
        """Tiles of the boneyard that can never be drawn."""
        return min(self.view.reserve, self.view.boneyard)

    @property
    def boneyard_in_words(self) -> str:
        """14 tiles in the boneyard, 2 of them stay"""
        return _boneyard_of(self.view.boneyard, self.tiles_kept)

    def rest(self, until: datetime | None) -> str:
        """How long it is until then, for a page without scripts; with them it counts by itself."""
        if until is None or self.steady:
            return ""
        return clock_face(int(max(0.0, (until - self.now).total_seconds()))).partition(".")[0]

    @property
    def may_draw(self) -> bool:
        return self.playing and self.is_drawn_from

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
        if self.view.rules.two_doubles:
            return _("Choose a tile and its end first. Two doubles may go down together, one at each end.")
        return _("Choose tiles and their ends first. Several tiles must make the count a multiple of five.")

    @property
    def calls_until(self) -> datetime | None:
        return calls_until(self.match, self.now)

    @property
    def is_drawn_from(self) -> bool:
        """Whether this game draws: else there is no heap, and nothing to press."""
        return self.match.playing and self.view.rules.draw != "none"

    @property
    def symbols(self) -> SafeString:
        """The tiles' halves that this set needs, once in the page."""
        return symbols(self.view.rules.set)

    @property
    def round_on_table(self) -> int:
        """The number of the round that lies there: while its end is shown, still the one that has ended."""
        return self.view.ended[-1].number if self.round_panel else self.view.round

    @property
    def latest_news(self) -> tuple[News, ...]:
        """The latest moves, those that ended the round before among them."""
        return (*self.round_news, *self.news)[-KEPT:]

    @property
    def latest_sentence(self) -> str:
        """The latest move, or how the round before ended; its last tile may be back in anybody's hand."""
        return self.news[-1].told if self.news else f"{self.common.before} {self.opening}".strip()


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
    shapes: Sequence[Shape] = SHAPES,
) -> Table:
    """The table for the viewer in `seat`; `chosen` and `several` are what a page without scripts has chosen.

    `rows` (the seats') and `around` are read now unless they are given. A `steady` table shows a running
    clock as it was when the turn began: a page with scripts draws it itself, and nothing changes while it runs.
    """
    rows = list(match.seats.select_related("user")) if rows is None else rows
    around = around or Around(match, rows, now)
    here = around.here
    names = [row.shown_name for row in rows]
    shared = common(match.code, value, names, match.preset)
    view = perspective(value, seat.position if seat else None, shared.view)
    hand = Hand(view, chosen, several)
    ended = view.result is not None
    lead, speech = shared.lead, wording.speech_of(match.preset)
    if shows_round := scene.is_shown(match, view, seat, now) and not (hand.chosen or several):
        shared = scene.common_at_the_end(match.code, value, names, match.preset, shared)
    # While the end of a round is shown nobody is on turn, and nothing runs.
    seen = view._replace(turn=None) if shows_round else view
    plates = Plates(match, seen, rows, shared.latest, here, now, steady)
    return Table(
        match=match,
        view=view,
        common=shared,
        seat=view.seat,
        plates=plates.all,
        hand=hand,
        draw=_button(view, DRAW, value.round.refuse_draw),
        pass_=_button(view, PASS, value.round.refuse_pass),
        claims=claims.claimable(view),
        automatic=_automatic(view, user),
        absent=None if ended else waiting.absent(view, match, value, rows, plates, now),
        prods=waiting.prods(seen, match, rows, here),
        leaver=waiting.leaver(view, match, value, rows),
        rated=match.rated and not any(row.taken_over for row in rows),
        spectators=here.spectators,
        lines=around.heard_by(user, seat),
        may_talk=user.is_authenticated,
        muted=getattr(user, "muted", False),
        against_computers=all(row.kind == Seat.Kind.COMPUTER for row in rows if row.position != view.seat),
        confirm_resign=getattr(user, "confirm_resign", True),
        calling_off_costs=bool(seat and view.may_abort and costs_the_match(match, seat, now)),
        news=news_of(view, names, speech=speech, ends=shared.ends),
        round_news=scene.round_news(match.code, view, names, match.preset),
        opening="" if ended else opening(view, lead),
        round_panel=round_panel(match, view, rows, lead) if shows_round or (ended and view.ended) else None,
        match_panel=match_panel(match, view, view.result, rows, now) if view.result else None,
        now=now,
        language=wording.spoken(),
        steady=steady,
        shapes=shapes,
    )


@wording.remembered
def _not_your_turn() -> str:
    return _("Not your turn")


@wording.remembered
def _boneyard_of(tiles: int, stay: int) -> str:
    lie = ngettext("%(n)s tile in the boneyard", "%(n)s tiles in the boneyard", tiles) % {"n": tiles}
    if not stay:
        return lie
    stays = ngettext("%(n)s of them stays", "%(n)s of them stay", stay) % {"n": stay}
    return f"{lie}, {stays}"


@wording.remembered
def _replies(playing: bool) -> tuple[str, ...]:
    if not playing:
        return _("Well played"), _("Thank you"), _("Another one?")
    return _("Good luck"), _("Nice play"), _("One moment")


def _together(n: int) -> str:
    return ngettext("Play %(n)d tile", "Play %(n)d tiles", n) % {"n": n}


def _button(view: View, move: Move, refuse: Callable[[], None]) -> Button:
    if move in view.legal:
        return Button(str(move), True, "")
    if not view.legal:
        return Button(str(move), False, _not_your_turn())
    try:
        refuse()
    except Illegal as error:
        return Button(str(move), False, wording.refused("illegal", error.code, error.params))
    return Button(str(move), False, "")


def _automatic(view: View, user: Viewer) -> str:
    """The only legal move, if it is a draw or pass and the viewer wants those made automatically; never at called
    tables."""
    wanted = getattr(user, "automatic", False) and not view.terms.called and len(view.legal) == 1
    return str(view.legal[0]) if wanted and view.legal[0] in (DRAW, PASS) else ""
