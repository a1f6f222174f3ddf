"""An engine match with chosen hands, for the worked examples; see reference/arranged_match.py."""

from dataclasses import replace

from boneyard.engine import moves, records, rounds
from boneyard.engine.matches import begin
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from boneyard.engine.tiles import mask_of
from tests.engine.positions import tiles_of

SECRET = bytes(range(32))


class ArrangedMatch:
    """A match with given scores. Each round is dealt as usual and then replaced with `deal`."""

    def __init__(self, rules: dict, seats: int, scores: list[int]):
        self.match = begin(Rules.from_dict(rules), seats, SECRET, "." * (seats - 1))
        self.match = self.match._replace(scores=tuple(scores))

    def deal(self, hands: list[str], boneyard: str, leader: int | None) -> None:
        """Replace the hands and boneyard of the new round, and its leader if `leader` is not None."""
        match, was = self.match, self.match.round
        deal = was.deal._replace(
            hands=tuple(tiles_of(hand) for hand in hands),
            boneyard=tiles_of(boneyard),
            lead_draws=(),
            named=None,
        )
        if leader is not None:
            deal = deal._replace(leader=leader)
        drawable = 0 if match.rules.draw == "none" else max(0, len(deal.boneyard) - match.terms.reserve)
        terms = replace(match.terms, drawable=drawable)
        round_ = rounds.begin(terms, deal, was.gone)
        assert round_.hands == tuple(mask_of(hand) for hand in deal.hands)
        self.match = match._replace(terms=terms, round=round_, turn=round_.turn)

    def play(self, seat: int, move: str, claim: int | None) -> None:
        """Play a move. Raise `Illegal` or `Malformed`."""
        self.match = self.match.play(seat, moves.parse(move), claim)

    def legal(self) -> list[str]:
        """Return the legal moves of the seat on turn as sorted text."""
        return sorted(map(str, self.match.legal_moves))

    def ends(self) -> dict[str, int]:
        assert self.match.round.layout is not None
        return dict(self.match.round.layout.ends)

    def scores(self) -> list[int]:
        return list(self.match.scores)

    def moves(self, number: int) -> list[dict]:
        """Return the moves of a round (from 1), in play or ended, as in a record."""
        ended = self.match.ended
        round_ = ended[number - 1].round if number <= len(ended) else self.match.round
        return [records.entry_data(entry, self.match.terms.must_claim) for entry in round_.log]

    def end(self, number: int) -> dict:
        return records.round_end_data(self.match.ended[number - 1])["end"]

    def opening(self) -> dict:
        """Return the deal of the round in play as in a record."""
        return records.deal_data(self.match.round.deal)

    def result(self) -> dict | None:
        result = self.match.result
        return None if result is None else records.result_data(result)


def opening(rules: dict, seats: int, secret: bytes) -> dict:
    """Return the first deal, as in a record, of a match with this s[1000] and no nonces."""
    match = begin(Rules.from_dict(rules), seats, secret, "." * (seats - 1))
    return records.deal_data(match.round.deal)


def keeps_name(preset: dict, rules: dict) -> bool:
    """Return whether a record under these rules keeps the name of the preset."""
    return PRESETS[preset["id"]].is_played_by(Rules.from_dict(rules))
