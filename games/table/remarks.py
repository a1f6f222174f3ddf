"""Find what the computers say now and then.

A remark follows from what everybody sees, the match's code and the position. So no row stores it, every viewer of a
position and every process finds the same one, and it tells nothing of a hand.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import takewhile
from typing import NamedTuple

from boneyard.engine.moves import DRAW
from boneyard.engine.perspective import View
from boneyard.engine.round_ends import EndedRound
from boneyard.engine.rounds import Entry
from games.models import Seat
from games.wording.remarks import Occasion

MATCH_END_FACTOR = 1.6  # of the chance
MATCH_END = ("match won", "match lost")
MANY_POINTS = 15
MANY_DRAWN = 4


class Remark(NamedTuple):
    """What the computer in a seat says; `moment` is the position or end of which it speaks."""

    seat: int
    text: str
    moment: str


def find_remark(code: str, view: View, rows: Sequence[Seat], ended: EndedRound | None) -> Remark | None:
    """Return what a computer says, or None. It lasts for as many moves as there are seats; at most one speaks.

    `view` is a spectator's; `ended` is the round whose end the page displays, or None.
    """
    personas = [row.cast for row in rows]
    if not any(personas):
        return None
    for moment, occasions in _find_occasions(view, ended):
        candidates = []
        for seat, occasion in occasions:
            persona = personas[seat]
            if persona is None or seat in view.gone:
                continue
            chance_byte, which, *_ = sha256(f"{code} {moment} {seat} {occasion}".encode()).digest()
            chance = persona.manner.chance * (MATCH_END_FACTOR if occasion in MATCH_END else 1)
            if (rank := chance_byte / 256 / chance) < 1:
                text = str(persona.manner.remarks[occasion][which % 2])
                candidates.append((rank, Remark(seat, text, moment)))
        if candidates:
            return min(candidates)[1]
    return None


def _find_occasions(
    view: View, ended: EndedRound | None
) -> Iterator[tuple[str, Iterable[tuple[int, Occasion]]]]:
    """Yield each moment, the latest first, and the seats that have an occasion to speak then."""
    side_of, seats, log = view.terms.side_of, range(view.seats), view.log
    if ended is not None and ended.end.how == "stopped":
        return  # somebody left, or time ended the match: nobody boasts of that
    if view.result is not None:
        if won_by := view.result.winners:
            yield "end", ((seat, "match won" if side_of[seat] in won_by else "match lost") for seat in seats)
    elif ended is not None:
        if (winner := ended.end.winner) is not None:
            won = side_of[winner]
            yield (
                f"round {ended.number}",
                ((seat, "round won" if side_of[seat] == won else "round lost") for seat in seats),
            )
    else:
        for length in range(len(log), max(0, len(log) - view.seats), -1):
            yield f"{view.round} {length}", _find_occasions_of_turn(view, log[:length])
        if not view.ended and len(log) < view.seats:
            yield "begin", ((seat, "begin") for seat in seats)


def _find_occasions_of_turn(view: View, log: Sequence[Entry]) -> Iterator[tuple[int, Occasion]]:
    """Yield the seats that have an occasion after the last of these moves."""
    side_of, last = view.terms.side_of, log[-1]
    if (last.scored or 0) >= MANY_POINTS and not view.rules.lowest_wins:
        yield last.seat, "scored"
        yield from (
            (seat, "others scored") for seat in range(view.seats) if side_of[seat] != side_of[last.seat]
        )
    elif last.move is not DRAW:
        before = takewhile(lambda entry: entry.move is DRAW, reversed(log[:-1]))
        if sum(1 for _ in before) >= MANY_DRAWN:
            yield last.seat, "drew"
