"""The pools are those in which the games' presets are rated."""

from accounts.pools import POOLS
from games.engine import presets


def test_the_pools_are_those_of_the_presets():
    assert [pool for pool, _ in POOLS] == list(presets.POOLS)
