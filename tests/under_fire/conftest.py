from collections.abc import Iterator

import pytest

from tests.server import Site


@pytest.fixture
def site(tmp_path) -> Iterator[Site]:
    """A server of this test alone, to be stopped and killed."""
    site = Site(tmp_path, COMPUTER_PAUSE_MS="100")
    site.start()
    yield site
    if site.process is not None:
        site.kill()
