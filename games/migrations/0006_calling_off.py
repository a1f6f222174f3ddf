from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0005_pools_by_shape")]

    operations = [
        migrations.AddField(
            model_name="seat", name="hand_seen_at", field=models.DateTimeField(blank=True, null=True)
        ),
        migrations.AddField(model_name="seat", name="called_off", field=models.BooleanField(default=False)),
    ]
