"""Check whether `manage.py setup` has run, without which the site must not be served."""

from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from dominoes_site.environment import InvalidVariable
from dominoes_site.later_release import describe_later_database

SETUP = "run `python manage.py setup` first."


def require_setup() -> None:
    """Raise `CommandError` without a secret key or with unapplied migrations. A database may be away for now."""
    if settings.SECRET_KEY == settings.NO_SECRET_KEY:
        raise CommandError(f"There is no secret key yet: {SETUP}")
    if connection.vendor == "sqlite" and not Path(str(connection.settings_dict["NAME"])).exists():
        raise CommandError(f"There is no database yet: {SETUP}")
    try:
        if has_unapplied_migrations():
            raise CommandError(f"The database is not prepared for this release: {SETUP}")
    except OperationalError:
        return
    except DatabaseError as error:
        raise unusable_database(error) from error
    finally:
        connection.close()


def explain_database_error() -> str:
    """Return why a command failed with a database error: a later database, none, no setup. "" for other reasons."""
    try:
        if sentence := describe_later_database():
            return sentence
        if has_unapplied_migrations():
            name = connection.settings_dict["NAME"]
            return f"The database {name} is not the site's, or not prepared: see DATABASE_URL and VAR_DIR, or {SETUP}"
    except DatabaseError as error:
        return str(unusable_database(error))
    return ""


def unusable_database(error: DatabaseError) -> InvalidVariable:
    """Return the exception for a database that is away or is none."""
    name, reason = connection.settings_dict["NAME"], str(error).splitlines()[0]
    return InvalidVariable("DATABASE_URL", f"the database {name} cannot be used: {reason}")


def has_unapplied_migrations() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def record_squashed_migrations() -> None:
    """Record squashed migrations whose originals are applied, as `migrate` does: 0.3 has no originals."""
    MigrationExecutor(connection).check_replacements()
