"""What a moderator looks at before acting on a person: reports, matches, results with each opponent, shared devices."""

from collections import Counter
from typing import NamedTuple

from allauth.usersessions.models import UserSession
from django.db.models import QuerySet

from accounts import known
from accounts.addresses import FORGOTTEN, of_this_machine
from accounts.models import Note, Rating, Sanction, User
from games.models import Match, Report, Seat

LATEST = 50


class Pair(NamedTuple):
    """How often the person won against, lost to, and was left by one opponent, in matches that were not annulled."""

    person: User
    matches: int
    won: int
    lost: int
    left: int


class Case(NamedTuple):
    """`sharing`: people who logged in from an address that this one used, and whether they were opponents;
    `same_browser`: with a browser that this one used; `ratings` with how many matches the person finishes."""

    person: User
    reports: list[Report]
    sanctions: list[Sanction]
    matches: list[Match]
    pairs: list[Pair]
    sharing: list[tuple[User, bool]]
    same_browser: list[tuple[User, bool]]
    notes: list[Note]
    ratings: list[Rating]


def load_case(person: User) -> Case:
    reports = Report.objects.filter(person=person) | Report.objects.filter(talk__user=person)
    pairs = _pairs(person)
    met = {pair.person for pair in pairs}
    matches = Match.objects.filter(seats__user=person).order_by("-started_at")
    return Case(
        person,
        list(reports.select_related("reporter", "match", "talk").order_by("-at")[:LATEST]),
        list(person.sanctions.select_related("by")),
        list(matches.prefetch_related("seats")[:LATEST]),
        pairs,
        [(other, other in met) for other in _sharing(person)],
        [(other, other in met) for other in known.sharing(person)],
        list(person.notes.select_related("by")),
        list(person.ratings.filter(matches__gt=0).order_by("-matches")),
    )


def _pairs(person: User) -> list[Pair]:
    own = Seat.objects.filter(user=person, won__isnull=False, match__annulled_at=None)
    others = own.exclude(match__seats__user=None).values_list(
        "won", "match__seats__user", "match__seats__won", "match__seats__left"
    )
    rows = [row for row in others if row[1] not in (None, person.pk)]
    met, won, lost, left = (Counter[int]() for _ in range(4))
    for mine, key, theirs, gone in rows:
        met[key] += 1
        won[key] += bool(mine and not theirs)
        lost[key] += bool(theirs and not mine)
        left[key] += bool(gone)
    most = met.most_common(LATEST)
    people = User.objects.in_bulk([key for key, _n in most])
    return [Pair(people[key], n, won[key], lost[key], left[key]) for key, n in most]


def _sharing(person: User) -> QuerySet[User]:
    addresses = (
        UserSession.objects.filter(user=person).exclude(ip__in=[FORGOTTEN, *of_this_machine()]).values("ip")
    )
    shared = UserSession.objects.filter(ip__in=addresses).exclude(user=person)
    return User.objects.filter(pk__in=shared.values("user")).order_by("username")
