"""Keep one result of each computer of the house, and name those who count as the new rules do.

The way back gives the results their old numbers; the second ones of a computer are gone, and are played again for sets
that are open. What `few` and `new` say of entries that exist is what the earlier release understands, too.
"""

from datetime import timedelta

from django.db import migrations
from django.db.models import F

LEVELS = ("beginner", "casual", "club", "strong", "master")
FIGURES = 3
OLD_RESULTS_PER_LEVEL = 4


def renumber(apps, schema_editor):
    """Delete the second result of each computer, and number the others by level and figure."""
    for row in _rows(apps).order_by("deals", "number"):
        number = LEVELS.index(row.level) * FIGURES + row.figure
        earlier = _rows(apps).filter(deals=row.deals_id, level=row.level, figure=row.figure, number__lt=row.number)
        if earlier.exists():
            row.delete()
        elif number != row.number:
            _rows(apps).filter(pk=row.pk).update(number=number)


def renumber_back(apps, schema_editor):
    for row in _rows(apps).order_by("deals", "-number"):
        first = LEVELS.index(row.level) * OLD_RESULTS_PER_LEVEL
        number = next(n for n in range(first, first + FIGURES) if n % FIGURES == row.figure)
        _rows(apps).filter(pk=row.pk).update(number=number)


def rename_standings(apps, schema_editor):
    """Let accounts that were a day old count: the earlier release called them new up to the seventh day."""
    entries = apps.get_model("events", "Entry").objects.using(schema_editor.connection.alias)
    old_enough = entries.filter(standing="new", started_at__gte=F("user__date_joined") + timedelta(days=1))
    entries.filter(pk__in=list(old_enough.values_list("pk", flat=True))).update(standing="few")


def _rows(apps):
    return apps.get_model("events", "HouseResult").objects


class Migration(migrations.Migration):
    dependencies = [("events", "0002_who_counts")]

    operations = [
        migrations.RunPython(renumber, renumber_back, elidable=False),
        migrations.RunPython(rename_standings, migrations.RunPython.noop, elidable=False),
    ]
