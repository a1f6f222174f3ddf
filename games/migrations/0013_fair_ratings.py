import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0012_processes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="agreed",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="match",
            name="casual_since",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="match",
            name="length_scale",
            field=models.FloatField(default=1.0),
        ),
        migrations.AddField(
            model_name="seat",
            name="unfinished",
            field=models.BooleanField(default=False),
        ),
        migrations.CreateModel(
            name="SeatAddress",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("code", models.CharField(max_length=10)),
                ("address", models.CharField(max_length=39)),
                ("at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
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
                    models.UniqueConstraint(fields=("code", "user", "address"), name="one_row_an_address")
                ],
            },
        ),
    ]
