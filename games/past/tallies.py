"""Aggregate a user's matches, in total and against one other user, in a few queries."""

from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q, Sum

from accounts.models import User
from games.models import Match, Seat
from games.time.day_clocks import DAY_SECONDS

RECENT_MATCHES = 10
NO_PERSON = Q(kind=Seat.Kind.COMPUTER) | Q(is_bot=True)
# Two seats of a match are partners if it has two sides and one seat is between them.
PARTNERS = Q(match__scores__2__isnull=True, further__in=(2, -2))


@dataclass(frozen=True)
class HeadToHead:
    """Results of one user against another.

    together  matches as partners, not counted in the others
    latest    marks of the last ten, newest first
    """

    wins: int
    losses: int
    drawn: int
    together: int
    latest: tuple[str, ...]

    @property
    def met(self) -> bool:
        return bool(self.latest or self.together)


def load_head_to_head(one: User, other: User) -> HeadToHead:
    """Return the results of `one` against `other` in finished public matches that were not annulled."""
    both = Seat.objects.filter(
        user=one,
        won__isnull=False,
        match__private=False,
        match__annulled_at=None,
        match__seats__user=other,
    ).annotate(their_won=F("match__seats__won"), further=F("match__seats__position") - F("position"))
    counted = both.aggregate(
        wins=Count("pk", filter=~PARTNERS & Q(won=True, their_won=False)),
        losses=Count("pk", filter=~PARTNERS & Q(won=False, their_won=True)),
        drawn=Count("pk", filter=~PARTNERS & Q(won=F("their_won"))),
        together=Count("pk", filter=PARTNERS),
    )
    latest = both.filter(~PARTNERS).order_by("-match__ended_at", "-match").values_list("won", "their_won")
    return HeadToHead(**counted, latest=tuple(_mark(*each) for each in latest[:RECENT_MATCHES]))


def _mark(won: bool | None, their_won: bool | None) -> str:
    if won == their_won:
        return "drawn"
    return "won" if won else "lost"


@dataclass(frozen=True)
class Tally:
    matches: int
    among_people: int  # without a computer or a bot
    wins: int  # among people
    called: int  # at called tables
    missed: int  # points


def load_tally(user: User) -> Tally:
    """Count a user's finished matches that were not annulled, private ones only if rated."""
    seats = Seat.objects.filter(user=user, won__isnull=False, match__annulled_at=None)
    seats = seats.filter(Q(match__private=False) | Q(match__rating_order__isnull=False))
    machines = Seat.objects.filter(NO_PERSON, match=OuterRef("match"))
    counted = seats.annotate(against_machines=Exists(machines)).aggregate(
        matches=Count("pk"),
        among_people=Count("pk", filter=Q(against_machines=False)),
        wins=Count("pk", filter=Q(against_machines=False, won=True)),
        called=Count("pk", filter=Q(match__rules__claims="muggins")),
        missed=Sum("missed", default=0),
    )
    return Tally(**counted)


def find_best_win(user: User) -> Seat | None:
    """Return the seat of the highest rated opponent beaten in a public rated match, or None."""
    won = Seat.objects.filter(user=user, won=True, match__private=False, match__annulled_at=None)
    beaten = Seat.objects.filter(match__in=won.values("match"), won=False, rating_before__isnull=False)
    return beaten.exclude(name="").select_related("match").order_by("-rating_before", "-match").first()


def find_current_match(user: User) -> Match | None:
    """Return the public match that the user is playing, the last one started, or None; none with a clock of days."""
    seats = Seat.objects.filter(user=user, left=False, taken_over=False)
    playing = Match.objects.filter(status=Match.Status.PLAYING, private=False, pk__in=seats.values("match"))
    live = playing.exclude(clock_seconds__gte=DAY_SECONDS)
    return live.prefetch_related("seats").order_by("-started_at").first()
