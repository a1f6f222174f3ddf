"""The same hypothesis profile as the engine's tests have, also where these run alone."""

import tests.engine.conftest  # noqa: F401
