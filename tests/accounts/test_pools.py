"""The pools are those in which the games' presets are rated."""

from accounts.pools import FAMILIES, POOLS
from games.engine import presets


def test_the_pools_are_those_of_the_presets():
    assert {pool for pool, _ in POOLS} == set(presets.POOLS)
    assert [family for family, _ in FAMILIES] == list(presets.FAMILIES)
