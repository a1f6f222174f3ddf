"""The moderators' group, and how an app's migration grants it permissions."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.management import create_permissions
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

NAME = "Moderators"


_conflicts: list[Callable[[Any, Any], bool]] = []


def register_conflict(is_involved: Callable[[Any, Any], bool]) -> None:
    """Register a check whether a moderator is involved in a person's case, so that another must decide."""
    _conflicts.append(is_involved)


def may_decide(moderator: Any, person: Any) -> bool:
    """Return whether one user may act on another.

    Nobody acts on superusers, on themselves, or in a case in which they are involved; on staff only superusers act.
    """
    if person.is_superuser or person.pk == moderator.pk:
        return False
    if person.is_staff and not moderator.is_superuser:
        return False
    return not any(is_involved(moderator, person) for is_involved in _conflicts)


def grant(apps: Any, schema_editor: BaseDatabaseSchemaEditor, app_label: str, *codenames: str) -> None:
    """Grant the group these permissions of an app. For RunPython in a migration of that app."""
    database = schema_editor.connection.alias
    # Django creates permissions only after the last migration, and only for apps that have a models_module.
    config = apps.get_app_config(app_label)
    config.models_module = True
    create_permissions(config, apps=apps, using=database, verbosity=0)
    config.models_module = None
    group, _created = apps.get_model("auth", "Group").objects.using(database).get_or_create(name=NAME)
    found = (
        apps.get_model("auth", "Permission")
        .objects.using(database)
        .filter(content_type__app_label=app_label, codename__in=codenames)
    )
    group.permissions.add(*found)
