"""Matches of three or four are rated apart from those of two; all ratings are computed again from the stored matches."""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Count, F, Value
from django.db.models.functions import Concat
from django.utils import timezone


def by_shape(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    matches = apps.get_model("games", "Match").objects.using(schema_editor.connection.alias)
    seats = matches.exclude(pool="").annotate(n=Count("seats")).values_list("pk", "n", "rules")
    larger = [(pk, n == 4 and bool(rules["partners"])) for pk, n, rules in seats.iterator() if n > 2]
    for shape, pairs in (("-pairs", True), ("-free", False)):
        keys = [pk for pk, in_pairs in larger if in_pairs is pairs]
        for start in range(0, len(keys), 500):
            matches.filter(pk__in=keys[start : start + 500]).update(pool=Concat(F("pool"), Value(shape)))


def ask_for_ratings(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The referee's duties have them computed from the stored matches, while people play (`services.rerating`)."""
    database = schema_editor.connection.alias
    ratings = apps.get_model("accounts", "Rating").objects.using(database)
    matches = apps.get_model("games", "Match").objects.using(database).filter(rating_order__isnull=False)
    pools = {*ratings.values_list("pool", flat=True), *matches.values_list("pool", flat=True)}
    waiting = apps.get_model("games", "Rerating").objects.using(database)
    for pool in sorted(pools):
        waiting.get_or_create(pool=pool, defaults={"asked_at": timezone.now()})


class Migration(migrations.Migration):
    dependencies = [("games", "0004_presence"), ("accounts", "0003_ratings_that_resist_farming")]

    operations = [migrations.RunPython(by_shape), migrations.RunPython(ask_for_ratings)]
