"""The seats of a match: who plays on, who has turns in a round, and whose turn is next."""

from tests.engine.reference.deal import Round
from tests.engine.reference.settlement import side_of


class Seating:
    """The seats of a match in play; `gone` have left."""

    rules: dict
    seats: int
    sides: list[list[int]]
    gone: list[int]
    round: Round

    def playing(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat not in self.gone]

    def sides_playing(self) -> list[int]:
        return [
            number for number, side in enumerate(self.sides) if not any(seat in self.gone for seat in side)
        ]

    def after(self, seat: int) -> int:
        """Return the next seat clockwise that still plays."""
        seat = (seat + 1) % self.seats
        while seat in self.gone:
            seat = (seat + 1) % self.seats
        return seat

    def next_on_turn(self, seat: int) -> int:
        """Return the next seat clockwise that has turns in this round."""
        seat = self.after(seat)
        while not self.round.hands[seat] and self._pair_of(seat):
            seat = self.after(seat)
        return seat

    def having_turns(self) -> list[int]:
        """Return the seats that have turns in this round."""
        return [seat for seat in self.playing() if self.round.hands[seat] or not self._pair_of(seat)]

    def _pair_of(self, seat: int) -> list[int]:
        """Return the seats of the pair if both have to go out, else []."""
        side = self.sides[side_of(seat, self.sides)]
        return side if self.rules["partners_out"] == "both" and len(side) == 2 else []

    def is_out(self, seat: int) -> bool:
        """Return whether a round ends because this seat has played its last tile."""
        return not any(self.round.hands[each] for each in self._pair_of(seat) or [seat])
