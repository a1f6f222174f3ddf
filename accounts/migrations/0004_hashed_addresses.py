from django.db import migrations

from accounts.addresses import hash_address


def hash_them(apps, schema_editor):
    devices = apps.get_model("usersessions", "UserSession").objects.using(schema_editor.connection.alias)
    for device in devices.only("ip").iterator():
        device.ip = hash_address(device.ip)
        device.save(update_fields=["ip"])


class Migration(migrations.Migration):
    dependencies = [("accounts", "0003_ratings_that_resist_farming"), ("usersessions", "0001_initial")]
    operations = [migrations.RunPython(hash_them, migrations.RunPython.noop)]
