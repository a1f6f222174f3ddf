"""Collect what a moderator needs to decide: the open cases, and about a person reports, matches, opponents, devices."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Permission
from django.db.models import Q, QuerySet

from accounts import known
from accounts.addresses import DELETED_ADDRESS, loopback_addresses
from accounts.models import Note, Rating, Sanction, User
from accounts.moderators import may_decide
from games.calling_off import PAIRS_POOL_MARK
from games.models import Match, Report, Seat, Talk
from games.past.own_cases import (
    exclude_matches_of_opponents,
    exclude_own_reports,
    exclude_own_talk,
    own_matches,
)

MAX_ROWS = 50


class OpenCase(NamedTuple):
    """The open reports about one person, or about one match where nobody is named; oldest first."""

    person: User | None
    match: Match | None
    reports: list[Report]

    @property
    def since(self) -> datetime:
        return self.reports[0].at

    @property
    def assigned_to(self) -> User | None:
        return _find_assigned(self.reports)

    @property
    def players(self) -> list[str]:
        """Return the names of the match's players."""
        return [seat.display_name for seat in self.match.seats.all()] if self.match else []

    @property
    def about(self) -> list[str]:
        """Return what the reports are about, most frequent first."""
        counts = Counter(str(report.get_category_display()) for report in self.reports if report.category)
        return [name for name, _n in counts.most_common()]


def find_open_cases(moderator: User) -> list[OpenCase]:
    """Return the open cases that this moderator may read, the oldest first."""
    reports = exclude_own_reports(Report.objects.filter(handled_at=None), moderator)
    cases: dict[tuple[str, int], OpenCase] = {}
    related = ("person", "talk__user", "match", "assigned_to")
    for report in reports.select_related(*related).prefetch_related("match__seats").order_by("at"):
        person = report.person or (report.talk.user if report.talk else None)
        key = ("person", person.pk) if person else ("match", report.match_id or 0)
        cases.setdefault(key, OpenCase(person, None if person else report.match, [])).reports.append(report)
    return list(cases.values())


def find_next_case(moderator: User, subject: User | Match) -> OpenCase | None:
    """Return the open case after that of `subject`, or the oldest after the last one; None without another.

    Cases that another moderator has are left out.
    """
    cases = [
        case
        for case in find_open_cases(moderator)
        if (case.person or case.match) == subject or case.assigned_to in (None, moderator)
    ]
    subjects = [case.person or case.match for case in cases]
    place = subjects.index(subject) if subject in subjects else len(cases)
    following = [*cases[place + 1 :], *cases[:place]]
    return following[0] if following else None


def count_open_cases(moderator: User) -> int:
    """Return the number of `find_open_cases`."""
    reports = exclude_own_reports(Report.objects.filter(handled_at=None), moderator)
    rows = reports.values_list("person", "talk__user", "match").distinct()
    return len(
        {
            ("person", person or author) if person or author else ("match", match)
            for person, author, match in rows
        }
    )


def _find_assigned(reports: Iterable[Report]) -> User | None:
    """Return who has the case of these open reports: a later report does not say so. Who left the staff has none."""
    people = (report.assigned_to for report in reports)
    return next((each for each in people if each is not None and each.is_staff and each.is_active), None)


def find_assignees(subject: User | Match) -> list[User]:
    """Return the staff who may decide the case of a person or match."""
    able = Permission.objects.filter(content_type__app_label="games", codename="change_report")
    permitted = Q(is_superuser=True) | Q(groups__permissions__in=able) | Q(user_permissions__in=able)
    staff = User.objects.filter(permitted, is_staff=True, is_active=True).distinct().order_by("username")
    if isinstance(subject, User):
        return [each for each in staff if may_decide(each, subject)]
    match = Match.objects.filter(pk=subject.pk)
    return [each for each in staff if exclude_matches_of_opponents(match, each).exists()]


class Pair(NamedTuple):
    """The person's matches with somebody, without annulled ones: `left` by the other, `partners` side by side."""

    person: User
    matches: int
    won: int
    lost: int
    left: int
    partners: int


