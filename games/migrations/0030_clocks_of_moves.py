from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0029_pages_in_view"),
    ]

    operations = [
        migrations.AddField(
            model_name="move",
            name="clock_ms",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
    ]
