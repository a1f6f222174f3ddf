from django.db import migrations

from accounts.addresses import hash_address


def hash_them(apps, schema_editor):
    try:
        devices = apps.get_model("usersessions", "UserSession").objects.using(schema_editor.connection.alias)
    except LookupError:  # no table of sessions yet
        return
    for device in devices.only("ip").iterator():
        device.ip = hash_address(device.ip)
        device.save(update_fields=["ip"])


class Migration(migrations.Migration):
    # Not on usersessions, which depends on accounts: `0001_squashed_0016_felt` would depend on itself.
    dependencies = [("accounts", "0003_ratings_that_resist_farming")]
    operations = [migrations.RunPython(hash_them, migrations.RunPython.noop)]
