"""What a moderator looks at before acting on a person: reports, matches, results with each opponent, shared devices."""

from collections import Counter
from typing import NamedTuple

from allauth.usersessions.models import UserSession

from accounts import known
from accounts.addresses import FORGOTTEN, of_this_machine
from accounts.models import Note, Sanction, User
from games.models import Match, Report, Seat

LATEST = 50


class Pair(NamedTuple):
    """How often the person won against, lost to, and was left by one opponent, in matches that were not annulled."""

    name: str
    matches: int
    won: int
    lost: int
    left: int


class Case(NamedTuple):
    """`sharing`: people who logged in from an address that this one used, and whether they were opponents;
    `same_browser`: with a browser that this one used."""

    person: User
    reports: list[Report]
    sanctions: list[Sanction]
    matches: list[Match]
    pairs: list[Pair]
    sharing: list[tuple[str, bool]]
    same_browser: list[tuple[str, bool]]
    notes: list[Note]


def case_of(person: User) -> Case:
    reports = Report.objects.filter(person=person) | Report.objects.filter(talk__user=person)
    pairs = _pairs(person)
    met = {pair.name for pair in pairs}
    matches = Match.objects.filter(seats__user=person).order_by("-started_at")
    return Case(
        person,
        list(reports.select_related("reporter", "match", "talk").order_by("-at")[:LATEST]),
        list(person.sanctions.select_related("by")),
        list(matches.prefetch_related("seats")[:LATEST]),
        pairs,
        [(name, name in met) for name in _sharing(person)],
        [(name, name in met) for name in sorted(known.sharing(person))],
        list(person.notes.select_related("by")),
    )


def _pairs(person: User) -> list[Pair]:
    own = Seat.objects.filter(user=person, won__isnull=False, match__annulled_at=None)
    others = own.exclude(match__seats__user=None).values_list(
        "won", "match__seats__user__username", "match__seats__won", "match__seats__left"
    )
    rows = [row for row in others if row[1] not in (None, person.username)]
    met, won, lost, left = (Counter[str]() for _ in range(4))
    for mine, name, theirs, gone in rows:
        met[name] += 1
        won[name] += bool(mine and not theirs)
        lost[name] += bool(theirs and not mine)
        left[name] += bool(gone)
    return [Pair(name, n, won[name], lost[name], left[name]) for name, n in met.most_common(LATEST)]


def _sharing(person: User) -> list[str]:
    addresses = (
        UserSession.objects.filter(user=person).exclude(ip__in=[FORGOTTEN, *of_this_machine()]).values("ip")
    )
    shared = UserSession.objects.filter(ip__in=addresses).exclude(user=person)
    return sorted(set(shared.values_list("user__username", flat=True)))
