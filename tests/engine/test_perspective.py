"""Tests that a view contains all that its viewer may know and nothing else."""

import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boneyard.engine import moves
from boneyard.engine.matches import Match, begin
from boneyard.engine.moves import DRAW, MUGGINS, RESIGN
from boneyard.engine.perspective import perspective
from boneyard.engine.tiles import HIGH, LOW, mask_of, members, parse

from .positions import SECRET, arrange, names_of, play_moves, rules_of
from .strategies import new_matches, play_out, random_step


def viewers(match: Match):
    return [None, *range(match.seats)]


def moments(match: Match, seed: int, leaving: float = 0.02):
    """Yield some positions of a random match."""
    rng = Random(seed)
    for _ in range(120):
        if match.result is not None:
            return
        if rng.random() < 0.2:
            yield match
        match = random_step(match, rng, leaving)


def permute_hidden_tiles(match: Match, seat: int | None, rng: Random) -> Match:
    """Return the match with the tiles hidden from `seat` permuted: hands of others and boneyard."""
    round_ = match.round
    hidden = list(round_.boneyard)
    for other in range(match.seats):
        if other != seat:
            hidden += members(round_.hands[other])
    if round_.layout is None and round_.named in hidden:
        # The tile that must be led is public.
        hidden.remove(round_.named)
    mixed = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))

    def permuted(tiles):
        return tuple(mixed.get(tile, tile) for tile in tiles)

    deal = round_.deal._replace(
        hands=tuple(map(permuted, round_.deal.hands)),
        boneyard=permuted(round_.deal.boneyard),
        lead_draws=tuple((who, mixed.get(tile, tile)) for who, tile in round_.deal.lead_draws),
    )
    log = tuple(entry._replace(tile=mixed.get(entry.tile, entry.tile)) for entry in round_.log)
    hands = tuple(mask_of(permuted(members(hand))) for hand in round_.hands)
    return match._replace(round=round_._replace(deal=deal, log=log, hands=hands))


@given(new_matches(), st.integers(0, 1000))
def test_view_is_independent_of_hidden_tiles(match, seed):
    rng = Random(seed)
    for moment in moments(match, seed):
        for seat in viewers(moment):
            other = permute_hidden_tiles(moment, seat, rng)
            assert perspective(other, seat) == perspective(moment, seat)


@given(new_matches(), st.integers(0, 1000))
def test_view_has_no_unpublished_key(match, seed):
    for moment in moments(match, seed):
        number = moment.round.number
        for seat in viewers(moment):
            pickled = pickle.dumps(perspective(moment, seat))
            assert pickle.loads(pickled) == perspective(moment, seat)
            for later in {number, number + 1, 1000} - {ended.number for ended in moment.ended}:
                if later <= 1000:
                    assert moment.keys.key(later) not in pickled
                    assert moment.keys.key(later).hex().encode() not in pickled


@given(new_matches(), st.integers(0, 1000))
def test_lacking_suits_are_not_held(match, seed):
    for moment in moments(match, seed, leaving=0):
        for seat, suits in enumerate(perspective(moment, None).lacks):
            held = members(moment.round.hands[seat])
            assert suits.isdisjoint(HIGH[tile] for tile in held)
            assert suits.isdisjoint(LOW[tile] for tile in held)


@given(new_matches(), st.integers(0, 1000))
def test_view_layout_matches_the_round(match, seed):
    for moment in moments(match, seed):
        view = perspective(moment, moment.turn)
        assert view.layout() == moment.round.layout
        assert view.terms == moment.terms
        for move in view.legal:
            if move.kind == "play":
                layout = moment.round.layout_after(move)
                claim = view.points(move) or None if moment.terms.must_claim else None
                entry = (moment.play(moment.turn, move, claim).ended or (None,))[-1]
                assert view.layout_after(move) == layout
                assert view.points(move) >= moment.terms.points[layout.count]
                assert entry is None or entry.scores


