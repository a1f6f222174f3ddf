"""The pages of a new site, for its operator to change."""

from django.db import migrations

from operators.samples import PAGES


def create_pages(apps, schema_editor):
    model = apps.get_model("operators", "Page")
    model.objects.using(schema_editor.connection.alias).bulk_create(
        model(slug=slug, title=dict(title), body=dict(body)) for slug, (title, body) in PAGES.items()
    )


class Migration(migrations.Migration):
    dependencies = [("operators", "0002_samples")]
    operations = [migrations.RunPython(create_pages, migrations.RunPython.noop)]
