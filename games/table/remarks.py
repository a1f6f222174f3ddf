"""Find what the computers say now and then.

A remark follows from what everybody sees, the match's code and the position. So no row stores it, every viewer and
process finds the same one, and it tells nothing of a hand.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import takewhile
from typing import NamedTuple

from boneyard.engine.moves import DRAW
from boneyard.engine.perspective import View
from boneyard.engine.round_ends import EndedRound
from games.models import Seat
from games.wording.remarks import REMARKS, Occasion

# By the number of a persona at its level: the kind one, the sparing one and the talkative one.
CHANCES = (0.3, 0.2, 0.5)
MORE_AT_ENDS = 1.6  # times as often
ENDS_OF_MATCH = ("begin", "match won", "match lost")
MANY_POINTS = 15
MANY_DRAWN = 4


class Remark(NamedTuple):
    """What the computer in a seat says."""

    seat: int
    text: str


def find_remark(code: str, view: View, rows: Sequence[Seat], ended: EndedRound | None) -> Remark | None:
    """Return what a computer says in this position, or None: at most one speaks.

    `view` is a spectator's; `ended` is the round whose end the page displays, or None.
    """
    moment = view.move_count if ended is None else f"round {ended.number}"
    spoken = []
    for seat, occasion in _find_occasions(view, ended):
        persona = rows[seat].cast
        if persona is None or seat in view.gone:
            continue
        drawn, which, *_ = sha256(f"{code} {moment} {seat} {occasion}".encode()).digest()
        chance = CHANCES[persona.number] * (MORE_AT_ENDS if occasion in ENDS_OF_MATCH else 1)
        if (rank := drawn / 256 / chance) < 1:
            spoken.append((rank, Remark(seat, str(REMARKS[persona.number][occasion][which % 2]))))
    return min(spoken)[1] if spoken else None


def _find_occasions(view: View, ended: EndedRound | None) -> Iterator[tuple[int, Occasion]]:
    """Yield each seat that has an occasion to speak."""
    side_of, seats = view.terms.side_of, range(view.seats)
    if view.result is not None:
        winners = view.result.winners
        yield from (
            (seat, "match won" if side_of[seat] in winners else "match lost") for seat in seats if winners
        )
    elif ended is not None:
        winner = ended.end.winner
        if winner is not None:
            won = side_of[winner]
            yield from ((seat, "round won" if side_of[seat] == won else "round lost") for seat in seats)
    elif not view.move_count:
        yield from ((seat, "begin") for seat in seats)
    elif view.log:
        yield from _find_occasions_of_turn(view)


def _find_occasions_of_turn(view: View) -> Iterator[tuple[int, Occasion]]:
    side_of, last = view.terms.side_of, view.log[-1]
    if (last.scored or 0) >= MANY_POINTS and not view.rules.lowest_wins:
        yield last.seat, "scored"
        yield from (
            (seat, "others scored") for seat in range(view.seats) if side_of[seat] != side_of[last.seat]
        )
    elif last.move is not DRAW:
        before = takewhile(lambda entry: entry.move is DRAW, reversed(view.log[:-1]))
        if sum(1 for _ in before) >= MANY_DRAWN:
            yield last.seat, "drew"
