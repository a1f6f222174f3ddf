"""The pools are those in which the games' presets are rated."""

from accounts.pools import DAYS_POOLS, FAMILIES, LIVE_POOLS, pool_name
from boneyard.engine import presets


def test_the_pools_are_those_of_the_presets():
    assert {pool for pool, _ in LIVE_POOLS} == set(presets.POOLS)
    by_days = {
        preset.pool(seats, by_days=True)
        for preset in presets.PRESETS.values()
        if preset.rated
        for seats in preset.rules.players
    }
    assert {pool for pool, _ in DAYS_POOLS} == by_days
    assert [family for family, _ in FAMILIES] == list(presets.FAMILIES)


def test_a_pool_of_days_says_so_in_its_name():
    assert pool_name("muggins-free-days") == "All Fives, three or four, days a move"
    assert pool_name("latin-pairs-days") == "Latin American pairs, days a move"
