"""Tests of the search of the seat's later moves."""

from collections import defaultdict
from random import Random

from boneyard.computer.beliefs import Beliefs, SampledDeal
from boneyard.computer.greedy import careful_policy
from boneyard.computer.later_moves import Bandit, LaterMoves
from boneyard.engine.full_playout import playout_class
from boneyard.engine.moves import DRAW, Move, parse
from boneyard.engine.perspective import View, perspective
from boneyard.engine.playout import Playout
from tests.engine.positions import arrange, play_moves, rules_of, tiles_of

OWN = parse("6-5@L")


def start(view: View, deal: SampledDeal) -> Playout:
    return playout_class(view.terms)(
        view.terms,
        hands=deal.hands,
        boneyard=deal.boneyard,
        layout=view.layout(),
        turn=view.turn,
        scores=view.scores,
    )


def test_bandit_tries_the_policys_move_first_and_settles_on_the_best():
    bandit, values = Bandit([parse("6-6"), parse("5-5"), parse("4-4")]), (0.5, 0.0, 1.0)
    tried = []
    for _ in range(200):
        arm = bandit.choose(0.5)
        bandit.counts[arm] += 1
        bandit.sums[arm] += values[arm]
        tried.append(arm)
    assert tried[0] == 0
    assert set(tried) == {0, 1, 2}
    assert tried.count(2) > 150


def test_deals_that_look_the_same_share_a_choice():
    match = play_moves(arrange(rules_of("block"), ["6-6 6-5 5-4 3-1", "6-4 6-2 3-3 2-1"]), "6-6", "6-4@R")
    view = perspective(match, 0)
    careful, seen = careful_policy(view.terms).move, list[Move]()

    def policy(playout: Playout) -> Move:
        move = careful(playout)
        if playout.turn != view.seat:
            seen.append(move)
        return move

    later, rng = LaterMoves(0, 1, policy), Random(1)
    found: dict[tuple[Move, ...], set[int]] = defaultdict(set)
    for _ in range(100):
        playout = start(view, Beliefs(view, reads_plays=False).deal(rng))
        seen.clear()
        playout.play(OWN)
        choices, _turns = later.play(playout, OWN)
        later.record(choices, 1.0)
        found[tuple(seen)] |= {id(choice.bandit) for choice in choices}
    assert len(found) > 3
    assert all(len(bandits) <= 1 for bandits in found.values())
    # Different moves of the others are different choices.
    assert len(set().union(*found.values())) == sum(map(bool, found.values()))


def test_own_draw_decides_which_choice_is_made():
    # The other seat draws 5-3 and plays it; then the seat with 1-1 must draw.
    boneyards = ["5-3 2-0 1-0 2-2 0-0 5-5", "5-3 1-0 2-0 2-2 0-0 5-5"]
    match = play_moves(arrange(rules_of("draw"), ["6-6 6-5 1-1", "6-4 6-2"], boneyards[0]), "6-6", "6-4@R")
    view = perspective(match, 0)
    later, bandits = LaterMoves(0, 2, careful_policy(view.terms).move), []
    for boneyard in boneyards:
        playout = start(view, SampledDeal(list(match.round.hands), list(tiles_of(boneyard))))
        playout.play(OWN)
        choices, _moves = later.play(playout, OWN)
        bandits.append([choice.bandit for choice in choices])
    (first, drawn), (again, other) = bandits
    assert first is again and first.moves == [DRAW]
    assert drawn is not other


def test_later_choice_follows_the_values_and_not_the_policy():
    match = play_moves(arrange(rules_of("block"), ["6-6 6-5 5-4 4-1", "6-4 6-2 3-3 2-1"]), "6-6", "6-4@R")
    view = perspective(match, 0)
    later = LaterMoves(0, 1, careful_policy(view.terms).move)
    lighter, made = parse("4-1@R"), list[Move]()
    hands = list(match.round.hands)
    for _ in range(100):
        playout = start(view, SampledDeal(hands, []))
        playout.play(OWN)
        choices, _turns = later.play(playout, OWN)
        made += [choice.bandit.moves[choice.arm] for choice in choices]
        later.record(choices, float(made[-1] == lighter))
    assert made[0] != lighter
    assert made.count(lighter) > 80
