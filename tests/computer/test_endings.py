"""Tests that endings are solved exactly: against an enumeration of all deals, played with the engine."""

from collections import Counter, defaultdict
from itertools import chain, count, islice, permutations
from random import Random

import pytest

from boneyard.computer.endings import Ending, is_solvable
from boneyard.computer.players import STRATEGIES, choose_move
from boneyard.computer.search import SearchPlan, distinct_moves, search, solve_ending
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from boneyard.engine.tiles import mask_of

from .tables import another_deal, positions, replayed

_MAX_HAND_TILES = 4  # the enumeration of more takes minutes
UNLIMITED = SearchPlan(0, 0, ending_work=1 << 60)


def endings(preset, hidden, number):
    """Return positions with a choice and this many hidden tiles."""
    matches = chain.from_iterable(positions(PRESETS[preset].rules, 2, f"{preset} {seed}") for seed in count())
    return list(islice((match for match in matches if is_ending(match, hidden)), number))


def is_ending(match, hidden):
    view = perspective(match, match.turn)
    unseen = view.boneyard + view.tiles[1 - match.turn]
    small = len(view.hand) <= _MAX_HAND_TILES
    return small and unseen == hidden and is_solvable(view) and len(distinct_moves(view)) > 1


def possible_deals(match):
    """Yield the match under every deal that the seat on turn cannot distinguish from its own."""
    view, deal = perspective(match, match.turn), match.round.deal
    places = [list(hand) for hand in deal.hands] + [list(deal.boneyard)]
    hidden = [(tiles, at) for tiles in places for at, tile in enumerate(tiles) if not view.seen >> tile & 1]
    for order in permutations([tiles[at] for tiles, at in hidden]):
        for (tiles, at), tile in zip(hidden, order, strict=True):
            tiles[at] = tile
        changed = deal._replace(hands=tuple(map(tuple, places[:-1])), boneyard=tuple(places[-1]))
        other = replayed(match, changed)
        if other is not None and perspective(other, match.turn) == view:
            yield other


class Enumeration:
    """The best response of a seat, by playing every deal on with the engine."""

    def __init__(self, seat, ending, rounds):
        self.seat, self.ending, self.rounds = seat, ending, rounds

    def best(self, deals):
        """Return the sum of the best values of (weight, match) that the seat cannot distinguish."""
        match = deals[0][1]
        if len(match.ended) > self.rounds:
            scores = [(weight, each.ended[self.rounds].scores) for weight, each in deals]
            return sum(weight * (score[self.seat] - score[1 - self.seat]) for weight, score in scores)
        if match.turn == self.seat:
            return max(self.after(deals, move) for move in match.legal(self.seat))
        return self.after(deals, None)

    def after(self, deals, move):
        groups = defaultdict(list)
        for weight, match in deals:
            for reply, share in [(move, 1.0)] if move else self.replies(match):
                played = match.play(match.turn, reply)
                groups[self.seen(played)].append((weight * share, played))
        return sum(self.best(group) for group in groups.values())

    def replies(self, match):
        legal = match.legal(match.turn)
        if legal[0].kind != "play":
            return [(legal[0], 1.0)]
        unlaid = (1 << 28) - 1 & ~mask_of([laid.tile for laid in match.round.laid])
        return self.ending._replies_of(match.round.layout, unlaid, mask_of(match.round.held(match.turn)))

    def seen(self, match):
        """Return what the seat sees; ends of rounds need no further distinction."""
        if len(match.ended) > self.rounds:
            return None
        return tuple(
            (entry.seat, entry.move, entry.tile if entry.seat == self.seat else None)
            for entry in match.round.log
        )


@pytest.mark.parametrize(
    ("preset", "hidden", "number"), [("draw", 3, 4), ("draw", 4, 3), ("draw-free", 3, 2)]
)
def test_values_are_those_of_an_enumeration(preset, hidden, number):
    for match in endings(preset, hidden, number):
        view, seat = perspective(match, match.turn), match.turn
        deals = list(possible_deals(match))
        hands = Counter(mask_of(each.round.held(1 - seat)) for each in deals)
        solver: list[Ending] = []

        def keep(view, end_value, max_work, solver=solver):
            solver.append(Ending(view, end_value, max_work))
            return solver[0]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("boneyard.computer.search.Ending", keep)
            patch.setattr(
                "boneyard.computer.search.possible_hands", lambda _weighed, hands=hands: dict(hands)
            )
            values = solve_ending(view, UNLIMITED, Random(1))
        enumeration = Enumeration(seat, solver[0], len(match.ended))
        for move, value in values:
            expected = enumeration.after([(1 / len(deals), each) for each in deals], move)
            assert value == pytest.approx(expected), (move, view)


def test_ending_of_too_much_work_is_searched():
    plan = STRATEGIES["master"].uncounted
    for match in endings("draw", 7, 2):
        view = perspective(match, match.turn)
        assert solve_ending(view, plan._replace(ending_work=1), Random(1)) == []
        searched = search(view, plan._replace(ending_work=0), Random(1))
        assert search(view, plan._replace(ending_work=1), Random(1)) == searched


@pytest.mark.parametrize("preset", ["draw", "draw-free"])
def test_hidden_tiles_do_not_change_the_move_in_an_ending(preset):
    rng = Random(preset)
    found = [(match, another_deal(match, match.turn, rng)) for match in endings(preset, 5, 5)]
    pairs = [(match, other) for match, other in found if other is not None]
    assert pairs
    for match, other in pairs:
        assert match.round.hands != other.round.hands
        first, second = (choose_move(perspective(each, match.turn), "master", 7) for each in (match, other))
        assert first == second


def test_games_with_other_ends_are_not_solved():
    for preset, seats in (("all-fives", 2), ("kozel", 2), ("draw", 3), ("dominican", 4)):
        for match in positions(PRESETS[preset].rules, seats, "1"):
            assert not is_solvable(perspective(match, match.turn))
