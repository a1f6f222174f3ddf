from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0028_planned_steps"),
    ]

    operations = [
        migrations.AddField(
            model_name="connection",
            name="visible",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
