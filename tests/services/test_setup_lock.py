"""`manage.py setup` on a PostgreSQL in which somebody holds a lock."""

from pathlib import Path

import psycopg

from tests.migrated_postgresql import make_template, url_of
from tests.services.test_two_processes import database
from tests.site.test_start_limit import run_setup


def test_setup_ends_where_a_lock_stays(tmp_path: Path):
    """A shell left open holds the table of migrations."""
    with database(make_template()) as name, psycopg.connect(url_of(name)) as shell:
        shell.execute("LOCK TABLE django_migrations IN ACCESS EXCLUSIVE MODE")
        limits = "dominoes_site.start_limit.MAX_LOCK_SECONDS=0.5"
        done = run_setup(tmp_path, DATABASE_URL=url_of(name), TEST_CONSTANTS=limits)
    assert done.returncode == 1 and "lock timeout" in done.stderr, done.stderr
