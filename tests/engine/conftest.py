import os

from hypothesis import HealthCheck, settings

# Generating and shrinking whole matches is slow; a busy machine must not fail a test.
_common = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("engine", _common, max_examples=40)
settings.register_profile("thorough", _common, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "engine"))
