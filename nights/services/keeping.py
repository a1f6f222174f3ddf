"""What is left of a night's names after a while."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from nights.club_models import ClubPerson
from nights.models import Entry, Night

from .naming import find_free_name, find_initials, rename


def shorten_names_before(moment: datetime) -> int:
    """Leave initials of the people without an account, in nights that began before; return how many people.

    People of the night's club keep their names.
    """
    return sum(
        _shorten_names(night) for night in Night.objects.filter(has_initials=False, starts_at__lt=moment)
    )


def _shorten_names(night: Night) -> int:
    with transaction.atomic():
        row = Night.objects.select_for_update().get(pk=night.pk)
        people = list(row.entries.filter(user=None, person=None))
        _leave_initials(row, people)
        row.has_initials = True
        row.version += 1
        row.save(update_fields=["has_initials", "version"])
    return len(people)


def _leave_initials(night: Night, people: list[Entry]) -> None:
    taken = set(night.entries.values_list("name", flat=True))
    for entry in sorted(people, key=lambda entry: -len(entry.name)):  # a name may be the start of another one
        name = find_free_name(find_initials(entry.name), taken)
        taken.add(name)
        rename(entry, name)


def forget_people(people: QuerySet[ClubPerson]) -> None:
    """Leave initials of people who leave a club's list, in the nights that are so long ago."""
    entries = Entry.objects.filter(person__in=people, user=None, night__has_initials=True)
    for entry in entries.select_related("night"):
        _leave_initials(entry.night, [entry])
