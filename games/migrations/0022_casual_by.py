from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0021_clocks_of_days")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="casual_by",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
    ]
