"""The scale of rating changes by the length of a match."""

import pytest

from boneyard.engine import lengths
from boneyard.engine.lengths import compute_length_scale, get_base
from boneyard.engine.presets import POOLS, PRESETS


@pytest.mark.parametrize("pool", POOLS)
def test_base_of_a_pool_has_scale_one(pool):
    base = get_base(pool)
    seats = next(seats for seats in base.rules.players if base.pool(seats) == pool)
    assert compute_length_scale(base, seats, base.rules.target) == 1


@pytest.mark.parametrize(
    ("target", "scale"), [(25, 0.5), (50, 0.5**0.5), (150, 1.5**0.5), (250, 2.5**0.5), (1000, 2)]
)
def test_scale_is_the_root_of_the_length(target, scale):
    assert compute_length_scale(PRESETS["all-fives"], 2, target) == pytest.approx(scale)


def test_scale_follows_the_measured_rounds(monkeypatch):
    rounds = {("all-fives", "muggins"): 4.0, ("muggins-200", "muggins"): 9.0}
    monkeypatch.setattr(lengths, "MEAN_ROUNDS", rounds)
    assert compute_length_scale(PRESETS["muggins-200"], 2, 200) == 1.5
    assert compute_length_scale(PRESETS["muggins-200"], 2, 100) == pytest.approx(1.125**0.5)


@pytest.mark.parametrize("preset", [preset.id for preset in PRESETS.values() if preset.rated])
def test_every_rated_preset_is_measured(preset):
    for seats in PRESETS[preset].rules.players:
        assert lengths.MEAN_ROUNDS[preset, PRESETS[preset].pool(seats)] > 1
