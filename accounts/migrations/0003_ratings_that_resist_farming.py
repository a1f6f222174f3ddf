"""Pools by shape; how much a match weighed, whether an opponent was new; whom somebody has met."""

from django.db import migrations, models

import accounts.pools


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_moderators")]

    operations = [
        migrations.AlterField("rating", "pool", models.CharField(choices=accounts.pools.POOLS, max_length=40)),
        migrations.AddField("rating", "opponents", models.JSONField(default=list)),
        migrations.AddField("ratingchange", "weight", models.FloatField(default=1.0)),
        migrations.AddField("ratingchange", "young", models.BooleanField(default=False)),
        migrations.AddIndex(
            "ratingchange",
            models.Index(
                condition=models.Q(("young", True)), fields=["rating", "at"], name="gained_from_the_young"
            ),
        ),
    ]
