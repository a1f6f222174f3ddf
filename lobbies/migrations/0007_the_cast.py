from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("lobbies", "0006_slow")]

    operations = [
        migrations.AddField("sitting", "figure", models.PositiveSmallIntegerField(default=0)),
    ]
