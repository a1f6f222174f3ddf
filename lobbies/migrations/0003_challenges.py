"""Tables to which somebody was challenged by name; where people at a table come from, hashed."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("lobbies", "0002_secrets_apart"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.AddField("sitting", "completion", models.PositiveSmallIntegerField(blank=True, null=True)),
        migrations.AddField("sitting", "address", models.CharField(blank=True, max_length=39)),
        migrations.AddField(
            "table",
            "kept_for",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="challenges",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
