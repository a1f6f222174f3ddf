"""What is left of a night's names after a while."""

from datetime import datetime

from django.db import transaction

from nights.models import Night

from .naming import find_free_name, find_initials, rename


def shorten_names_before(moment: datetime) -> int:
    """Leave initials of the people without an account, in nights that began before; return how many people."""
    return sum(
        _shorten_names(night) for night in Night.objects.filter(has_initials=False, starts_at__lt=moment)
    )


def _shorten_names(night: Night) -> int:
    with transaction.atomic():
        row = Night.objects.select_for_update().get(pk=night.pk)
        taken = set(row.entries.values_list("name", flat=True))
        people = list(row.entries.filter(user=None))
        for entry in sorted(
            people, key=lambda entry: -len(entry.name)
        ):  # a name may be the start of another one
            name = find_free_name(find_initials(entry.name), taken)
            taken.add(name)
            rename(entry, name)
        row.has_initials = True
        row.version += 1
        row.save(update_fields=["has_initials", "version"])
    return len(people)
