"""Prepare a position for display: the line of play, the seats and the possible answers."""

from functools import cached_property
from typing import NamedTuple

from django.utils.safestring import SafeString

from boneyard.engine.moves import DRAW, MUGGINS, PASS
from boneyard.engine.perspective import View
from boneyard.engine.tiles import NAMES
from games.drawing.line import draw_line
from games.drawing.marks import mark as side_mark
from games.drawing.tiles import draw_hand_tile, draw_symbols
from games.table import rack
from games.table.buttons import Button
from games.table.claims import claimable_points
from games.table.hand import Hand
from games.table.move_log import move_lines, summands
from games.table.movelist import render_move_list
from games.table.news import describe_line
from games.wording import active_language
from live.fragments.fragment import Fragment, render_fragment
from study import wording


class Plate(NamedTuple):
    name: str
    mark: SafeString
    size: int
    tiles: tuple[tuple[str, SafeString], ...]


class Answer(NamedTuple):
    """A move that may be chosen as an answer."""

    value: str
    words: str
    art: SafeString | str
    tried: bool


class Position:
    """A position seen by the seat on turn. Subclasses supply `view`, `names` by seat and, if any, the move tried."""

    answer: str

    @property
    def view(self) -> View:
        raise NotImplementedError

    @property
    def names(self) -> list[str]:
        raise NotImplementedError

    @property
    def viewer_seat(self) -> int:
        """Return the seat whose view it is."""
        assert self.view.seat is not None
        return self.view.seat

    @property
    def moves(self) -> SafeString:
        """Return the move list of the round so far."""
        return render_move_list(move_lines(self.view.log, self.view.terms), self.names, self.view.terms, None)

    @property
    def symbols(self) -> SafeString:
        return draw_symbols(self.view.rules.set)

    @property
    def line(self) -> SafeString:
        return draw_line(self.view)

    @property
    def words(self) -> str:
        return describe_line(self.view)

    @property
    def count(self) -> int | None:
        layout = self.view.layout() if self.view.rules.adds_ends else None
        return layout.count if layout else None

    @property
    def sum(self) -> str:
        layout = self.view.layout() if self.view.rules.adds_ends else None
        return " + ".join(map(str, summands(layout))) if layout else ""

    @property
    def plates(self) -> list[Plate]:
        """Return the plates in seat order; the viewer's own is last and holds the tiles."""
        order = [*range(self.viewer_seat + 1, self.view.seats), *range(self.viewer_seat + 1)]
        return [
            Plate(
                self.names[seat],
                side_mark(self.view.terms.side_of[seat]),
                self.view.tiles[seat],
                tuple((NAMES[tile], draw_hand_tile(tile)) for tile in self.view.hand)
                if seat == self.viewer_seat
                else (),
            )
            for seat in order
        ]

    @property
    def answers(self) -> list[Answer]:
        """Return the legal moves as answers."""
        return [
            Answer(
                str(move),
                wording.place_in_words(self.view, move),
                draw_hand_tile(move.plays[0][0]) if move.kind == "play" else "",
                str(move) == self.answer,
            )
            for move in self.view.legal
        ]


class PlayablePosition(Position):
    """A position with the hand, the places and the buttons of the table, whose form sends `move` and `claim`.

    Without scripts, `chosen` is the tile pressed before its place, and `plan` a part of a play of several tiles.
    """

    chosen: str
    plan: str

    @property
    def shows_counts(self) -> bool:
        """Return whether the places show the counts that they make."""
        return True

    @property
    def overlay(self) -> str:
        """Return SVG over the line of play: the result of the last answer."""
        return ""

    @property
    def is_called(self) -> bool:
        return self.view.terms.must_claim

    @cached_property
    def tiles(self) -> Hand:
        return Hand(self.view, self.chosen, self.plan, self.shows_counts)

    @property
    def board(self) -> Fragment:
        return rack.render_position(self.tiles, self.overlay)

    @property
    def hand(self) -> Fragment:
        return rack.render_hand(self.tiles)

    @property
    def claim(self) -> Fragment:
        return render_fragment("games/_claim.html", active_language(), claims=claimable_points(self.view))

    @property
    def boneyard(self) -> Fragment:
        may_draw = DRAW in self.view.legal
        has_boneyard = self.view.rules.draw != "none" and self.view.boneyard > 0
        draw = Button(str(DRAW), True, "") if may_draw else None
        return rack.render_boneyard(self.view, active_language(), has_boneyard, draw)

    @property
    def actions(self) -> Fragment:
        call = Button(str(MUGGINS), self.view.may_call, "") if self.is_called else None
        pass_ = Button(str(PASS), PASS in self.view.legal, "")
        return rack.render_actions(self.tiles, active_language(), call, pass_)
