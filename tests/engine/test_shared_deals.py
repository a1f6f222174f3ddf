"""What a player of shared deals may know, and what the computers at their table choose from."""

import pytest

from boneyard.engine.concealment import NO_KEY, conceal
from boneyard.engine.matches import begin
from boneyard.engine.moves import DRAW
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from boneyard.engine.shared_deals import compute_seed, isolate_round
from boneyard.engine.tiles import members
from tests.engine.strategies import play_out


def finished(preset: str, seats: int, seed: int = 1):
    rules = PRESETS[preset].rules.replace(
        target=None, rounds=3, finish="round_end", exact=False, opening=None
    )
    return play_out(begin(rules, seats, bytes(range(32)), "daily-2026-11-26"), seed)


@pytest.mark.parametrize(("preset", "seats"), [("all-fives", 2), ("draw", 3), ("dominican", 4), ("kozel", 3)])
def test_concealed_match_has_nothing_of_other_seats(preset, seats):
    match = finished(preset, seats)
    for seat in range(seats):
        hidden = conceal(match, seat)
        for ended, original in zip(hidden.ended, match.ended, strict=True):
            deal = ended.round.deal
            assert (deal.key, deal.boneyard) == (NO_KEY, ())
            assert all(not hand for other, hand in enumerate(deal.hands) if other != seat)
            assert all(not hand for other, hand in enumerate(ended.round.hands) if other != seat)
            assert ended.remaining[seat] == original.remaining[seat]
            assert ended.end == original.end and ended.scores == original.scores
        logs = [*(ended.log for ended in hidden.ended), hidden.round.log]
        assert all(entry.tile is None for log in logs for entry in log if entry.seat != seat)
        known = {
            tile
            for entry in hidden.round.log
            if entry.move is DRAW
            for tile in [entry.tile]
            if tile is not None
        }
        assert known <= set(members(match.round.hands[seat])) | {laid.tile for laid in match.round.laid}


def test_view_of_a_concealed_match_differs_in_nothing_public():
    match = finished("draw", 2)
    shown, concealed = perspective(match, 0), perspective(conceal(match, 0), 0)

    assert (shown.hand, shown.tiles, shown.scores, shown.laid) == (
        concealed.hand,
        concealed.tiles,
        concealed.scores,
        concealed.laid,
    )


def test_seed_depends_on_the_round_alone():
    rules = PRESETS["draw"].rules.replace(target=None, rounds=3)
    match = begin(rules, 2, bytes(range(32)), "daily-2026-11-26")
    view = isolate_round(perspective(match, 0))
    key = match.keys.key(1)

    assert compute_seed(key, view) == compute_seed(key, isolate_round(view._replace(scores=(40, 90))))
    assert compute_seed(key, view) != compute_seed(match.keys.key(2), view)
    assert compute_seed(key, view) != compute_seed(key, isolate_round(perspective(match, 1)))
    assert compute_seed(key, view) != compute_seed(key, view, "house-1")
    after = match.play(match.turn, match.legal(match.turn)[0])
    assert compute_seed(key, view) != compute_seed(key, isolate_round(perspective(after, 0)))
