from django.db import migrations


def move_addresses(apps, schema_editor):
    """Copy the addresses of people at open tables to their own table."""
    sittings = apps.get_model("lobbies", "Sitting").objects.filter(table__status="open", user__isnull=False)
    apps.get_model("games", "SeatAddress").objects.bulk_create(
        apps.get_model("games", "SeatAddress")(
            code=sitting.table.code, user_id=sitting.user_id, address=sitting.address
        )
        for sitting in sittings.exclude(address="").select_related("table")
    )


class Migration(migrations.Migration):
    dependencies = [
        ("lobbies", "0008_host"),
        ("games", "0013_fair_ratings"),
    ]

    operations = [
        migrations.RunPython(move_addresses, migrations.RunPython.noop),
        migrations.RemoveField(model_name="sitting", name="address"),
    ]
