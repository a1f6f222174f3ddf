from collections.abc import Iterator

import pytest

from tests.server import Site


@pytest.fixture(scope="session")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Yield a site whose server finds `sitecustomize.py` in `folder / "code"`, if a test writes one."""
    folder = tmp_path_factory.mktemp("site")
    site = Site(folder, COMPUTER_PAUSE_MS="100", PYTHONPATH=str(folder / "code"))
    yield site
    site.end()


@pytest.fixture
def site(shared_site: Site) -> Site:
    """Return the shared server, which a test may stop or kill: the next one starts it again on the same data."""
    shared_site.resume()
    return shared_site
