"""Moderators may look at tables."""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from accounts import moderators


def grant(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    moderators.grant(apps, schema_editor, "lobbies", "view_table", "view_sitting")


class Migration(migrations.Migration):
    dependencies = [("lobbies", "0003_challenges"), ("accounts", "0002_moderators")]

    operations = [migrations.RunPython(grant, migrations.RunPython.noop)]
