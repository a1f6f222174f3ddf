from django.db import migrations, models


def tell_apart(apps, schema_editor):
    """Of several computers of a level at a table the second and the third were called so."""
    seats = apps.get_model("games", "Seat").objects.filter(kind="computer")
    for figure in (1, 2):
        seats.filter(name__endswith=f" {figure + 1}").update(figure=figure)


class Migration(migrations.Migration):
    dependencies = [("games", "0010_rematch")]

    operations = [
        migrations.AddField("seat", "figure", models.PositiveSmallIntegerField(default=0)),
        migrations.RunPython(tell_apart, migrations.RunPython.noop),
    ]
