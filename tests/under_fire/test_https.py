"""A site behind TLS: the local endpoints, and file modes."""

import sqlite3
import stat
import urllib.request
from contextlib import closing

import pytest

from tests import migrated_database
from tests.server import Site


def undo_one_migration(site: Site) -> None:
    """Make the database one that `manage.py setup` has to migrate: a whole migration takes several seconds."""
    with closing(sqlite3.connect(site.database, isolation_level=None)) as database:
        database.execute("DROP INDEX links_by_seal")
        database.execute("DELETE FROM django_migrations WHERE app = 'study' AND name LIKE '0013%'")


@pytest.fixture
def site(tmp_path):
    site = Site(tmp_path / "var", HTTPS="1", ALLOWED_HOSTS="boneyard.example")
    site.folder.mkdir(mode=0o755)
    migrated_database.copy_to(site.database)
    site.database.chmod(0o644)
    undo_one_migration(site)
    site.manage("setup")
    site.log.touch()
    site.start()
    yield site
    site.end()


def test_https_site_serves_health_and_protects_files(site):
    for address in ("/healthz", "/metrics"):
        with urllib.request.urlopen(f"{site.url}{address}") as answer:
            assert (answer.status, answer.url) == (200, f"{site.url}{address}")

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in site.folder.iterdir()}
    assert stat.S_IMODE(site.folder.stat().st_mode) == 0o755  # it may be shared
    stored = {
        name: mode for name, mode in modes.items() if name.startswith(("boneyard.sqlite3", "secret_key"))
    }
    assert set(stored.values()) == {0o600}, stored
