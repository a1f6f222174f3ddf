"""An earlier release, started on the database of a later one, says so in a sentence."""

import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from dominoes_site.later_release import describe_later_database, find_later_migrations
from dominoes_site.setup_check import explain_database_error
from dominoes_site.version import VERSION
from operators.models import Release
from tests.server import Site


@pytest.fixture
def later(db) -> None:
    Release.objects.create(version="9.1.0")
    for app, name in (("games", "9999_next"), ("of_the_future", "0001_initial")):
        MigrationRecorder(connection).record_applied(app, name)


@pytest.mark.parametrize("command", ["setup", "check_upgrade"])
def test_command_refuses_the_database_of_a_later_release(command, later):
    said = "migrated by Boneyard 9.1.0.*games.9999_next and 1 more migrations.*The way back"
    with pytest.raises(CommandError, match=said):
        call_command(command)


def test_database_error_is_explained_by_the_later_release(later):
    assert "Boneyard 9.1.0" in explain_database_error()


def test_later_release_without_a_name(later):
    Release.objects.all().delete()
    assert "a later release of Boneyard" in describe_later_database()


@pytest.mark.django_db
def test_own_database_is_not_of_a_later_release():
    assert describe_later_database() == ""


def test_squashed_and_dropped_migrations_are_earlier():
    loader = MigrationLoader(None)
    originals = [key for squashed in loader.replacements.values() for key in squashed.replaces]
    assert originals
    assert find_later_migrations([*loader.disk_migrations, *originals, ("games", "0003_dropped")]) == []


def test_server_says_which_release_migrated_and_serves(tmp_path: Path):
    notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notify.bind(str(tmp_path / "notify"))
    site = Site(tmp_path / "site", NOTIFY_SOCKET=str(tmp_path / "notify"))
    site.prepare()
    with closing(sqlite3.connect(site.database)) as database, database:
        assert database.execute("SELECT version FROM operators_release").fetchall() == [(VERSION,)]
        database.execute("INSERT INTO operators_release (version, first_at) VALUES ('9.1.0', '2099-01-01')")
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999_next', '2099-01-01')"
        )
    site.log.touch()  # so that it starts without `setup`, which refuses
    site.start()
    try:
        assert len(list(site.folder.glob("first_start*"))) == 2, "from now on the timers are due"
        assert f"Boneyard {VERSION} does not know the migration games.9999_next" in site.log_text
    finally:
        site.end()
        notify.close()
