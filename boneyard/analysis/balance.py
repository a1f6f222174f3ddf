"""Divide the result of a match into luck and play, move by move, so that they add up to it.

One series of values runs from the start (all sides equal) through each deal and each decision to the result. A step of
it lasts until the next value. Its **play** is what the seat lost by its decision, judged by what it could know; the
other sides gain it. Its **luck** is the rest of its change: the tiles dealt, and what lay in the hands that the seat
could not see. So start + luck + play = result for each side, in chances and in points.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from .values import Value

_DIGITS = 12  # removes what floats add to sums of rounded figures

ChargeKind = Literal["decision", "call", "open", "left"]


class Charge(NamedTuple):
    """What a seat lost by a decision: in chances to win, and in points (less than 0: it gained points).

    decision  a move, or a claim with it
    call      open points of another side that it did not call
    open      points that it left open, and that others could call
    left      it left the match
    """

    seat: int
    kind: ChargeKind
    chance: float
    points: float


@dataclass(frozen=True)
class Step:
    """A part of the series: a deal (`seat` is None), or a decision with what followed until the next.

    number  of its first move in the match, from 1; of a deal, of the first move after it
    """

    number: int
    seat: int | None
    luck: Value
    play: Value
    charges: tuple[Charge, ...]

    def as_dict(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "seat": self.seat,
            "luck": self.luck.as_dict(),
            "play": self.play.as_dict(),
            "charges": [list(charge) for charge in self.charges],
        }


@dataclass(frozen=True)
class Balance:
    """The series of a match. `end` is the value of the result; `is_decided` is false if nobody won."""

    start: Value
    steps: tuple[Step, ...]
    end: Value
    is_decided: bool

    @property
    def luck(self) -> Value:
        return _sum(self.start, [step.luck for step in self.steps])

    @property
    def play(self) -> Value:
        return _sum(self.start, [step.play for step in self.steps])

    def as_dict(self) -> dict[str, Any]:
        return {
            "start": self.start.as_dict(),
            "steps": [step.as_dict() for step in self.steps],
            "end": self.end.as_dict(),
        }


class Series:
    """A balance in the making. One step at a time is open, and collects charges until its end is valued."""

    def __init__(self, start: Value, side_of: Sequence[int]) -> None:
        self._start = self.value = start
        self._side_of = side_of
        self._steps: list[Step] = []
        self._open: tuple[int, int | None] | None = None
        self._charges: list[Charge] = []
        self._play = _nothing(start)

    @property
    def is_open(self) -> bool:
        return self._open is not None

    def open(self, number: int, seat: int | None) -> None:
        """Begin a step, at the value of the last one's end."""
        assert self._open is None
        self._open = number, seat

    def charge(self, charge: Charge, sides: Collection[int]) -> None:
        """Charge a seat in the open step; the others of `sides`, which are still in the match, gain it equally."""
        assert self._open is not None
        self._charges.append(charge)
        own = self._side_of[charge.seat]
        others = [side for side in sides if side != own]
        gains = {side: _share(charge, len(others), last=side == others[-1]) for side in others}
        gains[own] = (-charge.chance, -charge.points)
        gained = [gains.get(side, (0.0, 0.0)) for side in range(len(self._start.chances))]
        self._play = _sum(self._play, [self._play, Value(*map(tuple, zip(*gained, strict=True)))])

    def close(self, value: Value) -> None:
        """End the open step at this value: what its play does not explain is luck."""
        assert self._open is not None
        luck = _difference(_difference(value, self.value), self._play)
        self._steps.append(Step(*self._open, luck, self._play, tuple(self._charges)))
        self.value = value
        self._open, self._charges, self._play = None, [], _nothing(value)

    def balance(self, is_decided: bool) -> Balance:
        return Balance(self._start, tuple(self._steps), self.value, is_decided)


def _share(charge: Charge, others: int, last: bool) -> tuple[float, float]:
    """Return what one of the others gains; the last one takes what rounding leaves."""
    chance, points = round(charge.chance / others, 6), round(charge.points / others, 6)
    if not last:
        return chance, points
    return charge.chance - (others - 1) * chance, charge.points - (others - 1) * points


def _nothing(like: Value) -> Value:
    return Value(*((0.0,) * len(part) for part in like))


def _difference(one: Value, other: Value) -> Value:
    pairs = zip(one, other, strict=True)
    return Value(*(tuple(round(a - b, _DIGITS) for a, b in zip(*pair, strict=True)) for pair in pairs))


def _sum(like: Value, values: Sequence[Value]) -> Value:
    if not values:
        return _nothing(like)
    parts = zip(*values, strict=True)
    return Value(
        *(tuple(round(sum(of_side), _DIGITS) for of_side in zip(*part, strict=True)) for part in parts)
    )
