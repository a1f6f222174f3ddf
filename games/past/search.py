"""Finished matches as lists: searched and paged by key. Reads only."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from accounts.models import User
from games.models import Match, Seat
from games.past.paging import paginate_by_key

PAGE = 25


@dataclass(frozen=True)
class Search:
    """What to look for; an empty field excludes nothing. Dates are whole UTC days, both included."""

    player: str = ""
    against: str = ""
    preset: str = ""
    how: str = ""
    result: str = ""  # of `player`: won or lost
    rated: str = ""  # "yes" or "no"
    since: date | None = None
    until: date | None = None
    private: bool = False  # whether matches at private tables are taken too

    def matches(self) -> QuerySet[Match]:
        found = Match.objects.filter(status=Match.Status.FINISHED)
        if not self.private:
            found = found.filter(private=False)
        for name in filter(None, (self.player, self.against)):
            found = found.filter(pk__in=Seat.objects.filter(user__username__iexact=name).values("match"))
        if self.preset == "house":
            found = found.filter(preset__isnull=True)
        elif self.preset:
            found = found.filter(preset=self.preset)
        if self.how:
            found = found.filter(result_how=self.how)
        if self.rated:
            found = found.filter(rated=self.rated == "yes")
        if self.since:
            found = found.filter(ended_at__gte=_midnight(self.since))
        if self.until:
            found = found.filter(ended_at__lte=datetime.combine(self.until, time.max, tzinfo=UTC))
        if self.player and self.result:
            own = Seat.objects.filter(user__username__iexact=self.player, won=self.result == "won")
            found = found.filter(pk__in=own.values("match"))
        return found.prefetch_related("seats__user")


@dataclass(frozen=True)
class Page:
    matches: list[Match]
    following: str  # the key of the next page, "" on the last


def search_page(search: Search, key: str = "") -> Page:
    """A page of what was found, from `key` on, latest first."""
    return Page(*paginate_by_key(search.matches(), "ended_at", key, PAGE))


def find_hidden_codes(codes: Iterable[str], viewer: User | AnonymousUser) -> set[str]:
    """Those of the codes that belong to private matches in which the viewer had no seat."""
    private = Match.objects.filter(code__in=list(codes), private=True)
    if viewer.is_authenticated:
        private = private.exclude(pk__in=Seat.objects.filter(user=viewer).values("match"))
    return set(private.values_list("code", flat=True))


def iterate_for_export(since: date | None, player: str, preset: str, private: bool) -> Iterable[Match]:
    """Finished matches in the order in which they ended, for export."""
    found = (
        Search(player=player, preset=preset, since=since, private=private)
        .matches()
        .order_by("ended_at", "pk")
    )
    return found.prefetch_related(None).prefetch_related("seats").iterator(chunk_size=200)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)
