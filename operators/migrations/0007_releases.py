"""Keep which releases have prepared the database, so that an earlier one can name the latest."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("operators", "0006_staff_second_factor")]

    operations = [
        migrations.CreateModel(
            name="Release",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("version", models.CharField(max_length=40, unique=True)),
                ("first_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={"ordering": ["-first_at"]},
        ),
    ]
