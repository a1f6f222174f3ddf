"""Bans that end by themselves, notes in a case, and browsers that several people log in with."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

KEY = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


class Migration(migrations.Migration):
    dependencies = [("accounts", "0007_pauses_and_names")]

    operations = [
        migrations.AddField(
            "user",
            "banned_until",
            models.DateTimeField(blank=True, null=True, db_index=True, verbose_name="banned until"),
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                ("id", KEY),
                ("text", models.CharField(max_length=1000)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "by",
                    models.ForeignKey(
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
                        related_name="notes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ["-at"]},
        ),
        migrations.CreateModel(
            name="KnownBrowser",
            fields=[
                ("id", KEY),
                ("key", models.CharField(db_index=True, max_length=64)),
                ("seen_at", models.DateTimeField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=["key", "user"], name="a_browser_knows_somebody_once")
                ]
            },
        ),
    ]
