from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0013_commitments"),
    ]

    operations = [
        migrations.AddField(
            model_name="user",
            name="draws_singly",
            field=models.BooleanField(default=False, verbose_name="draw one tile at a time"),
        ),
        migrations.AddField(
            model_name="user",
            name="emotes",
            field=models.BooleanField(default=True, verbose_name="show emotes"),
        ),
    ]
