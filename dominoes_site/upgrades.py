"""Find which migrations an upgrade brings, and whether processes of the earlier release may serve meanwhile."""

from typing import Any, NamedTuple

from django.db import connection, models
from django.db.migrations import operations
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.migration import Migration
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

# They change nothing that the earlier release reads or writes.
HARMLESS_OPERATIONS = (
    operations.CreateModel,
    operations.AddIndex,
    operations.RenameIndex,
    operations.RemoveIndex,
    operations.RemoveConstraint,
    operations.AlterModelOptions,
    operations.AlterModelManagers,
    operations.AlterOrderWithRespectTo,
)
# Changes of data that the earlier release neither reads nor undoes. Others count as obstacles until named here.
HARMLESS_DATA_MIGRATIONS = {
    "accounts.0017_audit_log",
    "accounts.0018_desk_mails",
    "accounts.0017_squashed_0021_vibration",
    "lobbies.0011_club_nights",
    "events.0003_house_once",
    "nights.0003_clubs",
    "nights.0005_club_nights",
    "notifications.0004_devices_and_deadlines",
    "notifications.0005_unchosen_zone",
    "study.0012_score_peeks_again",
}


class Step(NamedTuple):
    """A migration to come; `obstacles` says what keeps the earlier release from running beside it."""

    app: str
    name: str
    obstacles: list[str]
    is_reversible: bool


class Upgrade(NamedTuple):
    """The steps from the database's state to this release, and the last applied migration of each app concerned."""

    steps: list[Step]
    earlier: dict[str, str]

    @property
    def obstacles(self) -> list[str]:
        return [f"{step.app}.{step.name}: {what}" for step in self.steps for what in step.obstacles]


def plan_upgrade() -> Upgrade:
    """Return what `manage.py migrate` would do now."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    # A squashed migration and those that it replaces are all recorded, and only one or the others are in the graph.
    applied = sorted(executor.loader.applied_migrations.keys() & executor.loader.graph.nodes.keys())
    state = executor.loader.project_state(applied)
    created: set[tuple[str, str]] = set()
    steps = []
    known_apps = {app for app, _name in applied}
    for migration, _is_backwards in plan:
        obstacles = [
            what
            for operation in migration.operations
            if migration.app_label in known_apps  # nothing of the earlier release uses the tables of another
            if (what := _find_obstacle(operation, migration, state, created))
        ]
        reversible = all(_is_reversible(each, migration, state, created) for each in migration.operations)
        steps.append(Step(migration.app_label, migration.name, obstacles, reversible))
        state = migration.mutate_state(state, preserve=True)
    apps = {step.app for step in steps}
    return Upgrade(
        steps, {app: max((n for a, n in applied if a == app), default="zero") for app in sorted(apps)}
    )


def _find_obstacle(
    operation: Operation, migration: Migration, state: ProjectState, created: set[tuple[str, str]]
) -> str:
    """Return why the earlier release fails beside this operation, or "". Collect the models that it does not know."""
    app = migration.app_label
    if isinstance(operation, operations.SeparateDatabaseAndState):
        inner = [_find_obstacle(each, migration, state, created) for each in operation.database_operations]
        return "; ".join(filter(None, inner))
    if isinstance(operation, operations.CreateModel):
        created.add((app, operation.name_lower))
        return ""
    if isinstance(operation, HARMLESS_OPERATIONS):
        return ""
    if isinstance(operation, operations.RunPython | operations.RunSQL):
        return "" if f"{app}.{migration.name}" in HARMLESS_DATA_MIGRATIONS else "changes data"
    model = str(getattr(operation, "model_name", getattr(operation, "name", ""))).lower()
    if (app, model) in created:
        return ""
    if isinstance(operation, operations.AddField):
        return (
            ""
            if _may_be_omitted(operation.field)
            else f"{model}.{operation.name} has no default in the database"
        )
    if isinstance(operation, operations.AlterField):
        before = state.models[app, model].fields[operation.name]
        return "" if _is_wider(before, operation.field) else f"{model}.{operation.name} changes"
    return operation.describe()


def _is_reversible(
    operation: Operation, migration: Migration, state: ProjectState, created: set[tuple[str, str]]
) -> bool:
    """Return whether the operation can be undone whatever this release has stored meanwhile, with nothing lost.

    Django's `reversible` only says that there is a statement for it: to forbid NULL again fails at the first NULL.
    """
    if isinstance(operation, operations.SeparateDatabaseAndState):
        inner = operation.database_operations
        return all(_is_reversible(each, migration, state, created) for each in inner)
    model = str(getattr(operation, "model_name", "")).lower()
    if not operation.reversible or isinstance(
        operation, operations.DeleteModel | operations.RemoveConstraint
    ):
        return False
    if (migration.app_label, model) in created or not isinstance(
        operation, operations.AlterField | operations.RemoveField
    ):
        return True
    before = state.models[migration.app_label, model].fields[operation.name]
    if isinstance(operation, operations.RemoveField):
        return _may_be_omitted(before)
    return _is_wider(operation.field, before)


def _may_be_omitted(field: models.Field) -> bool:
    """Return whether the earlier release, which does not name the column, may insert a row."""
    return field.null or field.many_to_many or field.db_default is not models.NOT_PROVIDED


def _is_wider(before: models.Field, after: models.Field) -> bool:
    """Return whether the column takes all that it took before, in the same type."""
    _name, kind, arguments, options = before.deconstruct()
    _name, new_kind, new_arguments, new_options = after.deconstruct()
    if (kind, arguments) != (new_kind, new_arguments) or (before.null and not after.null):
        return False
    if (before.max_length or 0) > (after.max_length or before.max_length or 0):
        return False
    return _stored(options) == _stored(new_options)


def _stored(options: dict[str, Any]) -> dict[str, Any]:
    """Return a field's options that the database knows, except those that `_is_wider` compares."""
    ignored = {*models.Field.non_db_attrs, "default", "db_default", "db_index", "null", "max_length"}
    return {name: value for name, value in options.items() if name not in ignored - {"db_column"}}
