"""A backup of PostgreSQL is put back."""

from pathlib import Path

from tests.migrated_postgresql import make_template, url_of
from tests.server import Site
from tests.services.redis import Redis
from tests.services.test_two_processes import database
from tests.under_fire.test_restore import restore_during_match


def test_restored_match_of_postgresql_stands_still(tmp_path: Path, redis: Redis):
    redis.start()
    with database(make_template()) as name:
        site = Site(tmp_path / "site", DATABASE_URL=url_of(name), REDIS_URL=redis.url)
        try:
            restore_during_match(site, tmp_path)
        finally:
            site.end()
