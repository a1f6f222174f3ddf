"""A reference match with chosen hands, for the worked examples."""

from tests.engine.reference.match import Match
from tests.engine.reference.shuffle import chain
from tests.engine.reference.tiles import parse_tile


class ArrangedMatch:
    """A match with given scores. Each round is dealt as usual and then replaced with `deal`."""

    def __init__(self, rules: dict, seats: int, scores: list[int]):
        self.match = Match(rules, seats, "." * (seats - 1), lambda number: bytes([number] * 32))
        self.match.tally.scores = scores

    def deal(self, hands: list[str], boneyard: str, leader: int | None) -> None:
        """Replace the hands and boneyard of the new round, and its leader if `leader` is not None."""
        round_ = self.match.round
        round_.hands = [[parse_tile(tile) for tile in hand.split()] for hand in hands]
        round_.boneyard = [parse_tile(tile) for tile in boneyard.split()]
        round_.must_lead = None
        if leader is not None:
            round_.leader = self.match.turn = leader

    def play(self, seat: int, move: str, claim: int | None) -> None:
        """Play a move. Raise `NotAllowed`."""
        self.match.play(seat, move, claim)

    def legal(self) -> list[str]:
        """Return the legal moves of the seat on turn as sorted text."""
        return [] if self.match.turn is None else self.match.legal(self.match.turn)

    def ends(self) -> dict[str, int]:
        return self.match.layout.open_ends()

    def scores(self) -> list[int]:
        return self.match.scores

    def moves(self, number: int) -> list[dict]:
        """Return the moves of a round (from 1), in play or ended, as in a record."""
        ended = self.match.ended
        return ended[number - 1]["moves"] if number <= len(ended) else self.match.round.moves

    def end(self, number: int) -> dict:
        return self.match.ended[number - 1]["end"]

    def opening(self) -> dict:
        """Return the deal of the round in play as in a record."""
        return self.match.round.opening()

    def result(self) -> dict | None:
        return self.match.result


def opening(rules: dict, seats: int, secret: bytes) -> dict:
    """Return the first deal, as in a record, of a match with this s[1000] and no nonces."""
    keys = chain(secret)
    return Match(rules, seats, "." * (seats - 1), lambda number: keys[number]).round.opening()
