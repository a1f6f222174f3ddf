"""Recognize a database that a later release has migrated, and say so instead of failing at its tables."""

from collections.abc import Iterable

from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from dominoes_site.version import VERSION


def find_later_migrations(applied: Iterable[tuple[str, str]]) -> list[str]:
    """Return the migrations (app and name) that come after the last one of this release, as "app.name".

    Those that this release has squashed or dropped come before it. An app that it does not have is a later one's.
    """
    latest: dict[str, str] = {}
    for app, name in MigrationLoader(None).disk_migrations:
        latest[app] = max(_reached(name), latest.get(app, ""))
    return sorted(f"{app}.{name}" for app, name in applied if _reached(name) > latest.get(app, ""))


def _reached(name: str) -> str:
    """Return the last of the migrations that a squashed one replaces, or the name itself."""
    return name.rpartition("_squashed_")[2]


def describe_later_database() -> str:
    """Return what to do where the database is of a later release, else ""; "" also where it does not answer."""
    from operators.models import Release  # commands are imported before the apps are loaded

    try:
        later = find_later_migrations(MigrationRecorder(connection).applied_migrations())
        if not later:
            return ""
        latest = Release.objects.exclude(version=VERSION).first()
    except DatabaseError:
        return ""
    made_by = f"Boneyard {latest}" if latest else "a later release of Boneyard"
    return (
        f"The database was migrated by {made_by}, and Boneyard {VERSION} does not know {_enumerate(later)}: start that"
        ' release again, or go back as "The way back" in its docs/upgrades.md says.'
    )


def _enumerate(migrations: list[str]) -> str:
    others = f" and {len(migrations) - 1} more migrations" if len(migrations) > 1 else ""
    return f"the migration {migrations[0]}{others}"
