"""Use the Hypothesis profile of the engine's tests, also when these tests run alone."""

import tests.engine.conftest  # noqa: F401
