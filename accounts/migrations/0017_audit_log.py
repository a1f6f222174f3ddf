"""Moderators read the audit log."""

from django.db import migrations

from accounts import moderators


def let_moderators(apps, schema_editor):
    moderators.grant(apps, schema_editor, "admin", "view_logentry")


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0016_felt"),
        ("admin", "0003_logentry_add_action_flag_choices"),
    ]
    operations = [migrations.RunPython(let_moderators, migrations.RunPython.noop)]
