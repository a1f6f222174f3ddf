from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server import Site


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture
def site(folder: Path) -> Iterator[Site]:
    """A server of this test alone, to be stopped and killed; the data stays for the next."""
    site = Site(folder, COMPUTER_PAUSE_MS="100")
    site.start()
    yield site
    if site.process is not None:
        site.kill()
