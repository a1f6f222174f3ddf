from django.db import migrations

TAKE_ALONG = """
    INSERT INTO games_sealedsecret (code, secret, seal, sealed_at)
    SELECT code, secret, seal, created_at FROM lobbies_table
    WHERE code NOT IN (SELECT code FROM games_sealedsecret)
"""


class Migration(migrations.Migration):
    dependencies = [("lobbies", "0001_initial"), ("games", "0003_secrets_apart")]

    operations = [
        migrations.RunSQL(TAKE_ALONG),
        migrations.RemoveField(model_name="table", name="secret"),
    ]
