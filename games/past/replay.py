"""A finished match move by move: the table after any number of them, as one seat knew it or with all hands open."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from core.numbers import format_change
from games import repository, wording
from games.drawing.graphs import draw_score_graph
from games.drawing.line import draw_line
from games.drawing.marks import mark
from games.drawing.tiles import draw_hand_tile, draw_symbols, keep_tile_names_together
from games.engine import moves as notation
from games.engine.matches import Match as Value
from games.engine.perspective import View, perspective
from games.engine.round_ends import EndedRound
from games.engine.rounds import Entry
from games.engine.tiles import NAMES
from games.models import Match, Seat
from games.scores import points_ahead
from games.table.move_log import MoveLine, latest, move_lines, sum_shown
from games.table.movelist import move_list
from games.table.news import line_in_words
from games.table.panels import SideScore, annulled, side_scores
from games.table.plates import CORNERS, corner_of, did


class ReplayPlate(NamedTuple):
    """A seat as it stood: its latest deed, and its tiles as far as they are shown."""

    seat: Seat
    corner: int  # 0 to 3, clockwise from the bottom left
    mark: SafeString
    fact: SafeString | str
    tiles: tuple[tuple[str, SafeString], ...]
    hidden: int  # how many tiles are not shown
    on_turn: bool

    @property
    def classes(self) -> str:
        return f"seat {CORNERS[self.corner]}"

    @property
    def initial(self) -> str:
        return self.seat.display_name[:1].upper()

    @property
    def hidden_in_words(self) -> str:
        return ngettext("%(n)s tile", "%(n)s tiles", self.hidden) % {"n": self.hidden} if self.hidden else ""


class RoundTab(NamedTuple):
    number: int
    address: str  # after its first move
    shown: bool


@dataclass(frozen=True)
class Replay:
    """`seat` is whose knowledge is shown, None for all hands open."""

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
    said: str
    lead: SafeString  # who leads the round and why
    graph: SafeString  # of the scores, move by move; `ahead` in words at this move
    ahead: str

    @property
    def last(self) -> int:
        return self.match.version

    @property
    def title(self) -> str:
        return ", ".join(plate.seat.display_name for plate in self.plates)

    @property
    def game(self) -> str:
        return wording.game_title(self.match.preset, self.match.rules, self.view.seats)

    @property
    def annulled(self) -> str:
        return annulled(self.match)

    @property
    def steps(self) -> dict[str, str]:
        """The addresses to step to, by where they lead."""
        to = {
            "first": 0,
            "prev": max(0, self.number - 1),
            "next": min(self.last, self.number + 1),
            "last": self.last,
        }
        return {name: _address(number, self.seat) for name, number in to.items()}


class History:
    """A match as it stood after each of its moves; `values[0]` is before the first."""

    def __init__(self, match: Match) -> None:
        self.values = [repository.initial_value(match)]
        for row in match.moves.order_by("number"):
            self.values.append(self.values[-1].play(row.seat, notation.parse(row.text), row.claim))

    def shown(self, number: int) -> Value:
        """After `number` moves; a move that ends a round is shown on that round's table, not on the next one's."""
        value = self.values[number]
        if not number or len(value.ended) == len(self.values[number - 1].ended):
            return value
        return value._replace(round=value.ended[-1].round, ended=value.ended[:-1])

    def ended_by(self, number: int) -> EndedRound | None:
        """The round that a move ended."""
        ended = self.values[number].ended
        return ended[-1] if len(ended) > len(self.values[number - 1].ended) else None

    def firsts(self) -> dict[int, int]:
        """By round the move that opened it."""
        found: dict[int, int] = {}
        for number, before in enumerate(self.values[:-1], 1):
            found.setdefault(before.round.number, number)
        return found

    def log(self, round_: int) -> Sequence[Entry]:
        """All that was done in a round."""
        last = self.values[-1]
        return next((ended.log for ended in last.ended if ended.number == round_), last.round.log)

    def points_ahead(self, side: int) -> list[int]:
        """By how many points the side was ahead of the best other one after each move; below 0, behind."""
        return [points_ahead(value.rules, value.scores, side) for value in self.values]


def build_replay(match: Match, number: int, seat: int | None) -> Replay:
    """The match after its first `number` moves (at most all of them)."""
    seats = list(match.seats.select_related("user"))
    names = [row.display_name for row in seats]
    history = History(match)
    shown, firsts = history.shown(number), history.firsts()
    view = perspective(shown, seat)
    first = firsts[shown.round.number]
    log = history.log(shown.round.number)
    told = move_lines(log, view.terms)
    done = number - first + 1  # moves of this round
    now = next((line for line in told if line.at >= done > 0), None)
    past = latest(move_lines(log[:done], view.terms), len(seats))  # a draw before its play as well
    layout = view.layout() if view.rules.count != "none" else None
    sides = side_scores(view, names, [0] * len(view.scores), shown.scores)
    side = view.terms.side_of[seat or 0]
    ahead = history.points_ahead(side)
    lead = f"{wording.lead_sentence(view, names)}."
    return Replay(
        match=match,
        number=number,
        seat=seat,
        view=view,
        line=draw_line(view),
        words=line_in_words(view),
        symbols=draw_symbols(view.rules.set),
        count=layout.count if layout else None,
        sum=sum_shown(layout) if layout else "",
        plates=tuple(
            _plate(match.preset, shown, row, seat, line) for row, line in zip(seats, past, strict=True)
        ),
        side_scores=sides,
        rounds=tuple(RoundTab(n, _address(opened, seat), opened == first) for n, opened in firsts.items()),
        moves=move_list(told, names, view.terms, now, lambda line: _address(first + line.at - 1, seat)),
        said=_said(match, view, history.ended_by(number), log[done - 1], names) if done else lead,
        lead=keep_tile_names_together(lead),
        graph=draw_score_graph(ahead, number, list(firsts.values())[1:]),
        ahead=f"{sides[side].names} {format_change(ahead[number])}",
    )


def _said(match: Match, view: View, ended: EndedRound | None, entry: Entry, names: Sequence[str]) -> str:
    """The move in words, and how the round ended with it and what that gave."""
    move = wording.move_sentence(entry, names[entry.seat])
    if ended is None or ended.end.how == "stopped":
        return move
    speech = wording.speech_of(match.preset)
    over = wording.round_sentence(ended.end, view.sides, names, view.rules, speech)
    bonus = wording.bonus_sum(ended.end, view.terms)
    return f"{move}. {over} {bonus}".rstrip()


def _address(number: int, seat: int | None) -> str:
    return f"?move={number}" if seat is None else f"?move={number}&seat={seat}"


def _plate(
    preset: str | None, value: Value, row: Seat, knower: int | None, latest: MoveLine | None
) -> ReplayPlate:
    open_ = knower is None or knower == row.position
    tiles = perspective(value, row.position).hand if open_ else ()
    return ReplayPlate(
        seat=row,
        corner=corner_of(preset, row.position, knower or 0, len(value.round.hands)),
        mark=mark(value.terms.side_of[row.position]),
        fact=did(latest),
        tiles=tuple((NAMES[tile], draw_hand_tile(tile)) for tile in tiles),
        hidden=0 if open_ else value.round.hands[row.position].bit_count(),
        on_turn=value.turn == row.position,
    )
