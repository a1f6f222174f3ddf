"""A site behind TLS: the local endpoints, and file modes."""

import stat
import urllib.request

import pytest

from tests.server import Site


@pytest.fixture
def site(tmp_path):
    site = Site(tmp_path / "var", HTTPS="1", ALLOWED_HOSTS="boneyard.example")
    site.folder.mkdir(mode=0o755)
    site.manage("setup")  # creates the database by migrations, like `make run`, not from a copy
    site.start()
    yield site
    site.stop()


def test_https_site_serves_health_and_protects_files(site):
    for address in ("/healthz", "/metrics"):
        with urllib.request.urlopen(f"{site.url}{address}") as answer:
            assert (answer.status, answer.url) == (200, f"{site.url}{address}")

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in site.folder.iterdir()}
    assert stat.S_IMODE(site.folder.stat().st_mode) == 0o700
    stored = {
        name: mode for name, mode in modes.items() if name.startswith(("boneyard.sqlite3", "secret_key"))
    }
    assert set(stored.values()) == {0o600}, stored
