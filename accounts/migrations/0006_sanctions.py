"""What moderators impose on people, with reason and term; who is barred from rated play."""

from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from accounts import moderators

KINDS = [("warning", "warning"), ("mute", "muted"), ("unrated", "barred from rated play"), ("ban", "banned")]


def grant(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    moderators.grant(apps, schema_editor, "accounts", "view_sanction", "change_sanction")


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_relations")]

    operations = [
        migrations.AddField("user", "unrated_until", models.DateTimeField(blank=True, null=True)),
        migrations.CreateModel(
            name="Sanction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(choices=KINDS, max_length=8)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("appeal", models.CharField(blank=True, max_length=200)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("until", models.DateTimeField(blank=True, null=True)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sanctions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["-at"]},
        ),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
