"""What somebody's matches add up to: all of them, and those with one other person. A few statements, however many."""

from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q, Sum

from accounts.models import User
from games.models import Match, Seat

LATEST = 10
# Of two seats of a match: its scores are those of two sides, and one seat is between them.
PARTNERS = Q(match__scores__2__isnull=True, further__in=(2, -2))


@dataclass(frozen=True)
class HeadToHead:
    """`together`: the matches they had as partners, which are not among the others; `latest`: won, lost or drawn, of
    the last ten, the latest first."""

    wins: int
    losses: int
    drawn: int
    together: int
    latest: tuple[str, ...]

    @property
    def met(self) -> bool:
        return bool(self.latest or self.together)


def load_head_to_head(one: User, other: User) -> HeadToHead:
    """How `one` did in the finished public matches, none of them annulled, in which both sat on different sides."""
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
    return HeadToHead(**counted, latest=tuple(_mark(*each) for each in latest[:LATEST]))


def _mark(won: bool | None, their_won: bool | None) -> str:
    if won == their_won:
        return "drawn"
    return "won" if won else "lost"


@dataclass(frozen=True)
class Tally:
    matches: int
    among_people: int  # of the matches, those without a computer
    wins: int  # of those among people
    called: int  # of the matches, those at called tables
    missed: int


def load_tally(user: User) -> Tally:
    """Over the finished matches of a person, private ones only if rated and none of them annulled: how many, how many
    of them among people and won, how many at called tables, and the points missed there."""
    seats = Seat.objects.filter(user=user, won__isnull=False, match__annulled_at=None)
    seats = seats.filter(Q(match__private=False) | Q(match__rating_order__isnull=False))
    computers = Seat.objects.filter(match=OuterRef("match"), kind=Seat.Kind.COMPUTER)
    counted = seats.annotate(against_computers=Exists(computers)).aggregate(
        matches=Count("pk"),
        among_people=Count("pk", filter=Q(against_computers=False)),
        wins=Count("pk", filter=Q(against_computers=False, won=True)),
        called=Count("pk", filter=Q(match__rules__claims="muggins")),
        missed=Sum("missed", default=0),
    )
    return Tally(**counted)


def find_best_win(user: User) -> Seat | None:
    """The seat of the highest rated opponent whom the person has beaten in a public match that was rated."""
    won = Seat.objects.filter(user=user, won=True, match__private=False, match__annulled_at=None)
    beaten = Seat.objects.filter(match__in=won.values("match"), won=False, rating_before__isnull=False)
    return beaten.exclude(name="").select_related("match").order_by("-rating_before", "-match").first()


def find_current_match(user: User) -> Match | None:
    """The match that the person is playing, the latest begun; never one at a private table."""
    seats = Seat.objects.filter(user=user, left=False, taken_over=False)
    playing = Match.objects.filter(status=Match.Status.PLAYING, private=False, pk__in=seats.values("match"))
    return playing.prefetch_related("seats").order_by("-started_at").first()
