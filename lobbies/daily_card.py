"""The Daily Deal on the lobby's card: what a higher app registers."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from accounts.models import User


class DailyCard(NamedTuple):
    """Today's deal for one reader.

    score, place, field  of their result so far, "" and 0 while they have none
    percents             of the rounds that they have played, None without a comparison
    streak               in how many days in a row they have played
    """

    game: str
    rounds: int
    closes_at: datetime
    is_playing: bool = False
    score: str = ""
    place: int = 0
    field: int = 0
    percents: tuple[float | None, ...] = ()
    streak: int = 0

    @property
    def numbers(self) -> range:
        """Return the numbers of the rounds."""
        return range(1, self.rounds + 1)

    @property
    def bars(self) -> list[tuple[int, int, int]]:
        """Return the left edge, top and height of each round's bar, on 100 by 40."""
        width = 100 / max(1, self.rounds)
        tall = [round(2 + 0.36 * (percent or 0)) for percent in self.percents]
        return [(round(number * width), 40 - height, height) for number, height in enumerate(tall)]

    @property
    def bar_width(self) -> int:
        return round(100 / max(1, self.rounds)) - 3


_builders: list[Callable[[User | None, datetime], DailyCard | None]] = []


def register(build: Callable[[User | None, datetime], DailyCard | None]) -> None:
    """Have `build` make the card; it returns None on a day without a deal."""
    _builders[:] = [build]


def build(user: User | None, now: datetime) -> DailyCard | None:
    return _builders[0](user, now) if _builders else None
