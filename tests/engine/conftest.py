import os

from hypothesis import HealthCheck, settings

# Whole matches are slow to make and slower to shrink; a machine that is busy must not fail a law.
_common = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("engine", _common, max_examples=40)
settings.register_profile("thorough", _common, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "engine"))
