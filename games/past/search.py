"""Search and paginate finished matches."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from accounts.models import User
from games.models import Match, Seat
from games.past.paging import paginate_by_key
from games.seats import seats_with_users

PAGE_SIZE = 25


@dataclass(frozen=True)
class Search:
    """Search criteria; an empty field matches everything. Dates are UTC days, both inclusive."""

    player: str = ""
    against: str = ""
    preset: str = ""
    how: str = ""
    result: str = ""  # of `player`: won or lost
    rated: str = ""  # "yes" or "no"
    since: date | None = None
    until: date | None = None
    private: bool = False  # include private matches

    def matches(self) -> QuerySet[Match]:
        matches = Match.objects.filter(status=Match.Status.FINISHED, concealed=False)
        if not self.private:
            matches = matches.filter(private=False)
        for name in filter(None, (self.player, self.against)):
            matches = matches.filter(pk__in=Seat.objects.filter(user__username__iexact=name).values("match"))
        if self.preset == "house":
            matches = matches.filter(preset__isnull=True)
        elif self.preset:
            matches = matches.filter(preset=self.preset)
        if self.how:
            matches = matches.filter(result_how=self.how)
        if self.rated:
            matches = matches.filter(rated=self.rated == "yes")
        if self.since:
            matches = matches.filter(ended_at__gte=_midnight(self.since))
        if self.until:
            matches = matches.filter(ended_at__lte=datetime.combine(self.until, time.max, tzinfo=UTC))
        if self.player and self.result:
            own = Seat.objects.filter(user__username__iexact=self.player, won=self.result == "won")
            matches = matches.filter(pk__in=own.values("match"))
        return matches.prefetch_related(seats_with_users())


@dataclass(frozen=True)
class Page:
    matches: list[Match]
    following: str  # key of the next page, or ""


def search_page(search: Search, key: str = "") -> Page:
    """Return a page of the results after `key`, newest first."""
    return Page(*paginate_by_key(search.matches(), "ended_at", key, PAGE_SIZE))


def find_hidden_codes(codes: Iterable[str], viewer: User | AnonymousUser) -> set[str]:
    """Return those codes that belong to private matches without a seat of the viewer."""
    private = Match.objects.filter(code__in=list(codes), private=True)
    if viewer.is_authenticated:
        private = private.exclude(pk__in=Seat.objects.filter(user=viewer).values("match"))
    return set(private.values_list("code", flat=True))


def iterate_for_export(since: date | None, player: str, preset: str, private: bool) -> Iterable[Match]:
    """Iterate over finished matches in the order in which they ended."""
    matches = (
        Search(player=player, preset=preset, since=since, private=private)
        .matches()
        .order_by("ended_at", "pk")
    )
    return matches.prefetch_related(None).prefetch_related("seats").iterator(chunk_size=200)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)
