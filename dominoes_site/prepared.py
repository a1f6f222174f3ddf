"""Whether `manage.py setup` has run: what serves the site must not begin without."""

from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

from dominoes_site.environment import InvalidVariable

SETUP = "run `python manage.py setup` first."


def must_be_prepared() -> None:
    """CommandError without a secret key or with a database that lacks tables. One that is away may come back."""
    if settings.SECRET_KEY == settings.NO_SECRET_KEY:
        raise CommandError(f"There is no secret key yet: {SETUP}")
    if connection.vendor == "sqlite" and not Path(str(connection.settings_dict["NAME"])).exists():
        raise CommandError(f"There is no database yet: {SETUP}")
    try:
        if lacking():
            raise CommandError(f"The database is not prepared for this release: {SETUP}")
    except OperationalError:
        return
    except DatabaseError as error:
        raise cannot_be_used(error) from error
    finally:
        connection.close()


def why_not() -> str:
    """What a command says that a database refused which is away or was never prepared; else nothing."""
    try:
        if lacking():
            where = connection.settings_dict["NAME"]
            return f"The database {where} is not the site's, or not prepared: see DATABASE_URL and VAR_DIR, or {SETUP}"
    except DatabaseError as error:
        return str(cannot_be_used(error))
    return ""


def cannot_be_used(error: DatabaseError) -> InvalidVariable:
    """What is said of a database that is asked in vain, be it away or none at all."""
    where = connection.settings_dict["NAME"]
    return InvalidVariable("DATABASE_URL", f"the database {where} cannot be used: {str(error).splitlines()[0]}")


def lacking() -> bool:
    """Whether migrations wait to be applied."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
