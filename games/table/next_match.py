"""Find what a player may play after the match besides a rematch: another opponent, or another computer."""

from collections.abc import Sequence
from typing import NamedTuple

from boneyard.engine.records import LEVELS
from games.models import Match, Seat
from games.time.day_clocks import format_clock_field


class NextMatch(NamedTuple):
    """The choices; "" for one that is not offered.

    clock     as quick play parses it, to look for a new opponent
    weaker    a computer's level
    stronger  a computer's level
    """

    clock: str = ""
    weaker: str = ""
    stronger: str = ""


NO_NEXT_MATCH = NextMatch()


def find_next_match(match: Match, seats: Sequence[Seat], mine: Seat | None) -> NextMatch:
    """Return what `mine` may play next in the same game; nothing for spectators, at a night and with house rules."""
    if mine is None or match.preset is None or match.night:
        return NO_NEXT_MATCH
    others = [seat for seat in seats if seat is not mine]
    if all(seat.kind == Seat.Kind.COMPUTER for seat in others):
        level = max(LEVELS.index(seat.level) for seat in others)
        weaker, stronger = LEVELS[:level], LEVELS[level + 1 :]
        return NextMatch(weaker=weaker[-1] if weaker else "", stronger=stronger[0] if stronger else "")
    return NextMatch(clock=format_clock_field(match.clock))