@given(new_matches(), st.integers(0, 1000))
def test_perspective_accepts_only_a_public_view(match, seed):
    for moment in moments(match, seed):
        public = perspective(moment, None)
        for seat in range(moment.seats):
            own = perspective(moment, seat)
            assert perspective(moment, seat, public) == own
            for viewer in (None, seat):
                with pytest.raises(ValueError, match="not public"):
                    perspective(moment, viewer, own)


def test_view_contents():
    match = play_moves(arrange(rules_of(), ["6-4 5-0 1-1", "6-6 2-1 2-0"], "0-0 3-3"), "6-4", "6-6@L")
    view = perspective(match, 0)
    assert (view.seat, view.seats, view.sides, view.turn, view.round) == (0, 2, ((0,), (1,)), 0, 1)
    assert names_of(view.hand) == "5-0 1-1"
    assert view.legal == (DRAW,)
    assert [(*laid,) for laid in view.laid] == [(parse("6-4"), None, 0), (parse("6-6"), "L", 1)]
    assert (view.ends, view.end_values, view.count) == ({"L": 6, "R": 4}, {"L": 12, "R": 4}, 16)
    assert view.spinner == parse("6-6")
    assert (view.tiles, view.boneyard, view.reserve) == ((2, 2), 2, 0)
    assert (view.scores, view.gone, view.result) == ((10, 0), frozenset(), None)
    assert view.seen == mask_of([parse(name) for name in ("6-4", "6-6", "5-0", "1-1")])
    assert (view.may_call, view.may_abort, view.move_count) == (False, False, 2)
    assert perspective(match, 1).legal == ()
    assert not perspective(match, 1).may_abort
    spectator = perspective(match, None)
    assert (spectator.hand, spectator.legal, spectator.may_abort) == ((), (), False)
    assert spectator.log == view.log


def test_view_before_the_lead():
    match = begin(rules_of(), 2, SECRET, "a1b2.")
    view = perspective(match, 1)
    assert (view.laid, view.ends, view.end_values, view.count, view.spinner) == ((), {}, None, None, None)
    assert names_of(view.lots) == "6-1 5-4"
    assert view.layout() is None
    assert view.may_abort
    assert names_of(view.hand) == "5-0 5-2 6-6 6-4 4-0 2-2 6-1"


def test_view_shows_spinner_and_arms():
    match = arrange(rules_of(), ["5-5 3-1", "5-0 2-1", "5-3 4-1"], "0-0 3-3", leader=0)
    view = perspective(play_moves(match, "5-5", "5-0@L", "5-3@R"), None)
    assert view.ends == {"L": 0, "R": 3, "U": 5, "D": 5}
    assert view.end_values == {"L": 0, "R": 3, "U": 0, "D": 0}
    assert view.spinner == parse("5-5")


def test_log_shows_only_own_drawn_tiles():
    match = play_moves(arrange(rules_of(), ["6-4 5-0", "3-3 2-1"], "6-6 1-1"), "6-4", "draw")
    assert perspective(match, 1).log[-1].tile == parse("6-6")
    assert perspective(match, 0).log[-1].tile is None
    assert perspective(match, None).log[-1].tile is None


def test_hand_order_is_dealt_then_drawn():
    match = arrange(rules_of(), ["6-4 5-0", "3-3 2-1"], "0-0 1-1 6-6 5-5")
    match = play_moves(match, "6-4", "draw", "draw", "draw")
    assert names_of(perspective(match, 1).hand) == "3-3 2-1 0-0 1-1 6-6"


def test_draws_prove_lacking_suits():
    match = play_moves(arrange(rules_of(), ["6-4 5-0 2-2", "3-3 2-1"], "0-0 6-6 1-1"), "6-4", "draw")
    # The drawn tile may have a six or a four.
    assert perspective(match, None).lacks == (frozenset(), frozenset())
    match = play_moves(match, "draw")
    assert perspective(match, None).lacks[1] == frozenset()
    match = play_moves(match, "6-6@L")
    # The drawn tile was played; the tiles held before it have no six and no four.
    assert perspective(match, None).lacks[1] == frozenset({4, 6})


