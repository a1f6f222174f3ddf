"""Collect what a moderator needs to decide about a person: reports, matches, opponents, shared devices."""

from collections import Counter
from typing import NamedTuple

from allauth.usersessions.models import UserSession
from django.db.models import QuerySet

from accounts import known
from accounts.addresses import DELETED_ADDRESS, loopback_addresses
from accounts.models import Note, Rating, Sanction, User
from games.models import Match, Report, Seat
from games.past.own_cases import exclude_own_reports, own_matches

MAX_ROWS = 50


class Pair(NamedTuple):
    """The person's results against one opponent in matches that were not annulled; `left` by the opponent."""

    person: User
    matches: int
    won: int
    lost: int
    left: int


class Case(NamedTuple):
    """A person under review.

    sharing       users who logged in from an address of this person, each with whether they were opponents
    same_browser  the same for users of a browser of this person
    own           the keys of the matches that the moderator played, too
    ratings       by pool, with the completion
    """

    person: User
    reports: list[Report]
    sanctions: list[Sanction]
    matches: list[Match]
    pairs: list[Pair]
    sharing: list[tuple[User, bool]]
    same_browser: list[tuple[User, bool]]
    notes: list[Note]
    ratings: list[Rating]
    own: set[int]


def load_case(person: User, moderator: User) -> Case:
    """Return the person's case for this moderator, without reports that concern the moderator."""
    reports = Report.objects.filter(person=person) | Report.objects.filter(talk__user=person)
    pairs = _load_pairs(person)
    opponents = {pair.person for pair in pairs}
    reports = exclude_own_reports(reports, moderator)
    matches = Match.objects.filter(seats__user=person).order_by("-started_at")
    shared = Match.objects.filter(seats__user=person, pk__in=own_matches(moderator))
    return Case(
        person,
        list(reports.select_related("reporter", "match", "talk").order_by("-at")[:MAX_ROWS]),
        list(person.sanctions.select_related("by")),
        list(matches.prefetch_related("seats")[:MAX_ROWS]),
        pairs,
        [(other, other in opponents) for other in _find_sharing(person)],
        [(other, other in opponents) for other in known.sharing(person)],
        list(person.notes.select_related("by")),
        list(person.ratings.filter(matches__gt=0).order_by("-matches")),
        set(shared.values_list("pk", flat=True)),
    )


def _load_pairs(person: User) -> list[Pair]:
    own = Seat.objects.filter(user=person, won__isnull=False, match__annulled_at=None)
    others = own.exclude(match__seats__user=None).values_list(
        "won", "match__seats__user", "match__seats__won", "match__seats__left"
    )
    rows = [row for row in others if row[1] not in (None, person.pk)]
    opponents, won, lost, left = (Counter[int]() for _ in range(4))
    for own_won, key, other_won, other_left in rows:
        opponents[key] += 1
        won[key] += bool(own_won and not other_won)
        lost[key] += bool(other_won and not own_won)
        left[key] += bool(other_left)
    most_frequent = opponents.most_common(MAX_ROWS)
    people = User.objects.in_bulk([key for key, _n in most_frequent])
    return [Pair(people[key], n, won[key], lost[key], left[key]) for key, n in most_frequent]


def _find_sharing(person: User) -> QuerySet[User]:
    addresses = (
        UserSession.objects.filter(user=person)
        .exclude(ip__in=[DELETED_ADDRESS, *loopback_addresses()])
        .values("ip")
    )
    shared = UserSession.objects.filter(ip__in=addresses).exclude(user=person)
    return User.objects.filter(pk__in=shared.values("user")).order_by("username")
