from django.db import migrations, models
from django.utils import timezone

TAKE_ALONG = """
    INSERT INTO games_sealedsecret (code, secret, seal, sealed_at)
    SELECT code, secret, seal, started_at FROM games_match
"""


class Migration(migrations.Migration):
    dependencies = [("games", "0002_outages")]

    operations = [
        migrations.CreateModel(
            name="SealedSecret",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(max_length=10, unique=True)),
                ("secret", models.CharField(editable=False, max_length=64)),
                ("seal", models.CharField(max_length=64)),
                ("sealed_at", models.DateTimeField(db_index=True, default=timezone.now)),
            ],
        ),
        migrations.RunSQL(TAKE_ALONG),
        migrations.RemoveField(model_name="match", name="secret"),
    ]
