"""Build the replay of a finished match after any number of moves, from one seat's view or with all hands open."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from accounts.drawing import name_tile
from boneyard.engine import moves as notation
from boneyard.engine.matches import Match as Value
from boneyard.engine.perspective import View, perspective
from boneyard.engine.round_ends import EndedRound
from boneyard.engine.rounds import Entry
from boneyard.engine.tiles import NAMES
from core.numbers import format_change
from games import repository, wording
from games.drawing.graphs import draw_score_graph
from games.drawing.line import draw_line
from games.drawing.marks import mark
from games.drawing.tiles import draw_hand_tile, draw_symbols, keep_figures_together
from games.models import Match, Seat
from games.scores import points_ahead
from games.table.move_log import MoveLine, format_sum, last_lines_by_seat, move_lines
from games.table.movelist import render_move_list
from games.table.news import describe_line
from games.table.outcome import describe_expiry
from games.table.panels import SideScore, annulment_notice, build_side_scores
from games.table.plates import CORNERS, corner_of, describe_last_action


class ReplayPlate(NamedTuple):
    """A seat at one position of a replay: its last action and its visible tiles."""

    seat: Seat
    corner: int  # 0 to 3, clockwise from the bottom left
    mark: SafeString
    fact: SafeString | str
    tiles: tuple[tuple[str, SafeString], ...]
    hidden: int  # number of hidden tiles
    on_turn: bool

    @property
    def classes(self) -> str:
        return f"seat {CORNERS[self.corner]}"

    @property
    def icon(self) -> str:
        """Return the mark of a computer, "" for a person."""
        persona = self.seat.cast if self.seat.kind == Seat.Kind.COMPUTER else None
        return persona.icon if persona else ""

    @property
    def tile(self) -> SafeString:
        return name_tile(self.seat.display_name, self.seat.avatar)

    @property
    def hidden_in_words(self) -> str:
        return ngettext("%(n)s tile", "%(n)s tiles", self.hidden) % {"n": self.hidden} if self.hidden else ""


class RoundTab(NamedTuple):
    number: int
    address: str  # of the position after its first move
    is_displayed: bool


@dataclass(frozen=True)
class Replay:
    """A position of a replay, from the view of `seat`, or with all hands open if it is None."""

    match: Match
    number: int
    seat: int | None
    view: View
    line: SafeString
    words: str
    symbols: SafeString
    count: int | None
    sum: str
    plates: tuple[ReplayPlate, ...]
    side_scores: tuple[SideScore, ...]
    rounds: tuple[RoundTab, ...]
    moves: SafeString
    sentence: str
    lead: SafeString  # who leads the round, and why
    graph: SafeString  # of the scores, move by move
    ahead: str  # the lead at this position, in words

    @property
    def goal(self) -> str:
        return wording.goal_name(self.view.rules)

    @property
    def last(self) -> int:
        return self.match.version

    @property
    def title(self) -> str:
        return ", ".join(plate.seat.display_name for plate in self.plates)

    @property
    def game(self) -> str:
        return wording.game_title(
            self.match.preset, self.match.rules, self.view.seats, self.match.base_preset
        )

    @property
    def annulment_notice(self) -> str:
        return annulment_notice(self.match)

    @property
    def steps(self) -> dict[str, str]:
        """Return the addresses of the first, previous, next and last position."""
        to = {
            "first": 0,
            "prev": max(0, self.number - 1),
            "next": min(self.last, self.number + 1),
            "last": self.last,
        }
        return {name: _address(number, self.seat) for name, number in to.items()}


class History:
    """The values of a match after each of its moves; `values[0]` is before the first."""

    def __init__(self, values: list[Value]) -> None:
        self.values = values

    @classmethod
    def load(cls, match: Match) -> Self:
        """Compute the history of a match from its stored moves."""
        values = [repository.initial_value(match)]
        for row in match.moves.order_by("number"):
            values.append(values[-1].play(row.seat, notation.parse(row.text), row.claim))
        return cls(values)

    def value_to_display(self, number: int) -> Value:
        """Return the value to display after `number` moves: a move that ends a round stays on that round's table."""
        value = self.values[number]
        if not number or len(value.ended) == len(self.values[number - 1].ended):
            return value
        return value._replace(round=value.ended[-1].round, ended=value.ended[:-1])

    def ended_by(self, number: int) -> EndedRound | None:
        """Return the round that a move ended, or None."""
        ended = self.values[number].ended
        return ended[-1] if len(ended) > len(self.values[number - 1].ended) else None

    def first_moves(self) -> dict[int, int]:
        """Return the number of the first move of each round."""
        first_by_round: dict[int, int] = {}
        for number, before in enumerate(self.values[:-1], 1):
            first_by_round.setdefault(before.round.number, number)
        return first_by_round

    def log(self, round_: int) -> Sequence[Entry]:
        """Return all entries of a round."""
        last = self.values[-1]
        return next((ended.log for ended in last.ended if ended.number == round_), last.round.log)

    def points_ahead(self, side: int) -> list[int]:
        """Return by how many points the side was ahead after each move; negative if behind."""
        return [points_ahead(value.rules, value.scores, side) for value in self.values]


