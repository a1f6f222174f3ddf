"""The process that recomputes a pool, and what it is doing."""

from django.db import migrations, models

PHASES = [("waiting", "waiting"), ("computing", "being computed"), ("writing", "being written")]


class Migration(migrations.Migration):
    dependencies = [("games", "0018_shared_deals")]

    operations = [
        migrations.AddField(
            model_name="rerating",
            name="owner",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=80, verbose_name="process"
            ),
        ),
        migrations.AddField(
            model_name="rerating",
            name="phase",
            field=models.CharField(
                choices=PHASES,
                db_default="waiting",
                default="waiting",
                max_length=10,
                verbose_name="what happens",
            ),
        ),
    ]
