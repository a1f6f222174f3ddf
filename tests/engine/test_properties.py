"""Property tests that hold under any rules and number of seats."""

import itertools
import json
import pickle
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boneyard.computer.selfplay import begin_seeded
from boneyard.engine import moves, records
from boneyard.engine.errors import Illegal
from boneyard.engine.full_playout import playout_from_match
from boneyard.engine.matches import Match
from boneyard.engine.moves import DRAW, JOIN, LEAD, PASS
from boneyard.engine.rules import Rules
from boneyard.engine.settlement import pips_by_side
from boneyard.engine.tiles import SET_SIZES, SUITS, mask_of, members
from boneyard.engine.verification import verify

from .compare import tables_with
from .reference.options import DEFAULTS
from .strategies import new_matches, play_out, random_step, worth

SEEDS = st.integers(0, 10_000)
MATCHES_PER_OPTION, ROUNDS_PER_MATCH = 10, 5
START = datetime(2026, 11, 21, 10, tzinfo=UTC)


@given(new_matches(), SEEDS)
def test_every_tile_is_in_exactly_one_place(match, seed):
    rng = Random(seed)
    for _ in range(150):
        if match.result is not None:
            break
        round_ = match.round
        places = [*map(members, round_.hands), round_.boneyard, [tile for tile, *_ in round_.laid]]
        assert sorted(itertools.chain(*places)) == list(range(SET_SIZES[match.rules.set]))
        assert all(sorted(round_.held(seat)) == list(members(hand)) for seat, hand in enumerate(round_.hands))
        match = random_step(match, rng, leaving=0.01)


def candidates(match: Match):
    """Yield draw, pass, all single-tile moves of the set and combinations of tiles of the hand on turn."""
    size = SET_SIZES[match.rules.set]
    yield from (DRAW, PASS)
    yield from LEAD[:size]
    for end in moves.ENDS:
        yield from JOIN[end][:size]
    if match.round.layout is None or match.turn is None:
        return
    suits = {
        end: tip.suit for end, tip in zip(moves.ENDS, match.round.layout.tips, strict=False) if tip.suit >= 0
    }
    hand = match.round.hands[match.turn]
    for chosen in range(2, 5):
        for ends in itertools.combinations(suits, chosen):
            fitting = [members(hand & SUITS[suits[end]])[:4] for end in ends]
            for tiles in itertools.product(*fitting):
                if len(set(tiles)) == chosen:
                    yield moves.combined_play(tuple(zip(tiles, ends, strict=True)))


def accepted(match: Match, seat: int, move) -> bool:
    try:
        match.play(seat, move)
    except Illegal:
        return False
    return True


@given(new_matches(), SEEDS)
def test_listed_moves_are_the_accepted_moves(match, seed):
    rng = Random(seed)
    for number in range(60):
        if match.result is not None:
            break
        if number % 6 == 0 and match.turn is not None:
            legal = match.legal(match.turn)
            assert legal
            assert len(set(legal)) == len(legal)
            assert all(accepted(match, match.turn, move) for move in legal)
            assert tuple(match.legal_moves) == legal and len(match.legal_moves) == len(legal)
            for move in candidates(match):
                assert (move in legal) == (move in match.legal_moves) == accepted(match, match.turn, move)
            for move in (moves.MUGGINS, moves.RESIGN, moves.ABORT, "draw", None):
                assert move not in match.legal_moves
            other = rng.randrange(match.seats)
            if other != match.turn:
                assert match.legal(other) == ()
                assert not any(accepted(match, other, move) for move in legal)
        match = random_step(match, rng, leaving=0.01)


@given(new_matches(), SEEDS)
def test_matches_are_immutable(match, seed):
    rng = Random(seed)
    for _ in range(40):
        if match.result is not None:
            break
        before = pickle.dumps(match)
        for move in (DRAW, PASS, LEAD[0], JOIN["L"][5], moves.MUGGINS, moves.CLOSE):
            accepted(match, match.turn or 0, move)
        after = random_step(match, rng)
        assert pickle.dumps(match) == before
        assert after.move_count == match.move_count + 1
        assert after.ended[: len(match.ended)] == match.ended
        match = after


@given(new_matches(), SEEDS)
def test_every_match_ends(match, seed):
    match = play_out(match, seed)
    result = match.result
    assert result is not None and result.winners
    assert match.turn is None and not match.legal_moves and DRAW not in match.legal_moves
    assert not any(match.legal(seat) for seat in range(match.seats))
    assert [ended.number for ended in match.ended] == list(range(1, len(match.ended) + 1))
    best = min(result.scores) if match.rules.lowest_wins else max(result.scores)
    assert all(result.scores[side] == best for side in result.winners)
    if result.how == "target":
        assert max(result.scores) >= match.rules.target + (match.rules.goal == "exceed")
        assert len(result.winners) == 1
    else:
        assert len(match.ended) == match.rules.rounds or 1000
    if match.rules.exact:
        assert max(result.scores) <= match.rules.target


@given(new_matches(), SEEDS)
def test_every_match_with_leavers_ends(match, seed):
    match = play_out(match, seed, leaving=0.03)
    assert match.result is not None
    for side in match.result.winners:
        assert match.gone.isdisjoint(match.sides[side])


