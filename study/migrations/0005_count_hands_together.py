from django.db import migrations


def count_again(apps, schema_editor):
    """The hands of one deal were counted as if they did not depend on each other; the referee counts all again."""
    apps.get_model("study", "Counted").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("study", "0004_puzzle_sources")]

    operations = [migrations.RunPython(count_again, migrations.RunPython.noop)]
