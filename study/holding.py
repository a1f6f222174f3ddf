"""What do they hold? Positions whose passes and draws tell which suits the other seat lacks, from a seed."""

from dataclasses import dataclass
from functools import cached_property
from itertools import count

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.computer.one_ply import most_points
from games.computer.selfplay import begun
from games.engine.perspective import View, perspective
from games.engine.presets import PRESETS
from games.table.movelist import move_list
from games.table.telling import move_lines
from study.positions import Position

_FEWEST, _MOST = 2, 5  # suits that are known to be lacking


@dataclass(frozen=True)
class Task(Position):
    """The position of this seed; `answer` is not asked for."""

    seed: str
    answer: str = ""

    @cached_property
    def view(self) -> View:
        """What the seat on turn saw, the first time that enough can be said of the other."""
        for number in count():
            match = begun(PRESETS["all-fives"].rules, 2, f"{self.seed} {number}")
            while match.turn is not None and not match.ended:
                view = perspective(match, match.turn)
                if _FEWEST <= len(view.lacks[1 - match.turn]) <= _MOST:
                    return view
                match = match.play(match.turn, most_points(view))
        raise AssertionError("count() has no end")

    @property
    def names(self) -> list[str]:
        return [_("you") if seat == self.seat_shown else _("opponent") for seat in range(2)]

    @property
    def moves(self) -> SafeString:
        """The round so far."""
        return move_list(move_lines(self.view.log, self.view.terms), self.names, self.view.terms, None)

    @property
    def lacks(self) -> frozenset[int]:
        return self.view.lacks[1 - self.seat_shown]

    @property
    def suits(self) -> range:
        return range(self.view.rules.set + 1)
