"""Make a club, change it and its members, and end it."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime

from django.conf import settings
from django.db import transaction
from django.utils.text import slugify

from accounts.models import User
from lobbies.services.rows import ALPHABET, refuse_person
from nights.club_models import INVITATION_LENGTH, MAX_CLUB_NAME_LENGTH, Club, Membership, Season
from nights.refusals import NightRefused

from .keeping import forget_people
from .locking import refuse_bots

MAX_OWN_CLUBS = 5
MAX_MEMBERS = 500
MAX_SEASONS = 40
MAX_SLUG_LENGTH = 32
RESERVED_SLUGS = ("new",)
RUNNING = Membership.RUNNING
OWNERS = (Membership.Role.OWNER,)


@dataclass(frozen=True, slots=True)
class ClubPlan:
    """What the owner says of a club; the fields are those of `Club`."""

    name: str
    language: str
    place: str = ""
    hours: str = ""
    description: str = ""
    is_open: bool = False
    is_public: bool = False


@contextmanager
def locked_club(club: Club, user: User, roles: tuple[str, ...]) -> Iterator[Club]:
    """Lock the club for somebody with one of these roles. Raise `NightRefused`."""
    with transaction.atomic():
        row = Club.objects.select_for_update().get(pk=club.pk)
        if row.find_role(user.pk) not in roles:
            raise NightRefused("not_your_club", 403)
        yield row


def make_club(owner: User, plan: ClubPlan, now: datetime) -> Club:
    """Return a new club with its first owner. Raise `NightRefused` or `TableRefused`."""
    refuse_bots(owner)
    _refuse_guests(owner)
    _refuse_muted(owner, now)
    with transaction.atomic():
        refuse_person(owner, rated=False)
        owned = Membership.objects.filter(user=owner, role=Membership.Role.OWNER)
        if settings.LIMITS and owned.count() >= MAX_OWN_CLUBS:
            raise NightRefused("too_many_clubs", 429)
        club = Club(slug=_find_slug(plan.name), created_at=now)
        _write(club, plan)
        Membership.objects.create(club=club, user=owner, role=Membership.Role.OWNER, joined_at=now)
        return club


def change_club(club: Club, owner: User, plan: ClubPlan, now: datetime) -> None:
    """Write other words about the club; its address stays. Raise `NightRefused`."""
    _refuse_muted(owner, now)
    with locked_club(club, owner, OWNERS) as row:
        _write(row, plan)


def _write(club: Club, plan: ClubPlan) -> None:
    for name in ClubPlan.__dataclass_fields__:
        setattr(club, name, getattr(plan, name))
    club.save()


def _refuse_guests(user: User) -> None:
    if user.is_guest:
        raise NightRefused("club_guest", 403)


def _refuse_muted(user: User, now: datetime) -> None:
    if user.muted_until and user.muted_until > now:
        raise NightRefused("club_muted", 403)


def _find_slug(name: str) -> str:
    """Return a free address: of the name, or of chance where it has no Latin letter."""
    base = slugify(name)[:MAX_SLUG_LENGTH].strip("-") or f"club-{_make_secret(6)}"
    taken = {*Club.objects.filter(slug__startswith=base).values_list("slug", flat=True), *RESERVED_SLUGS}
    if base not in taken:
        return base
    number = 2
    while f"{base}-{number}" in taken:
        number += 1
    return f"{base}-{number}"


def _make_secret(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def close_club(club: Club, owner: User) -> None:
    """Delete the club: its nights stay, its list of people goes. Raise `NightRefused`."""
    with locked_club(club, owner, OWNERS) as row:
        _delete(row)


def _delete(club: Club) -> None:
    forget_people(club.people.all())
    club.delete()


def join_club(club: Club, user: User, invitation: str, now: datetime) -> None:
    """Make an account a member, by the secret of the link where the club is not open. Raise `NightRefused`."""
    refuse_bots(user)
    _refuse_guests(user)
    with transaction.atomic():
        refuse_person(user, rated=False)
        row = Club.objects.select_for_update().get(pk=club.pk)
        if row.find_role(user.pk):
            return
        if row.is_hidden or not (row.is_open or is_invitation(row, invitation)):
            raise NightRefused("not_invited", 403)
        if row.memberships.count() >= MAX_MEMBERS:
            raise NightRefused("club_full")
        Membership.objects.create(club=row, user=user, joined_at=now)


def is_invitation(club: Club, secret: str) -> bool:
    return bool(club.invitation) and secrets.compare_digest(club.invitation.encode(), secret.encode())


def leave_club(club: Club, user: User) -> None:
    """End one's own membership; the last owner names another one first. Raise `NightRefused`."""
    with transaction.atomic():
        row = Club.objects.select_for_update().get(pk=club.pk)
        if row.find_role(user.pk) == Membership.Role.OWNER:
            _refuse_last_owner(row)
        row.memberships.filter(user=user).delete()


def set_role(club: Club, owner: User, name: str, role: str) -> None:
    """Give a member a role, or with "" end the membership. Raise `NightRefused`."""
    if role and role not in Membership.Role.values:
        raise NightRefused("no_such_person", 404)
    with locked_club(club, owner, OWNERS) as row:
        member = row.memberships.select_related("user").filter(user__username__iexact=name).first()
        if member is None:
            raise NightRefused("no_member", 404)
        if member.role == Membership.Role.OWNER and role != Membership.Role.OWNER:
            _refuse_last_owner(row)
        if role:
            member.role = role
            member.save(update_fields=["role"])
        else:
            member.delete()


def _refuse_last_owner(club: Club) -> None:
    if club.memberships.filter(role=Membership.Role.OWNER).count() < 2:
        raise NightRefused("last_owner")


def leave_all_clubs(user: User) -> None:
    """End the memberships of a deleted account: a club without an owner gets its oldest director or member, or ends."""
    with transaction.atomic():
        for club in Club.objects.select_for_update().filter(memberships__user=user):
            club.memberships.filter(user=user).delete()
            left = list(club.memberships.all())
            if not left:
                _delete(club)
            elif not any(each.role == Membership.Role.OWNER for each in left):
                heir = next((each for each in left if each.role == Membership.Role.DIRECTOR), left[0])
                heir.role = Membership.Role.OWNER
                heir.save(update_fields=["role"])


def renew_invitation(club: Club, director: User, *, on: bool) -> None:
    """Make a new link by which people join, or none; the one before ends. Raise `NightRefused`."""
    with locked_club(club, director, RUNNING) as row:
        row.invitation = _make_secret(INVITATION_LENGTH) if on else ""
        row.save(update_fields=["invitation"])


def add_season(club: Club, director: User, name: str, first_day: date, last_day: date) -> None:
    """Add a span of dates. Raise `NightRefused`."""
    cleaned = " ".join(name.split())[:MAX_CLUB_NAME_LENGTH]
    if not cleaned or first_day > last_day:
        raise NightRefused("bad_season")
    with locked_club(club, director, RUNNING) as row:
        if row.seasons.count() >= MAX_SEASONS:
            raise NightRefused("too_many")
        Season.objects.create(club=row, name=cleaned, first_day=first_day, last_day=last_day)


def remove_season(club: Club, director: User, pk: int) -> None:
    """Forget a span of dates; its nights stay. Raise `NightRefused`."""
    with locked_club(club, director, RUNNING) as row:
        row.seasons.filter(pk=pk).delete()


def set_club_hidden(club: Club, hidden: bool) -> None:
    """Show a club's page to its members alone, or to everybody again: an act of moderators."""
    Club.objects.filter(pk=club.pk).update(is_hidden=hidden)
