"""How Hypothesis draws examples: by SEED, so that a run repeats; `HYPOTHESIS_PROFILE=thorough` searches anew."""

import os

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from tests import seeds

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "repeatable")

# Generating and shrinking whole matches is slow; a busy machine must not fail a test.
# Not `derandomize`, which is on where the environment says CI: examples would not follow SEED.
_common = settings(deadline=None, derandomize=False, suppress_health_check=[HealthCheck.too_slow])
# Without the examples that failed before: another machine does not have them.
settings.register_profile("repeatable", _common, max_examples=40, database=None)
settings.register_profile("thorough", _common, max_examples=1000)


def use_profile(config: pytest.Config) -> None:
    """Load the profile, before any module with examples is imported; by SEED unless another seed is given."""
    settings.load_profile(PROFILE)
    if PROFILE == "thorough":
        return
    if config.getoption("--hypothesis-seed") is None:
        config.option.hypothesis_seed = seeds.SEED
    # It would also draw numbers that stand in the site's modules, and those that are loaded differ by worker.
    none = providers._local_constants
    providers._get_local_constants = lambda: none
