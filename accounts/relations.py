"""Follow, block and mute. The only writer of `Relation` rows."""

from collections.abc import Collection

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.challengers import Challengers
from accounts.models import Relation, User
from core.prepared import PreparedQuery

Kind = Relation.Kind


class NotFollowed(Exception):
    """Raised when somebody cannot be followed: a block between the two, or a closed account."""


@transaction.atomic
def set_relation(person: User, other: User, kind: str, on: bool) -> None:
    """Set or clear that `person` follows, blocks or mutes `other`. A block ends following both ways.

    Raise `NotFollowed` if a block forbids it.
    """
    if not on:
        Relation.objects.filter(person=person, other=other, kind=kind).delete()
        return
    # Serialize both people's requests: a block and a follow must see each other.
    list(User.objects.select_for_update(no_key=True).filter(pk__in=[person.pk, other.pk]).order_by("pk"))
    if kind == Kind.FOLLOW and (other.banned or blocked_among(person, [other.pk])):
        raise NotFollowed
    Relation.objects.get_or_create(person=person, other=other, kind=kind)
    if kind == Kind.BLOCK:
        Relation.objects.filter(_between(person.pk, [other.pk]), kind=Kind.FOLLOW).delete()


def kinds(person: User, other: User) -> set[str]:
    """Return the kinds of relation that `person` has set for `other`."""
    return set(Relation.objects.filter(person=person, other=other).values_list("kind", flat=True))


def followed_by(person: User) -> QuerySet[User]:
    """Return the people whom the person follows, last seen first."""
    return _followed_by(person.pk, Kind.FOLLOW)


def find_followed_in_view(person: User) -> list[User]:
    """Return those of the people whom the person follows who show whether they are here, last seen first."""
    return _followed_in_view.rows(Kind.FOLLOW, person.pk)


def _followed_by(person: int, kind: str) -> QuerySet[User]:
    followed = Relation.objects.filter(person=person, kind=kind).values("other")
    return User.objects.filter(pk__in=followed, is_active=True).order_by("-seen_at", "username")


_followed_in_view = PreparedQuery(  # for every page
    lambda kind, person: _followed_by(person, kind).filter(shows_presence=True)
)


_blocks = PreparedQuery(  # for every lobby
    lambda person, other, kind: (
        Relation.objects.filter(Q(person=person) | Q(other=other)).filter(kind=kind).only("person", "other")
    )
)


def blocked_among(person: User, others: Collection[int]) -> set[int]:
    """Return those of the others with a block in either direction."""
    if not others:
        return set()
    blocks = Relation.objects.filter(_between(person.pk, others), kind=Kind.BLOCK)
    return {key for pair in blocks.values_list("person", "other") for key in pair} - {person.pk}


def find_blocked(person: int) -> set[int]:
    """Return everybody with a block in either direction."""
    rows = _blocks.rows(person, person, Kind.BLOCK)
    return {row.other_id if row.person_id == person else row.person_id for row in rows}


def takes_challenges(person: User, challenger: User | AnonymousUser) -> bool:
    """Return whether the person wants to be challenged by this one."""
    if person.challengers == Challengers.FOLLOWED:
        return challenger.is_authenticated and bool(follow_among(challenger, [person.pk]))
    return person.challengers == Challengers.ALL


def follow_among(person: User, others: Collection[int]) -> set[int]:
    """Return those of the others who follow the person."""
    follows = Relation.objects.filter(person__in=others, other=person, kind=Kind.FOLLOW)
    return set(follows.values_list("person", flat=True))


def hidden_from(person: User, others: Collection[int]) -> set[int]:
    """Return those of the others whose talk is hidden: muted, or blocked in either direction."""
    muted = Relation.objects.filter(person=person, other__in=others, kind=Kind.MUTE)
    return blocked_among(person, others) | set(muted.values_list("other", flat=True))


def _between(person: int, others: Collection[int]) -> Q:
    return Q(person=person, other__in=others) | Q(other=person, person__in=others)
