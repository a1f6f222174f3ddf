"""The group of those who keep order without being superusers, and what an app's migration lets them do."""

from typing import Any

from django.contrib.auth.management import create_permissions
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

NAME = "Moderators"


def grant(apps: Any, schema_editor: BaseDatabaseSchemaEditor, app_label: str, *codenames: str) -> None:
    """Let the group do these things of an app. For RunPython in a migration of that app."""
    database = schema_editor.connection.alias
    # Permissions come after the last migration otherwise. Without a models_module none are made.
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
