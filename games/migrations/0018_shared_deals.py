from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0017_emotes"),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="concealed",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="match",
            name="deals",
            field=models.CharField(
                blank=True, db_default="", default="", max_length=40, verbose_name="shared deals"
            ),
        ),
        migrations.AlterField(
            model_name="sealedsecret",
            name="code",
            field=models.CharField(db_index=True, max_length=40),
        ),
    ]
