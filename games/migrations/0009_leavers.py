from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0008_pauses_and_names")]

    operations = [
        migrations.AddField(
            model_name="match", name="leaver", field=models.PositiveSmallIntegerField(blank=True, null=True)
        ),
        migrations.AddField(
            model_name="match", name="leaving", field=models.CharField(blank=True, max_length=10)
        ),
        migrations.AddField(
            model_name="match", name="left_at", field=models.DateTimeField(blank=True, null=True)
        ),
        migrations.AddField(
            model_name="seat",
            name="completion",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="seat", name="slow_turns", field=models.PositiveSmallIntegerField(default=0)
        ),
    ]
