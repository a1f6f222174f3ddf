"""When sockets were opened, pages loaded and matches looked at; and that a player was asked to move."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0003_secrets_apart")]

    operations = [
        migrations.AddField(
            "connection", "opened_at", models.DateTimeField(default=django.utils.timezone.now)
        ),
        migrations.AddField("match", "looked_at", models.DateTimeField(default=django.utils.timezone.now)),
        migrations.AddField("match", "prodded_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("match", "prodded_by", models.PositiveSmallIntegerField(blank=True, null=True)),
        migrations.AddField("seat", "page_at", models.DateTimeField(blank=True, null=True)),
    ]