def test_passes_prove_lacking_suits():
    match = play_moves(arrange(rules_of("block"), ["6-4 5-0 4-1", "3-3 2-1"]), "6-4", "pass")
    assert perspective(match, None).lacks[1] == frozenset({4, 6})
    free = arrange(rules_of("block", pass_="free"), ["6-4 5-0 4-1", "3-3 2-1"])
    assert perspective(play_moves(free, "6-4", "pass"), None).lacks[1] == frozenset()


def test_draws_by_choice_prove_nothing():
    match = arrange(rules_of("draw", draw="free"), ["6-4 5-0 4-1", "3-3 2-1"], "0-0 6-6 1-1")
    assert perspective(play_moves(match, "6-4", "draw", "draw"), None).lacks[1] == frozenset()


class TestClaimedPoints:
    HANDS = ("6-3 6-5 1-1", "6-6 2-1 2-0")

    def play_for_15(self, claim=""):
        return play_moves(arrange(rules_of("muggins-200"), self.HANDS, "0-0 4-4"), "6-3", f"6-6@L{claim}")

    def test_count_is_hidden(self):
        for seat in (None, 0, 1):
            view = perspective(self.play_for_15(), seat)
            assert (view.count, view.end_values) == (None, None)
            assert view.ends == {"L": 6, "R": 3}
            assert all(entry.count is None for entry in view.log)

    @pytest.mark.parametrize("claim", ["", "=20"])
    def test_points_are_hidden_while_callable(self, claim):
        last = perspective(self.play_for_15(claim), 0).log[-1]
        assert (last.points, last.scored) == (None, None)
        assert last.claim == (20 if claim else None)

    def test_points_are_shown_once_claimed(self):
        last = perspective(self.play_for_15("=15"), 0).log[-1]
        assert (last.claim, last.points, last.scored) == (15, 15, 15)

    def test_points_are_shown_once_called(self):
        log = perspective(self.play_for_15().play(0, MUGGINS), 1).log
        assert (log[-2].points, log[-2].scored, log[-1].scored) == (15, 0, 15)

    def test_points_are_shown_after_the_next_turn(self):
        log = perspective(play_moves(self.play_for_15(), "6-5@L"), 1).log
        assert (log[-2].points, log[-2].scored) == (15, 0)
        assert (log[-1].points, log[-1].scored) == (None, None)

    def test_play_without_points_may_be_called(self):
        match = play_moves(arrange(rules_of("muggins-200"), self.HANDS, "0-0"), "6-3")
        assert perspective(match, 1).may_call
        assert perspective(match, 1).log[-1].points is None
        assert not perspective(match, 0).may_call
        assert not perspective(match, None).may_call

    def test_partner_may_not_call(self):
        hands = ["6-4 1-1", "6-6 2-1", "6-5 2-2", "6-2 3-3"]
        match = play_moves(arrange(rules_of("muggins-200-pairs"), hands), "6-4")
        assert [perspective(match, seat).may_call for seat in range(4)] == [False, True, False, True]


def test_last_round_is_public_after_the_match():
    match = play_moves(arrange(rules_of(), ["6-4 5-0", "3-3 2-1"], "6-6 1-1"), "6-4", "draw").play(0, RESIGN)
    view = perspective(match, None)
    assert view.result == match.result
    assert view.ended[-1].remaining == (tuple(map(parse, ["5-0"])), tuple(map(parse, ["3-3", "2-1", "6-6"])))
    assert view.log[1].tile == parse("6-6")
    assert not view.may_abort and view.turn is None


def test_ended_rounds_are_public():
    match = play_out(begin(rules_of(), 3, SECRET, ".."), seed=2, rounds=1)
    (ended,) = perspective(match, None).ended
    assert ended.key == match.keys.key(1).hex()
    held = [tile for hand in ended.hands for tile in hand]
    assert sorted(held + list(ended.boneyard)) == list(range(28))
    assert {entry.move.kind for entry in ended.log} <= {"play", "draw", "pass"}
    assert ended.laid == ended.round.laid


def test_call_does_not_take_a_turn():
    match = play_moves(arrange(rules_of("muggins-200"), TestClaimedPoints.HANDS, "0-0"), "6-3")
    assert moves.MUGGINS not in perspective(match, 1).legal
