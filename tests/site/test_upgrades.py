"""What an upgrade brings, and whether the earlier release may serve meanwhile."""

import subprocess
import tomllib
from contextlib import suppress

import pytest
from django.core.management import CommandError, call_command
from django.db import migrations, models
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from dominoes_site import upgrades
from dominoes_site.version import VERSION
from tests.server import ROOT

pytestmark = pytest.mark.django_db


@pytest.fixture
def bring(monkeypatch):
    """Return a function that lets the next release have these operations, in one migration of games."""

    def bring(*operations) -> None:
        build_graph = MigrationLoader.build_graph

        def build_extended(loader: MigrationLoader) -> None:
            build_graph(loader)
            migration = migrations.Migration("9999_next", "games")
            migration.operations = list(operations)
            key, before = ("games", migration.name), loader.graph.leaf_nodes("games")[0]
            loader.graph.add_node(key, migration)
            loader.graph.add_dependency(migration, key, before)
            loader.disk_migrations[key] = migration

        monkeypatch.setattr(MigrationLoader, "build_graph", build_extended)

    return bring


def test_nothing_to_come(capsys):
    call_command("check_upgrade")
    assert capsys.readouterr().out == (
        f"The database is that of Boneyard {VERSION}: restart one process after the other.\n"
    )


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("match", "note", models.TextField(null=True)),
        migrations.AddField("match", "note", models.TextField(db_default="", default="")),
        migrations.CreateModel(
            "Note", [("id", models.BigAutoField(primary_key=True)), ("text", models.TextField())]
        ),
        migrations.AddIndex("match", models.Index(fields=["ended_at"], name="match_by_end")),
        migrations.AlterField("sealedsecret", "code", models.CharField(max_length=80, db_index=False)),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("Talk")]),
    ],
    ids=lambda operation: operation.migration_name_fragment,
)
def test_earlier_release_may_run_beside(operation, bring, capsys):
    bring(operation)
    call_command("check_upgrade")
    printed = capsys.readouterr().out
    assert "  games.9999_next" in printed
    assert "may run beside them" in printed


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (migrations.AddField("match", "note", models.TextField(default="")), "match.note has no default"),
        (migrations.RemoveField("match", "code"), "Remove field code from match"),
        (migrations.RenameField("match", "code", "name"), "Rename field code on match to name"),
        (migrations.DeleteModel("Talk"), "Delete model Talk"),
        (
            migrations.AlterField("sealedsecret", "code", models.CharField(max_length=5)),
            "sealedsecret.code changes",
        ),
        (
            migrations.AlterField("sealedsecret", "code", models.BigIntegerField()),
            "sealedsecret.code changes",
        ),
        (migrations.RunPython(migrations.RunPython.noop), "changes data"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_earlier_release_must_stop_first(operation, reason, bring, capsys):
    bring(operation)
    with pytest.raises(CommandError, match="stop all, then start all"):
        call_command("check_upgrade")
    assert f"  games.9999_next: {reason}" in capsys.readouterr().out


def test_fields_of_a_new_model_are_no_obstacle(bring):
    bring(
        migrations.CreateModel("Note", [("id", models.BigAutoField(primary_key=True))]),
        migrations.AddField("note", "text", models.TextField()),
    )
    assert upgrades.plan_upgrade().obstacles == []


def test_way_back_names_the_last_migration(bring, capsys):
    bring(migrations.AddField("match", "note", models.TextField(null=True)))
    call_command("check_upgrade")
    (before,) = MigrationLoader(None).graph.node_map["games", "9999_next"].parents
    assert f"  manage.py migrate games {before.key[1]}\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    "operation",
    [
        migrations.RunPython(migrations.RunPython.noop),
        # What this release stores does not fit the column of the earlier one.
        migrations.AlterField("sealedsecret", "code", models.CharField(max_length=80)),
        migrations.AlterField("match", "version", models.PositiveIntegerField(null=True)),
        migrations.RemoveField("match", "code"),
        migrations.DeleteModel("Talk"),
        migrations.SeparateDatabaseAndState([migrations.DeleteModel("Talk")]),
    ],
    ids=lambda operation: operation.migration_name_fragment,
)
def test_irreversible_step_needs_the_backup(operation, bring, capsys):
    bring(operation)
    with suppress(CommandError):
        call_command("check_upgrade")
    printed = capsys.readouterr().out
    assert "games.9999_next (no way back)" in printed and "restore the backup" in printed
    assert "manage.py migrate" not in printed


def test_version_is_written_once():
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION
    found = subprocess.run(
        ["git", "grep", "-lF", f'"{VERSION}"', "--", "*.py"], cwd=ROOT, capture_output=True, text=True
    )
    assert found.stdout == ""


def test_harmless_data_steps_exist():
    names = {f"{app}.{name}" for app, name in MigrationExecutor(None).loader.disk_migrations}
    assert names >= upgrades.HARMLESS_DATA_MIGRATIONS
