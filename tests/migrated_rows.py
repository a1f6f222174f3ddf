"""Restore what migrations wrote (the moderators' group, samples, club nights) after a flush of the test database."""

from typing import Any

from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core import serializers
from django.db import transaction

_written_after_flush = (ContentType, Permission)  # by Django, with other keys
_rows = ""


def remember() -> None:
    """Store the rows of a database that has just been migrated."""
    global _rows
    models = [model for model in apps.get_models() if model not in _written_after_flush]
    rows: list[Any] = [row for model in models if model._meta.managed for row in model._default_manager.all()]
    _rows = serializers.serialize("json", rows, use_natural_foreign_keys=True)


def restore() -> None:
    """Write the rows if they are gone."""
    if Group.objects.exists():
        return
    with transaction.atomic():
        for row in serializers.deserialize("json", _rows):
            row.save()
