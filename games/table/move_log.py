"""The lines of the move list: what each move joined, what a pass or draw showed, why a play scored.

They are derived from the log of a View alone, so they contain nothing that its viewer may not know.
"""

from collections.abc import Sequence
from typing import NamedTuple

from boneyard.engine.layout import Layout, lay_out
from boneyard.engine.moves import DRAW, INDEX, MUGGINS, PASS, Move
from boneyard.engine.rounds import Entry
from boneyard.engine.terms import Terms


class MoveLine(NamedTuple):
    """A line of the move list: a play or pass with the draws before it, a call, a departure, or draws alone.

    at       the position of its last entry in the log, counted from 1
    number   of the play or pass, counted from 1; None for other lines
    move     None while a seat has only drawn
    drew     how many tiles the seat drew before the move
    lacked   the suits that the draws or the pass show the seat not to hold, in descending order
    matched  the suit of the end that each laid tile joined; None for the lead
    sum      what each end adds to the count, if that may be displayed
    award    the points that completed passes gave to each side
    out      the points for the last tile among `points`
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
    out: int = 0
    at: int = 0


class MoveLog(NamedTuple):
    """The log of a round and its lines.

    open_draws  a line for each seat that has drawn and not moved since; they come last
    number      how many plays and passes there were
    """

    log: tuple[Entry, ...] = ()
    lines: tuple[MoveLine, ...] = ()
    open_draws: tuple[tuple[int, MoveLine], ...] = ()
    layout: Layout | None = None
    number: int = 0

    @property
    def all(self) -> tuple[MoveLine, ...]:
        """Return all lines in order."""
        if not self.open_draws:
            return self.lines
        return (*self.lines, *(line for _seat, line in self.open_draws))


EMPTY_LOG = MoveLog()


def move_lines(log: Sequence[Entry], terms: Terms) -> tuple[MoveLine, ...]:
    """Return the lines of a round's log, in order."""
    return build_move_log(tuple(log), terms).all


def build_move_log(log: tuple[Entry, ...], terms: Terms, before: MoveLog = EMPTY_LOG) -> MoveLog:
    """Return the lines of `log`; it is continued from `before` if it begins with the log of that one."""
    move_log = before if log[: len(before.log)] == before.log else EMPTY_LOG
    for entry in log[len(move_log.log) :]:
        move_log = _append(move_log, entry, terms)
    return move_log


def _append(move_log: MoveLog, entry: Entry, terms: Terms) -> MoveLog:
    entries, lines, open_draws, layout, number = move_log
    log = (*entries, entry)
    draws = dict(open_draws)
    if entry.move.kind == "draw":
        line = draws.get(entry.seat) or MoveLine(entry.seat, None, None, lacked=_lacked(layout, terms, DRAW))
        draws[entry.seat] = line._replace(drew=line.drew + 1, at=len(log))
        return move_log._replace(log=log, open_draws=tuple(draws.items()))
    own_draws = draws.pop(entry.seat, None)
    if entry.move.kind == "play":
        line, layout = _play_line(entry, number + 1, layout, terms)
    elif entry.move.kind == "pass":
        lacked = _lacked(layout, terms, PASS)
        line = MoveLine(entry.seat, number + 1, PASS, lacked=lacked, award=entry.award)
    else:
        line = MoveLine(entry.seat, None, entry.move, scored=entry.scored, at=len(log))
        if entry.move is MUGGINS:
            return MoveLog(
                log, (*lines, *filter(None, [own_draws]), line), tuple(draws.items()), layout, number
            )
        # A departure follows the draws of the others.
        return MoveLog(log, (*lines, *(each for _seat, each in open_draws), line), (), layout, number)
    if own_draws:
        line = line._replace(drew=own_draws.drew, lacked=line.lacked or own_draws.lacked)
    line = line._replace(at=len(log))
    return MoveLog(log, (*lines, line), tuple(draws.items()), layout, number + 1)


def _play_line(entry: Entry, number: int, layout: Layout | None, terms: Terms) -> tuple[MoveLine, Layout]:
    plays = entry.move.plays
    matched = tuple(None if layout is None else layout.tips[INDEX[end]].suit for _tile, end in plays)
    layout = lay_out(terms.tip_table, layout, plays)
    shows_sum = entry.points is not None and terms.rules.adds_ends
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
        out=entry.points - terms.worth(layout) if entry.points and terms.rules.out_points else 0,
    )
    return line, layout


def summands(layout: Layout) -> tuple[int, ...]:
    """Return what each end adds to the count, without the free sides of the spinner, which add nothing."""
    return tuple([tip.worth for tip in layout.tips if tip.kind not in ("none", "free")])


def format_sum(layout: Layout) -> str:
    """Return how the count adds up: 10 + 5."""
    return " + ".join(map(str, summands(layout)))


def _lacked(layout: Layout | None, terms: Terms, move: Move) -> tuple[int, ...]:
    """Return the open suits if the draw or pass shows that the seat holds none of them."""
    by_choice = terms.free_pass if move is PASS else terms.rules.draw == "free"
    if layout is None or by_choice:
        return ()
    return tuple(sorted(set(layout.ends.values()), reverse=True))


def last_lines_by_seat(lines: Sequence[MoveLine], seats: int) -> tuple[MoveLine | None, ...]:
    """Return the last line of each seat."""
    last: list[MoveLine | None] = [None] * seats
    for line in lines:
        last[line.seat] = line
    return tuple(last)
