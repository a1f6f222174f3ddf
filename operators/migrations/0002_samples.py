"""Reasons for sanctions that a new site begins with; moderators edit them."""

from django.db import migrations

from operators.reasons import SAMPLES


def create_reasons(apps, schema_editor):
    model = apps.get_model("operators", "ReasonTemplate")
    model.objects.using(schema_editor.connection.alias).bulk_create(
        model(category=category, text=dict(text), order=place)
        for place, (category, text) in enumerate(SAMPLES, 1)
    )


class Migration(migrations.Migration):
    dependencies = [("operators", "0001_initial")]
    operations = [migrations.RunPython(create_reasons, migrations.RunPython.noop)]
