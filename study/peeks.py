"""Compute the peek scores of finished matches, and compare their sums with those of the site's own computers."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from math import hypot, sqrt
from statistics import NormalDist
from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum

from accounts.models import User
from accounts.moderators import may_decide
from boneyard.analysis.peek import PeekSum, score_record
from boneyard.engine.records import LEVELS, Level
from games import repository
from games.models import Match, Report, Seat
from games.past.own_cases import own_matches
from study.models import PeekScore, PeekSource

# Largest mean score of a decision that honest play causes, as the weights of the possible hands are approximate: of a
# level of the computers, and of people, who have conventions (docs/computer.md).
MAX_BIAS, MAX_HONEST_MEAN = 0.02, 0.01
MIN_MATCH_AGE = timedelta(hours=1)
MIN_COMPUTER_DECISIONS = 1_000  # for a mean of the site's own computers
MIN_ROUNDS = 20  # for a false-alarm rate
MAX_SUSPICIONS = 20
_BAND = NormalDist().inv_cdf(0.975)
_SUMS = tuple(Sum(name) for name in ("decisions", "rounds", "total", "squares"))


class Null(NamedTuple):
    """The mean score of a decision of the site's own computers, who see no other hand, and its error."""

    mean: float = 0.0
    error: float = 0.0


class Verdict(NamedTuple):
    """A sum of scores, its standard error, and the share of honest players with one as high; None for few rounds."""

    sums: PeekSum
    error: float
    false_alarm_rate: float | None


class Suspicion(NamedTuple):
    """What a person may have known of another's hand, and both of each other's; `other` is None for all together."""

    other: User | None
    own: Verdict
    both: Verdict


class LevelRow(NamedTuple):
    """The sum of the site's computers of a level; `margin` is the 95 % interval of players who see no other hand."""

    level: Level
    sums: PeekSum
    margin: float

    @property
    def within(self) -> bool:
        return abs(self.sums.total) <= self.margin


def sources(now: datetime) -> QuerySet[Match]:
    """Return matches to score that ended an hour ago: rated ones, newest first, then those with computers.

    Matches of people with open reports come before: otherwise many new matches could keep theirs from being scored.
    Matches of a set of deals that is still open are left out.
    """
    ended = Match.objects.filter(
        status=Match.Status.FINISHED, ended_at__lt=now - MIN_MATCH_AGE, version__gt=0
    )
    with_computers = Q(pk__in=Seat.objects.filter(kind=Seat.Kind.COMPUTER).values("match"))
    unscored = ended.filter(Q(rating_order__isnull=False) | with_computers, concealed=False, peek_source=None)
    reported = Report.objects.filter(handled_at=None, person__isnull=False).values("person")
    of_reported = Exists(Seat.objects.filter(match=OuterRef("pk"), user__in=reported))
    return unscored.order_by(of_reported.desc(), F("rating_order").desc(nulls_last=True), "-ended_at")


def has_sources(now: datetime) -> bool:
    """Return whether there are matches to score."""
    return sources(now).exists()


def score_match(match: Match) -> list[PeekScore]:
    """Store the scores of the people of a rated match and of the computers; return [] if it was scored before."""
    _source, created_now = PeekSource.objects.get_or_create(match=match)
    if not created_now:
        return []
    seats = {seat.position: seat for seat in match.seats.all()}
    scored = [seat for seat in seats.values() if _is_scored(seat, match)]
    others = {seat.position: _others(seat, seats, match) for seat in scored}
    sums = score_record(repository.build_record(match), others)
    rows = [
        PeekScore(
            seat=seats[position],
            other=None if other is None else seats[other],
            decisions=each.decisions,
            rounds=each.rounds,
            total=each.total,
            squares=each.squares,
        )
        for (position, other), each in sums.items()
        if (seats[position].kind == Seat.Kind.COMPUTER) is (other is None)
    ]
    return PeekScore.objects.bulk_create(rows)


