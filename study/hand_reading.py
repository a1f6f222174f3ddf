"""Build the positions of the hand reading trainer from a seed."""

from dataclasses import dataclass
from functools import cached_property
from itertools import count

from django.utils.translation import gettext as _

from boneyard.computer.one_ply import take_most_points
from boneyard.computer.selfplay import begin_seeded
from boneyard.engine.perspective import View, perspective
from boneyard.engine.presets import PRESETS
from study.positions import Position

_MIN_LACKED_SUITS, _MAX_LACKED_SUITS = 2, 5


@dataclass(frozen=True)
class HandReadingTask(Position):
    """The position for a seed: mark the suits that the other seat lacks. No move is tried."""

    seed: str
    answer = ""

    @cached_property
    def view(self) -> View:
        """Return the first view from which enough suits of the other seat can be excluded."""
        for number in count():
            match = begin_seeded(PRESETS["all-fives"].rules, 2, f"{self.seed} {number}")
            while match.turn is not None and not match.ended:
                view = perspective(match, match.turn)
                if _MIN_LACKED_SUITS <= len(view.lacks[1 - match.turn]) <= _MAX_LACKED_SUITS:
                    return view
                match = match.play(match.turn, take_most_points(view))
        raise AssertionError("count() has no end")

    @property
    def names(self) -> list[str]:
        return [_("you") if seat == self.viewer_seat else _("opponent") for seat in range(2)]

    @property
    def lacks(self) -> frozenset[int]:
        return self.view.lacks[1 - self.viewer_seat]

    @property
    def suits(self) -> range:
        return range(self.view.rules.set + 1)
