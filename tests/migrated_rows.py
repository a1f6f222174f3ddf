"""What migrations wrote (the moderators' group, samples, open nights), and a database with these rows alone."""

from functools import cache
from typing import Any

from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.core import serializers
from django.db import connection, transaction

_written_by_django = (ContentType, Permission)  # no test changes them
_rows = ""


def remember() -> None:
    """Store the rows of a database that has just been migrated."""
    global _rows
    models = [model for model in apps.get_models() if model not in _written_by_django]
    rows: list[Any] = [row for model in models if model._meta.managed for row in model._default_manager.all()]
    _rows = serializers.serialize("json", rows, use_natural_foreign_keys=True)


def reset_database(*_arguments: object) -> None:
    """Delete what a transactional test has written, and write the rows of the migrations again.

    Django's `flush` empties all tables, in PostgreSQL by making each anew, and writes all permissions. It takes longer
    than most of these tests.
    """
    with transaction.atomic(), connection.cursor() as cursor:  # references are checked at the end
        cursor.execute(_find_full_tables())
        for (table,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")
        for row in serializers.deserialize("json", _rows):
            row.save()


@cache
def _find_full_tables() -> str:
    """Return a query for the names of the tables that have rows."""
    kept = {model._meta.db_table for model in _written_by_django}
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    quote = connection.ops.quote_name
    return " UNION ALL ".join(
        f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {quote(table)})"
        for table in tables
        if table not in kept
    )
