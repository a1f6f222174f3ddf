"""Squashed migrations are what they replace. In the release that drops the originals, delete this file with them."""

import pytest
from django.db import connection
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from dominoes_site.setup_check import has_unapplied_migrations, record_squashed_migrations
from dominoes_site.upgrades import plan_upgrade


def get_squashed() -> list[tuple[str, str]]:
    return sorted(MigrationLoader(None).replacements)


def test_both_describe_the_same_models():
    squashed, originals = MigrationLoader(None), MigrationLoader(None, replace_migrations=False)
    for before, after in ((squashed, originals), (originals, squashed)):
        detector = MigrationAutodetector(before.project_state(), after.project_state())
        assert not detector.changes(squashed.graph)


@pytest.mark.django_db
def test_database_of_the_originals_has_nothing_to_do():
    recorder = MigrationRecorder(connection)
    for key in get_squashed():
        recorder.record_unapplied(*key)
    assert not has_unapplied_migrations()
    assert plan_upgrade().steps == []
    record_squashed_migrations()
    assert recorder.applied_migrations().keys() >= set(get_squashed())


@pytest.mark.django_db
@pytest.mark.parametrize("key", get_squashed(), ids="-".join)
def test_database_of_an_earlier_release_goes_on_with_the_originals(key):
    recorder = MigrationRecorder(connection)
    for squashed in get_squashed():
        recorder.record_unapplied(*squashed)
    *_, (app, before), last = MigrationLoader(None).replacements[key].replaces
    for applied in recorder.applied_migrations():
        if applied[0] == app and applied >= last:
            recorder.record_unapplied(*applied)
    upgrade = plan_upgrade()
    assert (upgrade.steps[0].app, upgrade.steps[0].name) == last
    assert upgrade.earlier == {app: before}
    way_back = (app, before)
    assert MigrationExecutor(connection).loader.graph.forwards_plan(way_back)[-1] == way_back
