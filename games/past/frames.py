"""Build the positions of a finished match as small pictures with a sentence each, for embedded and stored replays."""

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.safestring import SafeString

from boneyard.engine.perspective import perspective
from core.numbers import format_points
from games import wording
from games.drawing.line import draw_cropped_line
from games.models import Match
from games.past.replay import History, describe_move
from games.table.news import describe_line


class Frame(NamedTuple):
    """The position after a number of moves: the line as SVG and in words, the move, and each side's score."""

    board: SafeString
    words: str
    sentence: str
    scores: str


def build_frames(match: Match, first: int = 0, last: int | None = None) -> Iterator[Frame]:
    """Yield the positions after `first` to `last` moves, as a spectator saw them."""
    history = History.load(match)
    names = [seat.display_name for seat in match.seats.select_related("user")]
    for number in range(first, (match.version if last is None else last) + 1):
        displayed = history.value_to_display(number)
        view = perspective(displayed, None)
        sides = wording.side_names(view.terms.sides, names)
        scores = zip(sides, displayed.scores, strict=True)
        yield Frame(
            draw_cropped_line(view),
            describe_line(view),
            describe_move(match, view, history.ended_by(number), view.log[-1], names)
            if number and view.log
            else "",
            " · ".join(f"{side} {format_points(score)}" for side, score in scores),
        )
