"""A match of the reference whose hands are arranged, for worked examples."""

from tests.engine.reference.match import Match
from tests.engine.reference.shuffle import chain
from tests.engine.reference.tiles import named


class ArrangedMatch:
    """Begins with these scores. Every round is dealt as it comes and then arranged by `deal`."""

    def __init__(self, rules: dict, seats: int, scores: list[int]):
        self.match = Match(rules, seats, "." * (seats - 1), lambda number: bytes([number] * 32))
        self.match.tally.scores = scores

    def deal(self, hands: list[str], boneyard: str, leader: int | None) -> None:
        """Give the round that has just begun these tiles, and another leader if one is named."""
        round_ = self.match.round
        round_.hands = [[named(tile) for tile in hand.split()] for hand in hands]
        round_.boneyard = [named(tile) for tile in boneyard.split()]
        round_.must_lead = None
        if leader is not None:
            round_.leader = self.match.turn = leader

    def play(self, seat: int, move: str, claim: int | None) -> None:
        """Raises NotAllowed."""
        self.match.play(seat, move, claim)

    def legal(self) -> list[str]:
        """Of the seat on turn, as sorted text."""
        return self.match.legal(self.match.turn)

    def ends(self) -> dict[str, int]:
        return self.match.layout.open_ends()

    def scores(self) -> list[int]:
        return self.match.scores

    def moves(self, number: int) -> list[dict]:
        """The moves of this round (from 1) as a record has them, while it is played too."""
        ended = self.match.ended
        return ended[number - 1]["moves"] if number <= len(ended) else self.match.round.moves

    def end(self, number: int) -> dict:
        return self.match.ended[number - 1]["end"]

    def opening(self) -> dict:
        """What the record of the round now played begins with."""
        return self.match.round.opening()

    def result(self) -> dict | None:
        return self.match.result


def opening(rules: dict, seats: int, secret: bytes) -> dict:
    """What the record of a match opens with that has this s[1000] and no nonces."""
    keys = chain(secret)
    return Match(rules, seats, "." * (seats - 1), lambda number: keys[number]).round.opening()
