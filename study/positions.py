"""A position as it is shown on pages that ask about it: the line, who sits there, and the moves that may be tried."""

from typing import NamedTuple

from django.utils.safestring import SafeString

from games.drawing.line import draw_line
from games.drawing.marks import mark as side_mark
from games.drawing.tiles import hand_tile, symbols
from games.engine.perspective import View
from games.engine.tiles import NAMES
from games.table.news import line_in_words
from games.table.telling import summands
from study import wording


class Plate(NamedTuple):
    name: str
    mark: SafeString
    size: int
    tiles: tuple[tuple[str, SafeString], ...]


class Answer(NamedTuple):
    """A move that may be tried."""

    value: str
    words: str
    art: SafeString | str
    tried: bool


class Position:
    """What a seat saw on its turn. A subclass supplies the view, the names by seat and `answer`, the move tried."""

    answer: str

    @property
    def view(self) -> View:
        raise NotImplementedError

    @property
    def names(self) -> list[str]:
        raise NotImplementedError

    @property
    def seat_shown(self) -> int:
        """The seat whose view it is."""
        assert self.view.seat is not None  # only seats are on turn
        return self.view.seat

    @property
    def symbols(self) -> SafeString:
        return symbols(self.view.rules.set)

    @property
    def line(self) -> SafeString:
        return draw_line(self.view)

    @property
    def words(self) -> str:
        return line_in_words(self.view)

    @property
    def count(self) -> int | None:
        layout = self.view.layout() if self.view.rules.count != "none" else None
        return layout.count if layout else None

    @property
    def sum(self) -> str:
        layout = self.view.layout() if self.view.rules.count != "none" else None
        return " + ".join(map(str, summands(layout))) if layout else ""

    @property
    def plates(self) -> list[Plate]:
        """The mover's own comes last, with its tiles."""
        order = [*range(self.seat_shown + 1, self.view.seats), *range(self.seat_shown + 1)]
        return [
            Plate(
                self.names[seat],
                side_mark(self.view.terms.side_of[seat]),
                self.view.tiles[seat],
                tuple((NAMES[tile], hand_tile(tile)) for tile in self.view.hand)
                if seat == self.seat_shown
                else (),
            )
            for seat in order
        ]

    @property
    def answers(self) -> list[Answer]:
        """The moves that may be tried, the tile's picture beside each."""
        return [
            Answer(
                str(move),
                wording.place_in_words(self.view, move),
                hand_tile(move.plays[0][0]) if move.kind == "play" else "",
                str(move) == self.answer,
            )
            for move in self.view.legal
        ]
