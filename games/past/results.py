"""A finished match by its sides, for lists: who sat together, with what score, and who won."""

from typing import NamedTuple

from games.models import Match, Seat


class Side(NamedTuple):
    """Those who scored together; `won` is None where nobody did or the match was called off."""

    seats: tuple[Seat, ...]
    score: int
    won: bool | None

    @property
    def names(self) -> str:
        return " & ".join(seat.shown_name for seat in self.seats)


def sides_of(match: Match) -> tuple[Side, ...]:
    """The sides of an ended match whose seats are at hand, by seat."""
    seats = list(match.seats.all())
    number = len(match.scores) or len(seats)
    return tuple(
        Side(tuple(seats[side::number]), score, seats[side].won) for side, score in enumerate(match.scores)
    )
