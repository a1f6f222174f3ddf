from django.db import migrations


def delete_scores(apps, schema_editor):
    """Score the matches again: the weights of the possible hands read plays now, and sums must not mix both."""
    for name in ("PeekScore", "PeekSource"):
        apps.get_model("study", name).objects.using(schema_editor.connection.alias).all().delete()


class Migration(migrations.Migration):
    dependencies = [("study", "0011_puzzle_runs")]

    operations = [migrations.RunPython(delete_scores, migrations.RunPython.noop)]
