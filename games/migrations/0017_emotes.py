from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0016_commitments"),
    ]

    operations = [
        migrations.AddField(
            model_name="talk",
            name="is_emote",
            field=models.BooleanField(db_default=False, default=False, verbose_name="emote"),
        ),
    ]
