"""A finished match move by move: the position after so many moves, as one seat knew it or with all hands open."""

from dataclasses import dataclass
from typing import NamedTuple

from django.utils.safestring import SafeString

from games import archive, drawing, wording
from games.engine import moves as notation
from games.engine.matches import Match as Value
from games.engine.perspective import View, perspective
from games.engine.rounds import Entry
from games.engine.tiles import NAMES
from games.models import Match, Seat
from games.news import line_in_words
from games.race import mark


class Step(NamedTuple):
    """A move in the list: its number in the match, what it was, and what it scored."""

    number: int
    seat: int
    text: str
    words: str
    scored: int | None


class Hand(NamedTuple):
    seat: Seat
    mark: SafeString
    score: int
    tiles: tuple[tuple[str, SafeString], ...]
    hidden: int  # how many tiles are not shown
    on_turn: bool


@dataclass(frozen=True)
class Replay:
    """`seat` is whose knowledge is shown, None for all hands open; `rounds` are (number, steps) pairs."""

    match: Match
    number: int
    seat: int | None
    view: View
    line: SafeString
    words: str
    symbols: SafeString
    hands: tuple[Hand, ...]
    rounds: tuple[tuple[int, tuple[Step, ...]], ...]
    said: str

    @property
    def last(self) -> int:
        return self.match.version

    @property
    def before(self) -> int:
        return max(0, self.number - 1)

    @property
    def after(self) -> int:
        return min(self.last, self.number + 1)

    @property
    def title(self) -> str:
        return ", ".join(hand.seat.name for hand in self.hands)


def replay(match: Match, number: int, seat: int | None) -> Replay:
    """The match after its first `number` moves (at most all of them)."""
    rows = list(match.moves.order_by("number"))
    seats = list(match.seats.select_related("user"))
    names = [row.name for row in seats]
    value = shown = archive.opening(match)
    rounds: list[tuple[int, list[Step]]] = []
    said = ""
    for row in rows:
        before, value = value, value.play(row.seat, notation.parse(row.text), row.claim)
        entry = _entry(value, before)
        playing = before.round.number
        if not rounds or rounds[-1][0] != playing:
            rounds.append((playing, []))
        words = wording.move_sentence(entry, names[entry.seat])
        rounds[-1][1].append(Step(row.number, entry.seat, row.text, words, entry.scored))
        if row.number == number:
            shown, said = _as_it_lay(value, before), words
    view = perspective(shown, seat)
    return Replay(
        match=match,
        number=number,
        seat=seat,
        view=view,
        line=drawing.line(view),
        words=line_in_words(view),
        symbols=drawing.symbols(view.rules.set),
        hands=tuple(_hand(shown, row, seat) for row in seats),
        rounds=tuple((n, tuple(steps)) for n, steps in rounds),
        said=said,
    )


def _entry(value: Value, before: Value) -> Entry:
    """What the move that led from `before` to `value` left in the log."""
    ended = len(value.ended) > len(before.ended)
    return (value.ended[-1] if ended else value.round).log[-1]


def _as_it_lay(value: Value, before: Value) -> Value:
    """A move that ends a round is shown on that round's table, not on the next one's."""
    if len(value.ended) == len(before.ended):
        return value
    return value._replace(round=value.ended[-1].round, ended=value.ended[:-1])


def _hand(value: Value, row: Seat, knower: int | None) -> Hand:
    open_ = knower is None or knower == row.position
    tiles = perspective(value, row.position).hand if open_ else ()
    side = value.terms.side_of[row.position]
    return Hand(
        seat=row,
        mark=mark(side),
        score=value.scores[side],
        tiles=tuple((NAMES[tile], drawing.hand_tile(tile)) for tile in tiles),
        hidden=0 if open_ else value.round.hands[row.position].bit_count(),
        on_turn=value.turn == row.position,
    )
