"""Draws of whole nights for tests."""

from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256

from boneyard.engine.shuffle import chain
from nights.draws.draw import Draw, DrawRules, Entrants, Standing, draw_round
from nights.draws.formats import FORMATS
from nights.draws.meetings import Meetings

CODE = "friday"


def get_key(seed: int, number: int) -> bytes:
    """Return key `number` of the night with this seed."""
    return chain(sha256(str(seed).encode()).digest()).key(number)


def draw_night(name: str, count: int, rounds: int, *, seed: int = 0, known: int | None = None) -> list[Draw]:
    """Return the draws of a night to which everybody stays; rounds are won by who sits first."""
    rules = DrawRules(FORMATS[name], rounds=known)
    draws: list[Draw] = []
    for number in range(1, rounds + 1):
        draws.append(
            draw_round(
                rules, Entrants(tuple(range(1, count + 1))), draws, get_key(seed, number), number, CODE
            )
        )
    return draws


def count_meetings(draws: Sequence[Draw]) -> Meetings:
    """Return who sat with and against whom, how often."""
    return Meetings.of(sides for draw in draws for sides in draw.sides)


def rank(won: dict[int, Fraction]) -> dict[int, Standing]:
    """Return standings by rounds won alone."""
    order = sorted(won.values(), reverse=True)
    return {number: Standing(order.index(points) + 1, points) for number, points in won.items()}
