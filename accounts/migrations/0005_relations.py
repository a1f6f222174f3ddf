"""Whom people follow, block and mute; when somebody was last here."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_hashed_addresses")]

    operations = [
        migrations.AddField("user", "seen_at", models.DateTimeField(blank=True, null=True)),
        migrations.CreateModel(
            name="Relation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("follow", "follow"), ("block", "block"), ("mute", "mute")], max_length=8
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="relations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("person", "other", "kind"), name="said_once"),
                    models.CheckConstraint(
                        condition=models.Q(("person", models.F("other")), _negated=True),
                        name="nobody_about_themselves",
                    ),
                ],
            },
        ),
    ]
