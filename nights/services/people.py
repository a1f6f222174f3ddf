"""Who takes part in a night."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from accounts.models import User
from nights.models import MAX_ROUNDS, Entry, Night
from nights.refusals import NightRefused

from . import phones
from .locking import locked_directing, locked_night, log_act, notify_pages, refuse_bots
from .naming import clean_name, find_free_name, make_secret, read_names, rename
from .regulars import link_person, tie_person, untie_person

MAX_PEOPLE = 500  # who have not left
MAX_ASKED = 60  # who wait for a director
CLAIM_PERIOD = timedelta(days=30)  # after the night, in which its people may keep their results


def add_names(night: Night, director: User, version: int, names: str, now: datetime) -> list[Entry]:
    """Add the names, one a line, as people who are here. Raise `NightRefused`."""
    cleaned = read_names(names)
    with locked_directing(night, director, version) as row:
        entries = [_add(row, name, Entry.Status.HERE, now) for name in cleaned]
        for entry in entries:
            link_person(row, entry, by_name=True)
        log_act(row, director, "add", now, about=", ".join(cleaned)[:100])
        return entries


def add_oneself(night: Night, name: str, user: User | None, now: datetime) -> Entry:
    """Add somebody who came by the night's code: nobody draws them before a director says that they are here.

    A director who adds himself is here. Raise `NightRefused`.
    """
    cleaned = clean_name(name)
    if not cleaned:
        raise NightRefused("no_names")
    refuse_bots(user)
    with locked_night(night) as row:
        if user is not None and row.entries.filter(user=user).exists():
            raise NightRefused("is_in", 409)
        is_director = row.is_directed_by(user.pk if user else None)
        if row.status == Night.Status.MADE and not is_director:
            raise NightRefused("not_open")
        status = Entry.Status.HERE if is_director else Entry.Status.ASKED
        entry = _add(row, cleaned, status, now, user)
        link_person(row, entry, by_name=False)
        return entry


def _add(night: Night, name: str, status: str, now: datetime, user: User | None = None) -> Entry:
    people = list(night.entries.values_list("number", "name"))
    if night.entries.exclude(status=Entry.Status.GONE).count() >= MAX_PEOPLE:
        raise NightRefused("too_many")
    if status == Entry.Status.ASKED and night.entries.filter(status=status).count() >= MAX_ASKED:
        raise NightRefused("many_asked", 429)
    return Entry.objects.create(
        night=night,
        number=max((number for number, _ in people), default=0) + 1,
        name=find_free_name(name, {taken for _, taken in people}),
        user=user,
        secret=make_secret(),
        status=status,
        added_at=now,
    )


def claim_entry(entry: Entry, user: User, now: datetime) -> None:
    """Tie a person of a night to the account of whoever has the personal link. Raise `NightRefused`."""
    refuse_bots(user)
    with transaction.atomic():
        night = Night.objects.select_for_update().get(pk=entry.night_id)
        row = night.entries.get(pk=entry.pk)
        if night.over_at is not None and now > night.over_at + CLAIM_PERIOD:
            raise NightRefused("too_late")
        if row.user_id not in (None, user.pk):
            raise NightRefused("claimed", 409)
        if night.entries.filter(user=user).exclude(pk=row.pk).exists():
            raise NightRefused("is_in", 409)
        row.user = user
        row.save(update_fields=["user"])
        tie_person(row, user)
        if night.is_running:
            phones.seat_claimed(night, row, now)
        night.version += 1
        night.save(update_fields=["version"])
        notify_pages(night)


def change_entry(
    night: Night,
    director: User,
    version: int,
    number: int,
    change: str,
    now: datetime,
    value: int | None = None,
) -> None:
    """Change one thing of an entry: a key of `CHANGES`. Raise `NightRefused`.

    The `version` counts only for `VERSIONED_CHANGES`: others set a value whatever was there, and a director ticks one
    person after the other while results from phones change the night.
    """
    if change not in CHANGES:
        raise NightRefused("no_such_person", 404)
    if value is not None and not 1 <= value <= MAX_ROUNDS:
        raise NightRefused("rounds")
    with locked_directing(night, director, version if change in VERSIONED_CHANGES else None) as row:
        entry = row.entries.select_for_update().filter(number=number).first()
        if entry is None:
            raise NightRefused("no_such_person", 404)
        field, find_value = CHANGES[change]
        before, account = getattr(entry, field), entry.user_id
        if change == "untie" and entry.user is not None:
            phones.free_untied(row, entry, entry.user)
        setattr(entry, field, find_value(entry, value))
        entry.save(update_fields=[field])
        if change == "here":
            link_person(row, entry, by_name=True)
        elif change == "untie":
            untie_person(entry, account)
        after = getattr(entry, field)
        log_act(row, director, change, now, about=entry.name, before=str(before), after=str(after))


def rename_entry(night: Night, director: User, version: int, number: int, name: str, now: datetime) -> None:
    """Write a name of the night otherwise, in its log, too. Raise `NightRefused`."""
    cleaned = clean_name(name)
    if not cleaned:
        raise NightRefused("no_names")
    with locked_directing(night, director, version) as row:
        entry = row.entries.select_for_update().filter(number=number).first()
        if entry is None:
            raise NightRefused("no_such_person", 404)
        if row.entries.exclude(pk=entry.pk).filter(name=cleaned).exists():
            raise NightRefused("name_taken", 409)
        rename(entry, cleaned)
        log_act(row, director, "rename", now, about=cleaned)


CHANGES_WITH_VALUES = ("stop_after", "own_table")
VERSIONED_CHANGES = ("helper", "paid", "untie")  # they depend on the value that the sender saw

# By the word of a form: the field that it changes, and its new value.
CHANGES: dict[str, tuple[str, Callable[[Entry, int | None], Any]]] = {
    "here": ("status", lambda entry, value: Entry.Status.HERE),
    "paused": ("status", lambda entry, value: Entry.Status.PAUSED),
    "gone": ("status", lambda entry, value: Entry.Status.GONE),
    "helper": ("is_helper", lambda entry, value: not entry.is_helper),
    "paid": ("has_paid", lambda entry, value: not entry.has_paid),
    "untie": ("user", lambda entry, value: None),
    "stop_after": ("stop_after", lambda entry, value: value),
    "own_table": ("own_table", lambda entry, value: value),
}