@given(new_matches(), SEEDS)
def test_scores_are_sums_of_awards(match, seed):
    match = play_out(match, seed, leaving=0.002)
    before = (0,) * len(match.sides)
    for ended in match.ended:
        made = list(ended.end.bonus)
        for entry in ended.log:
            if entry.move.kind == "play":
                assert entry.points >= match.terms.points[entry.count]
                keeps = match.rules.opening is not None and match.rules.opening.kept
                assert entry.scored in (0, entry.points) or (keeps and entry.scored > entry.points)
            made[match.terms.side_of[entry.seat]] += entry.scored or 0
            made = [*map(sum, zip(made, entry.award or (0,) * len(made), strict=True))]
        for lost in (ended.end.taken, ended.end.reset):
            made = [*map(int.__sub__, made, lost or (0,) * len(made))]
        if match.rules.team_difference:
            made = [each - min(made) for each in made]
        assert ended.scores == tuple(map(sum, zip(before, made, strict=True)))
        assert ended.end.pips == ended.round.pips
        if ended.end.how == "out" and ended.end.winner is not None:
            assert ended.remaining[ended.end.winner] == ()
        if ended.end.how == "blocked" and ended.end.winner is not None:
            staying = match.terms.staying(ended.round.gone)
            weights = pips_by_side(match.terms, ended.end.pips)
            if match.rules.blocked_winner == "side":
                assert weights[match.terms.side_of[ended.end.winner]] == min(
                    weights[side] for side in staying
                )
        before = ended.scores
    assert match.scores == match.result.scores == before


@given(new_matches(), SEEDS)
def test_move_text_round_trips(match, seed):
    match = play_out(match, seed, leaving=0.01, rounds=3)
    for entry in itertools.chain(*(ended.log for ended in match.ended), match.round.log):
        assert moves.parse(str(entry.move)) == entry.move


@given(new_matches(), SEEDS, st.booleans())
def test_records_round_trip(match, seed, legal):
    match = play_out(match, seed, leaving=0.005, rounds=30)
    for leaving in itertools.chain([moves.RESIGN], itertools.repeat(moves.ABSENT)):
        if match.result is not None:
            break
        match = match.play(min(set(range(match.seats)) - match.gone), leaving)
    record = record_of(match, legal=legal)
    line = records.dumps(record)
    read = verify(json.loads(line))
    assert records.dumps(record_of(read, legal=legal)) == line
    assert (read.ended, read.result, read.scores) == (match.ended, match.result, match.scores)


def record_of(match: Match, legal: bool = False) -> dict:
    seats = [{"name": f"n{seat}", "kind": "guest", "level": None} for seat in range(match.seats)]
    times = [
        f"{START + timedelta(seconds=number):%Y-%m-%dT%H:%M:%SZ}" for number in range(match.move_count + 1)
    ]
    return records.record(
        match,
        code="code",
        preset=None,
        seats=seats,
        rated=False,
        started=times[0],
        ended=times[-1],
        times=times[:-1],
        legal=legal,
    )


@given(new_matches(), SEEDS)
def test_playout_agrees_with_the_engine(match, seed):
    rng = Random(seed)
    for _ in range(rng.randrange(60)):
        if match.result is None:
            match = random_step(match, rng, leaving=0.01)
    match = match.after_calls()
    if match.result is not None:
        return
    assert_playout_agrees(match, rng)


@pytest.mark.parametrize("option", DEFAULTS)
def test_playout_agrees_with_each_option(option):
    for number, (rules, seats) in enumerate(tables_with(option, MATCHES_PER_OPTION)):
        match, rng = begin_seeded(Rules.from_dict(rules), seats, f"{option} {number}"), Random(number)
        for _ in range(ROUNDS_PER_MATCH):
            if match.result is None:
                match = assert_playout_agrees(match.after_calls(), rng)


def assert_playout_agrees(match: Match, rng: Random) -> Match:
    """Play the round to its end by the engine and the fast core, and return the engine's match."""
    playout, number = playout_from_match(match), len(match.ended)
    while len(match.ended) == number:
        legal = match.legal(match.turn)
        assert playout.legal() == legal
        if playout.tips is not None:
            assert playout.layout() == match.round.layout
        move = rng.choice(legal)
        claim = worth(match, move) if match.terms.must_claim and move.kind == "play" else None
        playout.play(move)
        match = match.play(match.turn, move, claim).after_calls()
    ended = match.ended[-1]
    assert (playout.end, playout.winner) == (ended.end.how, ended.end.winner)
    assert tuple(playout.scores) == ended.scores
    assert tuple(playout.hands) == tuple(mask_of(hand) for hand in ended.remaining)
    return match


@given(new_matches(), SEEDS)
def test_playout_run_offers_the_legal_moves(match, seed):
    # `choose` is called where the engine has a choice; forced moves in between agree.
    rng = Random(seed)
    playout, first = playout_from_match(match), match

    def done(moves):
        nonlocal match
        for move in moves:
            claim = worth(match, move) if match.terms.must_claim and move.kind == "play" else None
            match = match.play(match.turn, move, claim).after_calls()

    def forced():
        while len(match.ended) == len(first.ended) and len(legal := match.legal(match.turn)) == 1:
            done(legal)

    def choose(moves):
        forced()
        assert moves == match.legal(match.turn)
        move = rng.choice(moves)
        done([move])
        return move

    scores = playout.run(choose)
    forced()
    assert tuple(scores) == match.ended[-1].scores


@given(new_matches(), SEEDS)
def test_playout_ends(match, seed):
    rng = Random(seed)
    playout = playout_from_match(match)
    scores = playout.run(rng.choice)
    assert playout.end in ("out", "blocked", "stopped")
    assert len(scores) == len(match.sides)
