from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server import Site


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture
def site(folder: Path) -> Iterator[Site]:
    """Start a server that the test may stop or kill; the next test uses the same data."""
    site = Site(folder, COMPUTER_PAUSE_MS="100")
    site.start()
    yield site
    if site.process is not None:
        site.kill()