def _is_scored(seat: Seat, match: Match) -> bool:
    return seat.kind == Seat.Kind.COMPUTER or (seat.user_id is not None and match.rating_order is not None)


def _others(seat: Seat, seats: dict[int, Seat], match: Match) -> list[int]:
    """Return the seats whose hands are of use: of somebody who plays in a pair the partner's, else all."""
    if seat.kind != Seat.Kind.COMPUTER and len(seats) == 4 and len(match.scores) == 2:
        return [(seat.position + 2) % 4]
    return [position for position in seats if position != seat.position]


def load_level_rows() -> list[LevelRow]:
    """Return the sums of the site's own computers by level."""
    rows = _computers().values_list("seat__level").annotate(*_SUMS).order_by()
    found = {level: PeekSum(*sums) for level, *sums in rows}
    return [_level_row(level, found[level]) for level in LEVELS if level in found]


def _level_row(level: Level, sums: PeekSum) -> LevelRow:
    return LevelRow(level, sums, _BAND * sqrt(sums.squares) + MAX_BIAS * sums.decisions)


def load_null() -> Null:
    """Return what an honest player's scores are compared with."""
    sums = PeekSum(*_computers().aggregate(*_SUMS).values())
    if (sums.decisions or 0) < MIN_COMPUTER_DECISIONS:
        return Null()
    return Null(max(0.0, sums.total / sums.decisions), sqrt(sums.squares) / sums.decisions)


def _computers() -> QuerySet[PeekScore]:
    return PeekScore.objects.filter(other=None)


def judge(sums: PeekSum, null: Null) -> Verdict:
    """Return the sum with its error, and an upper bound of how often an honest player's is as high."""
    error = hypot(sqrt(sums.squares), null.error * sums.decisions)
    if sums.rounds < MIN_ROUNDS or not error:
        return Verdict(sums, error, None)
    honest = (null.mean + MAX_HONEST_MEAN) * sums.decisions
    return Verdict(sums, error, NormalDist().cdf((honest - sums.total) / error))


def load_suspicions(person: User, moderator: User) -> list[Suspicion]:
    """Return the scores of a person against others' hands: all together, then each, the most striking first.

    Somebody who changes partners has too few rounds beside each for a rate, but not beside all. Return none to a
    moderator who may not decide about the person; leave out the moderator's own matches, and others about whom they may
    not decide.
    """
    if not may_decide(moderator, person):
        return []
    own, theirs = _sums_by_other(person, moderator)
    null = load_null()
    people = User.objects.in_bulk(own.keys())
    keys = [key for key, other in people.items() if may_decide(moderator, other)]
    found = [_suspect(people[key], [own[key]], [theirs.get(key, PeekSum())], null) for key in keys]
    found.sort(key=_excess, reverse=True)
    if len(keys) > 1:
        all_theirs = [theirs.get(key, PeekSum()) for key in keys]
        found.insert(0, _suspect(None, [own[key] for key in keys], all_theirs, null))
    return found[:MAX_SUSPICIONS]


def _suspect(other: User | None, own: Sequence[PeekSum], theirs: Sequence[PeekSum], null: Null) -> Suspicion:
    known = sum(own, PeekSum())
    return Suspicion(other, judge(known, null), judge(sum(theirs, known), null))


def _excess(found: Suspicion) -> float:
    return found.both.sums.total / (found.both.error or 1.0)


def _sums_by_other(person: User, moderator: User) -> Sequence[dict[int, PeekSum]]:
    """Return the sums of the person by other, and those of the others against the person's hand."""
    rows = PeekScore.objects.exclude(seat__match__in=own_matches(moderator))
    own = rows.filter(seat__user=person, other__user__isnull=False).values_list("other__user")
    theirs = rows.filter(other__user=person, seat__user__isnull=False).values_list("seat__user")
    return [
        {key: PeekSum(*sums) for key, *sums in each.annotate(*_SUMS).order_by()} for each in (own, theirs)
    ]
