"""How people stand to each other: whom somebody follows, blocks, or has muted. The only writer of these rows."""

from collections.abc import Collection
from functools import cache

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import Relation, User
from core.prepared import PreparedQuery

Kind = Relation.Kind


class NotFollowed(Exception):
    """Somebody cannot be followed: one of the two has blocked the other, or the account is closed."""


@transaction.atomic
def set_relation(person: User, other: User, kind: str, on: bool) -> None:
    """`person` follows, blocks or mutes `other` from now on, or no longer. A block ends the following, both ways, and
    while it stands neither follows the other. Raises NotFollowed."""
    if not on:
        Relation.objects.filter(person=person, other=other, kind=kind).delete()
        return
    # One says this while the other says that: a block must see what is followed, or be seen.
    list(User.objects.select_for_update(no_key=True).filter(pk__in=[person.pk, other.pk]).order_by("pk"))
    if kind == Kind.FOLLOW and (other.banned or blocked_among(person, [other.pk])):
        raise NotFollowed
    Relation.objects.get_or_create(person=person, other=other, kind=kind)
    if kind == Kind.BLOCK:
        Relation.objects.filter(_between(person.pk, [other.pk]), kind=Kind.FOLLOW).delete()


def kinds(person: User, other: User) -> set[str]:
    """What `person` has said about `other`."""
    return set(Relation.objects.filter(person=person, other=other).values_list("kind", flat=True))


def followed_by(person: User) -> QuerySet[User]:
    """Whom the person follows, whoever was here last first."""
    followed = Relation.objects.filter(person=person, kind=Kind.FOLLOW).values("other")
    return User.objects.filter(pk__in=followed, is_active=True).order_by("-seen_at", "username")


def blocked_among(person: User, others: Collection[int]) -> set[int]:
    """Those of the others who and the person keep out of each other's way, whichever of them said so."""
    keys = set(others)
    if not keys:
        return set()
    rows = _blocks(len(keys)).rows(*keys, person.pk, person.pk, *keys, Kind.BLOCK.value)
    return {key for row in rows for key in (row.person_id, row.other_id)} - {person.pk}


def unheard_by(person: User, others: Collection[int]) -> set[int]:
    """Those of the others whose lines the person does not see: muted, or blocked in either direction."""
    muted = Relation.objects.filter(person=person, other__in=others, kind=Kind.MUTE)
    return blocked_among(person, others) | set(muted.values_list("other", flat=True))


@cache
def _blocks(number: int) -> PreparedQuery[Relation]:
    """Between one person and this number of others: whoever sits down somewhere is asked about."""
    return PreparedQuery(
        lambda *keys: Relation.objects.filter(_between(keys[number], keys[:number]), kind=keys[-1])
    )


def _between(person: int, others: Collection[int]) -> Q:
    return Q(person=person, other__in=others) | Q(other=person, person__in=others)
