"""A round told in lines: what each move joined, what a pass or draw showed, why a play scored.

From a View's log only, so nothing is here that the viewer of that log may not know.
"""

from collections.abc import Sequence
from typing import NamedTuple

from games.engine.layout import Layout, lay_out
from games.engine.moves import DRAW, INDEX, MUGGINS, PASS, Move
from games.engine.rounds import Entry
from games.engine.terms import Terms


class MoveLine(NamedTuple):
    """One line of the move list: a play or a pass with the draws before it, or a call, a leaving, or draws alone.

    at       the entry of the log that it ends with, counted from 1
    number   counts plays and passes from 1; None for the rest
    move     None while a seat has only drawn
    drew     how many tiles it drew before
    lacked   the suits that its draws or its pass have shown it not to hold, the highest first
    matched  by laid tile, the suit of the end it joined; None for the lead
    sum      what each end added to the count, where that may be shown
    award    what the passes that it completed gave each side
    """

    seat: int
    number: int | None
    move: Move | None
    drew: int = 0
    lacked: tuple[int, ...] = ()
    matched: tuple[int | None, ...] = ()
    sum: tuple[int, ...] = ()
    claim: int | None = None
    count: int | None = None  # type: ignore[assignment]
    points: int | None = None
    scored: int | None = None
    award: tuple[int, ...] | None = None
    at: int = 0


class Told(NamedTuple):
    """A log in lines so far. `drew` has a line for each seat that has only drawn since, which follow the others;
    `numbered` counts the plays and passes."""

    log: tuple[Entry, ...] = ()
    lines: tuple[MoveLine, ...] = ()
    drew: tuple[tuple[int, MoveLine], ...] = ()
    layout: Layout | None = None
    numbered: int = 0

    @property
    def all(self) -> tuple[MoveLine, ...]:
        """In order."""
        return (*self.lines, *(line for _seat, line in self.drew)) if self.drew else self.lines


NOTHING = Told()


def move_lines(log: Sequence[Entry], terms: Terms) -> tuple[MoveLine, ...]:
    """The log of a round as lines of the move list, in order."""
    return tell(tuple(log), terms).all


def tell(log: tuple[Entry, ...], terms: Terms, before: Told = NOTHING) -> Told:
    """The log in lines. If it goes on where that of `before` ended, what was told there stays as it is."""
    told = before if log[: len(before.log)] == before.log else NOTHING
    for entry in log[len(told.log) :]:
        told = _with(told, entry, terms)
    return told


def _with(told: Told, entry: Entry, terms: Terms) -> Told:
    before, lines, drew, layout, number = told
    log = (*before, entry)
    drawn = dict(drew)
    if entry.move.kind == "draw":
        line = drawn.get(entry.seat) or MoveLine(entry.seat, None, None, lacked=_lacked(layout, terms, DRAW))
        drawn[entry.seat] = line._replace(drew=line.drew + 1, at=len(log))
        return told._replace(log=log, drew=tuple(drawn.items()))
    own = drawn.pop(entry.seat, None)
    if entry.move.kind == "play":
        line, layout = _played(entry, number + 1, layout, terms)
    elif entry.move.kind == "pass":
        lacked = _lacked(layout, terms, PASS)
        line = MoveLine(entry.seat, number + 1, PASS, lacked=lacked, award=entry.award)
    else:
        line = MoveLine(entry.seat, None, entry.move, scored=entry.scored, at=len(log))
        if entry.move is MUGGINS:
            return Told(log, (*lines, *filter(None, [own]), line), tuple(drawn.items()), layout, number)
        # Whoever goes does so after what the others have drawn.
        return Told(log, (*lines, *(each for _seat, each in drew), line), (), layout, number)
    line = _after_drawing(line, own)._replace(at=len(log))
    return Told(log, (*lines, line), tuple(drawn.items()), layout, number + 1)


def _after_drawing(line: MoveLine, drawn: MoveLine | None) -> MoveLine:
    return line._replace(drew=drawn.drew, lacked=line.lacked or drawn.lacked) if drawn else line


def _played(entry: Entry, number: int, layout: Layout | None, terms: Terms) -> tuple[MoveLine, Layout]:
    plays = entry.move.plays
    matched = tuple(None if layout is None else layout.tips[INDEX[end]].suit for _tile, end in plays)
    layout = lay_out(terms.tip_table, layout, plays)
    shows_sum = entry.points is not None and terms.rules.count != "none"
    line = MoveLine(
        entry.seat,
        number,
        entry.move,
        matched=matched,
        sum=summands(layout) if shows_sum else (),
        claim=entry.claim,
        count=layout.count if shows_sum else None,
        points=entry.points,
        scored=entry.scored,
        award=entry.award,
    )
    return line, layout


def summands(layout: Layout) -> tuple[int, ...]:
    """What each end adds to the count; free sides of the spinner, which add nothing, left out."""
    return tuple(tip.worth for tip in layout.tips if tip.kind not in ("none", "free"))


def sum_shown(layout: Layout) -> str:
    """What each end adds to the count: 10 + 5."""
    return " + ".join(map(str, summands(layout)))


def _lacked(layout: Layout | None, terms: Terms, move: Move) -> tuple[int, ...]:
    """The open suits, if the move shows that none of them is held."""
    by_choice = terms.free_pass if move is PASS else terms.rules.draw == "free"
    if layout is None or by_choice:
        return ()
    return tuple(sorted(set(layout.ends.values()), reverse=True))


def latest(told: Sequence[MoveLine], seats: int) -> tuple[MoveLine | None, ...]:
    """Each seat's latest line of this round."""
    found: list[MoveLine | None] = [None] * seats
    for line in told:
        found[line.seat] = line
    return tuple(found)