def build_replay(match: Match, number: int, seat: int | None, reader: int | None = None) -> Replay:
    """Build the position after the first `number` moves, at most all of them.

    Sentences address the seat `reader`. The table is seen from `seat`, else from `reader`, else from seat 0.
    """
    seats = list(match.seats.select_related("user"))
    names = [row.display_name for row in seats]
    own_names = wording.names_for_seat(names, reader)
    history = History.load(match)
    displayed, first_moves = history.value_to_display(number), history.first_moves()
    view = perspective(displayed, seat)
    first = first_moves[displayed.round.number]
    log = history.log(displayed.round.number)
    lines = move_lines(log, view.terms)
    moves_of_round = number - first + 1
    current = next((line for line in lines if line.at >= moves_of_round > 0), None)
    last_lines = last_lines_by_seat(
        move_lines(log[:moves_of_round], view.terms), len(seats)
    )  # including draws
    layout = view.layout() if view.rules.adds_ends else None
    sides = build_side_scores(view, names, displayed.scores)
    below = seat if seat is not None else reader or 0
    side = view.terms.side_of[below]
    ahead = history.points_ahead(side)
    lead = f"{wording.lead_sentence(view, own_names)}."
    return Replay(
        match=match,
        number=number,
        seat=seat,
        view=view,
        line=draw_line(view),
        words=describe_line(view),
        symbols=draw_symbols(view.rules.set),
        count=layout.count if layout else None,
        sum=format_sum(layout) if layout else "",
        plates=tuple(
            _plate(match.preset, displayed, row, seat, below, line, row.position == reader)
            for row, line in zip(seats, last_lines, strict=True)
        ),
        side_scores=sides,
        rounds=tuple(
            RoundTab(n, _address(opened, seat), opened == first) for n, opened in first_moves.items()
        ),
        moves=render_move_list(
            lines, names, view.terms, current, lambda line: _address(first + line.at - 1, seat)
        ),
        sentence=describe_move(match, view, history.ended_by(number), log[moves_of_round - 1], own_names)
        if moves_of_round
        else lead,
        lead=keep_figures_together(lead),
        graph=draw_score_graph(ahead, number, list(first_moves.values())[1:]),
        ahead=f"{sides[side].names} {format_change(ahead[number])}",
    )


def describe_move(
    match: Match, view: View, ended: EndedRound | None, entry: Entry, names: Sequence[str]
) -> str:
    """Describe the move, and the end and points of the round if it ended it."""
    move = describe_expiry(match, view, entry, names) or wording.move_sentence(entry, names[entry.seat])
    if entry.award:
        move = f"{move}. {wording.bonuses_sentence(entry.award, view.sides, names, view.rules)}"
    if ended is None or ended.end.how == "stopped":
        return move
    speech = wording.speech_of(match.preset)
    over = wording.round_sentence(ended.end, view.sides, names, view.rules, speech)
    sums = [
        wording.format_sum(gain)
        for side in view.terms.all_sides
        if len(gain := wording.explain_bonus(ended, view.terms, side)) > 1
    ]
    return f"{move}. {over} {'; '.join(sums)}".rstrip()


def _address(number: int, seat: int | None) -> str:
    return f"?move={number}" if seat is None else f"?move={number}&seat={seat}"


def _plate(
    preset: str | None,
    value: Value,
    row: Seat,
    viewer: int | None,
    below: int,
    latest: MoveLine | None,
    mine: bool,
) -> ReplayPlate:
    is_visible = viewer is None or viewer == row.position
    tiles = perspective(value, row.position).hand if is_visible else ()
    return ReplayPlate(
        seat=row,
        corner=corner_of(preset, row.position, below, len(value.round.hands)),
        mark=mark(value.terms.side_of[row.position]),
        fact=describe_last_action(latest, mine),
        tiles=tuple((NAMES[tile], draw_hand_tile(tile)) for tile in tiles),
        hidden=0 if is_visible else value.round.hands[row.position].bit_count(),
        on_turn=value.turn == row.position,
    )
