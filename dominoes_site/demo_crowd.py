"""Many matches for a demo: copies of the played ones, each with its secret, so that its record can be verified.

They are casual, so the ratings stay those of the matches that were played.
"""

import hashlib
import time
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.contrib.auth.hashers import make_password
from django.db import transaction

from accounts.models import User
from games.models import Match, Move, Report, SealedSecret, Seat, Talk

# A server beside it writes in the pauses: SQLite has no queue, and looks every 100 ms whether the lock is free.
MATCHES_AT_ONCE, PAUSE_SECONDS = 10, 0.1
MATCHES_EACH = 20  # of a person, in the mean
PERIOD = timedelta(days=365)
TALK_EACH, REPORT_EACH = 5, 100  # one of so many matches has a line of talk; a report


def grow(size: int, now: datetime) -> Iterator[int]:
    """Add copies until there are `size` matches, spread over a year; yield the number of matches now and then."""
    first = Match.objects.count()
    if first >= size:
        return
    played = list(
        Match.objects.filter(status=Match.Status.FINISHED, rated=True, concealed=False)
        .order_by("pk")
        .prefetch_related("seats", "moves")
    )
    secrets = {
        row.code: row for row in SealedSecret.objects.filter(code__in=[match.code for match in played])
    }
    people = _make_people(max(4, size // MATCHES_EACH), now)
    for start in range(first - first % MATCHES_AT_ONCE, size, MATCHES_AT_ONCE):
        numbers = range(max(first, start), min(size, start + MATCHES_AT_ONCE))
        with transaction.atomic():
            _copy(numbers, size, played, secrets, people, now)
        time.sleep(PAUSE_SECONDS)
        yield numbers.stop


def _make_people(number: int, now: datetime) -> list[User]:
    names = [f"crowd-{n}" for n in range(number)]
    known = set(User.objects.filter(username__in=names).values_list("username", flat=True))
    password = make_password(None)
    for name in names:
        if name not in known:
            User.objects.create(username=name, password=password, date_joined=now - PERIOD)
    return list(User.objects.filter(username__in=names).order_by("pk"))


def _copy(
    numbers: range,
    size: int,
    played: list[Match],
    secrets: dict[str, SealedSecret],
    people: list[User],
    now: datetime,
) -> None:
    sources = [played[number % len(played)] for number in numbers]
    copies = [
        _build_match(source, number, now - PERIOD * (size - number) / size)
        for source, number in zip(sources, numbers, strict=True)
    ]
    Match.objects.bulk_create(copies)
    seats: list[Seat] = []
    moves: list[Move] = []
    rows: list[SealedSecret] = []
    for source, copy, number in zip(sources, copies, numbers, strict=True):
        shift = copy.started_at - source.started_at
        at_table = [people[(number * 7 + seat.position) % len(people)] for seat in source.seats.all()]
        seats += [
            _build_seat(seat, copy, person) for seat, person in zip(source.seats.all(), at_table, strict=True)
        ]
        moves += [
            Move(
                match=copy,
                number=move.number,
                seat=move.seat,
                text=move.text,
                claim=move.claim,
                at=move.at + shift,
            )
            for move in source.moves.all()
        ]
        secret = secrets[source.code]
        rows.append(
            SealedSecret(code=copy.code, secret=secret.secret, seal=secret.seal, sealed_at=copy.started_at)
        )
        _talk(copy, number, at_table)
    Seat.objects.bulk_create(seats)
    Move.objects.bulk_create(moves, batch_size=1000)
    SealedSecret.objects.bulk_create(rows)


def _build_match(source: Match, number: int, started_at: datetime) -> Match:
    copy = Match.objects.model(
        **{field.attname: getattr(source, field.attname) for field in Match._meta.concrete_fields[1:]}
    )
    copy.code = hashlib.sha256(f"copy {number}".encode()).hexdigest()[:10]
    copy.started_at = copy.turn_began_at = copy.looked_at = started_at
    copy.ended_at = started_at + (source.end - source.started_at)
    copy.rated, copy.rating_order = False, None
    return copy


def _build_seat(source: Seat, match: Match, person: User) -> Seat:
    return Seat(
        match=match,
        position=source.position,
        user=person,
        name=person.username,
        kind=source.kind,
        score=source.score,
        won=source.won,
        missed=source.missed,
    )


def _talk(match: Match, number: int, people: list[User]) -> None:
    if number % TALK_EACH:
        return
    line = Talk.objects.create(
        match=match,
        user=people[0],
        name=people[0].username,
        room=Talk.Room.TABLE,
        text="well played",
        at=match.end,
    )
    if number % REPORT_EACH == 0:
        Report.objects.create(match=match, talk=line, reporter=people[1], reason="an insult", at=match.end)
