"""The people of a club: to whom the entries of its nights belong."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import QuerySet

from accounts.models import User
from nights.club_models import Club, ClubPerson, Membership
from nights.models import Entry, Night
from nights.refusals import NightRefused

from .clubs import RUNNING, locked_club
from .keeping import forget_people
from .locking import locked_directing, log_act
from .naming import clean_name, find_free_name, read_names

MAX_CLUB_PEOPLE = 500


def add_people(club: Club, director: User, names: str, now: datetime) -> None:
    """Add the names, one a line; those on the list are left as they are. Raise `NightRefused`."""
    cleaned = read_names(names)
    with locked_club(club, director, RUNNING) as row:
        taken = {name.casefold() for name in row.people.values_list("name", flat=True)}
        for name in cleaned:
            if name.casefold() not in taken:
                taken.add(name.casefold())
                _create(row, name, None, now)


def rename_person(club: Club, director: User, pk: int, name: str) -> None:
    """Write a person's name otherwise, for the nights to come. Raise `NightRefused`."""
    cleaned = clean_name(name)
    if not cleaned:
        raise NightRefused("no_names")
    with locked_club(club, director, RUNNING) as row:
        person = _get(row, pk)
        others = row.people.exclude(pk=pk).values_list("name", flat=True)
        if cleaned.casefold() in {other.casefold() for other in others}:
            raise NightRefused("name_taken", 409)
        person.name = cleaned
        person.save(update_fields=["name"])


def remove_person(club: Club, director: User, pk: int) -> None:
    """Take a person off the list; their results stay in the nights and leave the seasons. Raise `NightRefused`."""
    with locked_club(club, director, RUNNING) as row:
        person = _get(row, pk)
        forget_people(row.people.filter(pk=person.pk))
        person.delete()


def merge_people(club: Club, director: User, pk: int, other_pk: int) -> None:
    """Let two people of the list be one: the first, who gets the nights of the other one. Raise `NightRefused`."""
    with locked_club(club, director, RUNNING) as row:
        kept, other = _get(row, pk), _get(row, other_pk)
        together = Night.objects.filter(entries__person=kept).filter(entries__person=other)
        both_accounts = kept.user_id is not None and other.user_id is not None
        if kept == other or both_accounts or together.exists():
            raise NightRefused("no_merge")
        Entry.objects.filter(person=other).update(person=kept)
        user = kept.user_id or other.user_id
        other.delete()
        kept.user_id = user
        kept.save(update_fields=["user"])


def keep_names(night: Night, director: User, version: int, now: datetime) -> None:
    """Put who is on the list of a night onto that of its club, also once it is over. Raise `NightRefused`."""
    with locked_directing(night, director, version, also_over=True) as row:
        if row.club is None:
            raise NightRefused("no_club")
        for entry in row.entries.filter(person=None).exclude(status=Entry.Status.ASKED):
            link_person(row, entry, by_name=True)
            if entry.person is None:
                taken = row.club.people.values_list("name", flat=True)
                entry.person = _create(row.club, find_free_name(entry.name, taken), entry.user_id, now)
                entry.save(update_fields=["person"])
        log_act(row, director, "keep", now)


def link_person(night: Night, entry: Entry, *, by_name: bool) -> None:
    """Let an entry belong to its person of the club: by the account, or `by_name` where a director says who it is.

    Members of the club are put onto its list. The account of a person whom a director names comes with the name.
    """
    if night.club is None or entry.person_id is not None:
        return
    free = night.club.people.exclude(entries__night=night)
    person = _find_by_account(free, entry)
    if person is None and by_name:
        person = _find_by_name(free, entry)
    if person is None and _is_member(night.club, entry):
        name = find_free_name(entry.name, night.club.people.values_list("name", flat=True))
        person = _create(night.club, name, entry.user_id, entry.added_at)
    if person is None:
        return
    entry.person = person
    if entry.user_id is None and not night.entries.filter(user=person.user_id, user__isnull=False).exists():
        entry.user_id = person.user_id
    entry.save(update_fields=["person", "user"])


def _find_by_account(people: QuerySet[ClubPerson], entry: Entry) -> ClubPerson | None:
    return people.filter(user=entry.user_id).first() if entry.user_id else None


def _find_by_name(people: Iterable[ClubPerson], entry: Entry) -> ClubPerson | None:
    """Return who has the name, unless an account says that it is somebody else."""
    name = entry.name.casefold()  # which SQLite knows of ASCII alone
    return next(
        (each for each in people if each.name.casefold() == name and _may_be(each, entry)),
        None,
    )


def _may_be(person: ClubPerson, entry: Entry) -> bool:
    return entry.user_id is None or person.user_id is None


def _is_member(club: Club, entry: Entry) -> bool:
    has_person = club.people.filter(user=entry.user_id).exists()
    return (
        entry.user_id is not None
        and not has_person
        and Membership.objects.filter(club=club, user=entry.user_id).exists()
    )


def tie_person(entry: Entry, user: User) -> None:
    """Let the person of an entry have the account that has claimed it, once a director has said that they are here."""
    person = entry.person
    if person is None or person.user_id is not None or entry.status == Entry.Status.ASKED:
        return
    if not ClubPerson.objects.filter(club=person.club_id, user=user).exists():
        person.user = user
        person.save(update_fields=["user"])


def untie_person(entry: Entry, user_id: int | None) -> None:
    """Take the account from the person of an entry, too, where it is the one that was tied to the entry."""
    if entry.person_id is not None and user_id is not None:
        ClubPerson.objects.filter(pk=entry.person_id, user=user_id).update(user=None)


def _create(club: Club, name: str, user_id: int | None, now: datetime) -> ClubPerson:
    if club.people.count() >= MAX_CLUB_PEOPLE:
        raise NightRefused("too_many")
    return ClubPerson.objects.create(club=club, name=name, user_id=user_id, added_at=now)


def _get(club: Club, pk: int) -> ClubPerson:
    person = club.people.filter(pk=pk).first()
    if person is None:
        raise NightRefused("no_such_person", 404)
    return person
