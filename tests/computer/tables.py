"""Matches and views for the tests of computer players."""

from collections.abc import Iterator
from random import Random

from boneyard.computer.players import choose_move
from boneyard.engine import rounds
from boneyard.engine.errors import Illegal
from boneyard.engine.matches import Match, begin
from boneyard.engine.perspective import View, perspective
from boneyard.engine.rounds import Deal
from boneyard.engine.rules import Rules


def opened(rules: Rules, seats: int, seed: str) -> Match:
    """Return a match before its first lead, the same for the same seed."""
    return begin(rules, seats, Random(seed).randbytes(32), seed)


def casually(match: Match) -> Match:
    """Return the match after a casual computer's move for the seat on turn."""
    move, claim = choose_move(perspective(match, match.turn), "casual", match.move_count)
    assert match.turn is not None and move is not None
    return match.play(match.turn, move, claim).after_calls()


def positions(rules: Rules, seats: int, seed: str, rounds: int = 1) -> Iterator[Match]:
    """Yield the positions of a match until `rounds` rounds have ended."""
    match = opened(rules, seats, seed)
    while match.result is None and len(match.ended) < rounds:
        yield match
        match = casually(match)


def views(rules: Rules, seats: int, seed: str, rounds: int = 1) -> list[View]:
    """Return the view of each seat on turn that had a choice."""
    seen = [perspective(match, match.turn) for match in positions(rules, seats, seed, rounds)]
    return [view for view in seen if len(view.legal) > 1]


def another_deal(match: Match, seat: int, rng: Random) -> Match | None:
    """Return the match with hidden tiles exchanged so that `seat` has seen the same; None if not found.

    The engine checks the other deal: every move of the round is replayed under it.
    """
    view, deal = perspective(match, seat), match.round.deal
    for _ in range(300):
        places = [list(hand) for hand in deal.hands] + [list(deal.boneyard)]
        hidden = [
            (tiles, index)
            for tiles in places
            for index, tile in enumerate(tiles)
            if not view.seen >> tile & 1
        ]
        if len(hidden) < 2:
            return None
        (one, first), (two, second) = rng.sample(hidden, 2)
        one[first], two[second] = two[second], one[first]
        changed = deal._replace(hands=tuple(map(tuple, places[:-1])), boneyard=tuple(places[-1]))
        other = replayed(match, changed)
        if other is not None and other.round.hands != match.round.hands and perspective(other, seat) == view:
            return other
    return None


def replayed(match: Match, deal: Deal) -> Match | None:
    log = match.round.log
    round_ = rounds.begin(match.terms, deal, match.gone)
    scores = match.ended[-1].scores if match.ended else (0,) * len(match.sides)
    other = match._replace(
        round=round_, turn=round_.turn, scores=scores, move_count=match.move_count - len(log)
    )
    try:
        for entry in log:
            other = other.play(entry.seat, entry.move, entry.claim)
    except Illegal:
        return None
    return other