class Case(NamedTuple):
    """A person under review.

    sharing       users who logged in from an address of this person, each with whether they were opponents
    same_browser  the same for users of a browser of this person
    own           the keys of the matches that the moderator played, too
    has_annulled  whether a match is annulled, also one that `matches` omits
    ratings       by pool, with the completion
    lines         the latest talk, without that of the moderator's matches
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
    has_annulled: bool
    lines: list[Talk]

    @property
    def open_reports(self) -> list[Report]:
        return [report for report in self.reports if report.handled_at is None]

    @property
    def assigned_to(self) -> User | None:
        return _find_assigned(self.open_reports)

    def find_category(self, report: int | None = None) -> str:
        """Return the category of the open report with this key, else the most frequent one, or "".

        Of several that are as frequent, that of the oldest report: the others came later.
        """
        oldest_first = self.open_reports[::-1]
        chosen = [each for each in oldest_first if each.pk == report] or oldest_first
        counts = Counter(each.category or Report.Category.TALK.value for each in chosen)
        return next((category for category, _n in counts.most_common(1)), "")


class MatchCase(NamedTuple):
    """A match under review: the reports about it as a whole, its talk and its people.

    People who reported the match come last in `people`. `accused` is the only one who did not report it, if any.
    """

    match: Match
    reports: list[Report]
    lines: list[Talk]
    people: list[User]
    accused: User | None

    @property
    def is_open(self) -> bool:
        return any(report.handled_at is None for report in self.reports)

    @property
    def assigned_to(self) -> User | None:
        return _find_assigned(report for report in self.reports if report.handled_at is None)


def load_match_case(match: Match, moderator: User) -> MatchCase:
    """Return the case of a match, without reports that concern the moderator."""
    reports = exclude_own_reports(Report.objects.filter(match=match, person=None, talk=None), moderator)
    lines = Talk.objects.filter(match=match, is_emote=False).select_related("user").order_by("-id")
    found = list(reports.select_related("reporter", "assigned_to").order_by("-at"))
    seats = match.seats.exclude(user=None).select_related("user").order_by("position")
    people = [seat.user for seat in seats if seat.user is not None]
    reporters = {report.reporter_id for report in found if report.handled_at is None}
    people.sort(key=lambda person: person.pk in reporters)
    others = [person for person in people if person.pk not in reporters]
    accused = others[0] if len(others) == 1 else None
    return MatchCase(match, found, list(lines[:MAX_ROWS]), people, accused)


def load_case(person: User, moderator: User) -> Case:
    """Return the person's case for this moderator, without reports that concern the moderator."""
    reports = Report.objects.filter(person=person) | Report.objects.filter(talk__user=person)
    pairs = _load_pairs(person)
    opponents = {pair.person for pair in pairs}
    reports = exclude_own_reports(reports, moderator)
    matches = Match.objects.filter(seats__user=person, concealed=False).order_by("-started_at")
    lines = exclude_own_talk(Talk.objects.filter(user=person, is_emote=False), moderator)
    shared = Match.objects.filter(seats__user=person, pk__in=own_matches(moderator))
    return Case(
        person,
        list(reports.select_related("reporter", "match", "talk", "assigned_to").order_by("-at")[:MAX_ROWS]),
        list(person.sanctions.select_related("by")),
        list(matches.prefetch_related("seats")[:MAX_ROWS]),
        pairs,
        [(other, other in opponents) for other in _find_sharing(person)],
        [(other, other in opponents) for other in known.sharing(person)],
        list(person.notes.select_related("by")),
        list(person.ratings.filter(matches__gt=0).order_by("-matches")),
        set(shared.values_list("pk", flat=True)),
        matches.exclude(annulled_at=None).exists(),
        list(lines.select_related("match").order_by("-id")[:MAX_ROWS]),
    )


def _load_pairs(person: User) -> list[Pair]:
    own = Seat.objects.filter(user=person, won__isnull=False, match__annulled_at=None)
    others = own.exclude(match__seats__user=None).values_list(
        "won",
        "match__seats__user",
        "match__seats__won",
        "match__seats__left",
        "position",
        "match__seats__position",
        "match__pool",
    )
    rows = [row for row in others if row[1] not in (None, person.pk)]
    opponents, won, lost, left, partners = (Counter[int]() for _ in range(5))
    for own_won, key, other_won, other_left, position, other_position, pool in rows:
        opponents[key] += 1
        partners[key] += (PAIRS_POOL_MARK in pool) and (position + 2) % 4 == other_position
        won[key] += bool(own_won and not other_won)
        lost[key] += bool(other_won and not own_won)
        left[key] += bool(other_left)
    most_frequent = opponents.most_common(MAX_ROWS)
    people = User.objects.in_bulk([key for key, _n in most_frequent])
    return [
        Pair(people[key], n, won[key], lost[key], left[key], partners[key])
        for key, n in most_frequent
        if key in people
    ]


def _find_sharing(person: User) -> QuerySet[User]:
    addresses = (
        UserSession.objects.filter(user=person)
        .exclude(ip__in=[DELETED_ADDRESS, *loopback_addresses()])
        .values("ip")
    )
    shared = UserSession.objects.filter(ip__in=addresses).exclude(user=person)
    return User.objects.filter(pk__in=shared.values("user")).order_by("username")
