"""People are reported as well as matches and lines, for a reason out of a list; reports have an outcome. Moderators may
do what their desk needs."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from accounts import moderators

CATEGORIES = [
    ("stalling", "plays for time"),
    ("leaving", "leaves matches"),
    ("talk", "insults or harasses"),
    ("name", "an offensive name"),
    ("collusion", "plays together with an opponent"),
    ("computer", "has a computer play"),
    ("accounts", "has several accounts"),
    ("rating", "loses or wins on purpose"),
]
OUTCOMES = [("acted", "the moderators have acted"), ("nothing", "the moderators saw no reason to act")]
THEIRS = (
    "view_match",
    "change_match",
    "view_report",
    "change_report",
    "view_talk",
    "change_talk",
    "view_seat",
    "view_move",
)


def grant(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    moderators.grant(apps, schema_editor, "games", *THEIRS)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0006_calling_off"),
        ("accounts", "0005_relations"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            "report",
            "match",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="reports",
                to="games.match",
            ),
        ),
        migrations.AddField(
            "report",
            "person",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            "report", "category", models.CharField(blank=True, choices=CATEGORIES, max_length=10)
        ),
        migrations.AddField("report", "outcome", models.CharField(blank=True, choices=OUTCOMES, max_length=10)),
        migrations.RunPython(grant, migrations.RunPython.noop),
    ]
