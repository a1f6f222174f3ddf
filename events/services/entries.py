"""Start the match of a person who plays a set of deals, or find it again."""

import secrets
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import IntegerField, Q
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

import games.services
from accounts.models import User
from events.field import find_own_entry
from events.models import OWN_SEAT, DealSet, Entry
from events.refusals import EventRefused
from games.models import Match, Seat
from games.services import SeatAssignment
from lobbies.services.rows import ALPHABET, CODE_LENGTH, refuse_person

MIN_ACCOUNT_AGE = timedelta(days=1)  # for a place
MIN_OFFICIAL_AGE = timedelta(days=7)  # for the field and the boards of months
MIN_OFFICIAL_MATCHES = 10


def start(deals: DealSet, user: User, now: datetime, *, has_browser_played: bool = False) -> Entry:
    """Return the person's entry of an open set, started if they have none. Raise `EventRefused`.

    If the browser has played the set as somebody else (`has_browser_played`), the result does not count. Raise
    `TableRefused` if the person may not begin a match.
    """
    try:
        return _start(deals, user, now, has_browser_played)
    except IntegrityError:  # another process has just created it
        entry = find_own_entry(deals, user.pk)
        if entry is None:
            raise
        return entry


def _start(deals: DealSet, user: User, now: datetime, has_browser_played: bool) -> Entry:
    with transaction.atomic():
        row = DealSet.objects.select_for_update().get(pk=deals.pk)
        entry = find_own_entry(row, user.pk)
        if entry is not None:
            return entry
        if not row.is_open(now) or row.fault:
            raise EventRefused("not_open")
        if user.is_bot:
            raise EventRefused("bots", 403)
        refuse_person(user, rated=False)
        standing = _find_standing(user, now, has_browser_played)
        match = _start_match(row, user, concealed=True)
        return Entry.objects.create(deals=row, user=user, match=match, standing=standing, started_at=now)


def practise(deals: DealSet, user: User, now: datetime) -> Entry:
    """Return a practice entry of a closed set: the person's unfinished one, or a new one. Raise `EventRefused`."""
    if not deals.has_results or deals.fault:
        raise EventRefused("not_closed")
    with transaction.atomic():
        list(User.objects.select_for_update(no_key=True).filter(pk=user.pk))
        own = Entry.objects.filter(deals=deals, user=user, practice=True, match__status=Match.Status.PLAYING)
        entry = own.select_related("match").first()
        if entry is not None:
            return entry
        refuse_person(user, rated=False)
        match = _start_match(deals, user, concealed=False)
        standing = _find_standing(user, now, has_browser_played=False)
        return Entry.objects.create(
            deals=deals, user=user, match=match, practice=True, standing=standing, started_at=now
        )


def _find_standing(user: User, now: datetime, has_browser_played: bool) -> str:
    """Return the first reason why the person's result will not count, else whether it will be official."""
    if user.is_guest:
        return Entry.Standing.GUEST
    age = now - user.date_joined
    if age < MIN_ACCOUNT_AGE:
        return Entry.Standing.NEW
    if has_browser_played:
        return Entry.Standing.AGAIN
    finished = Seat.objects.filter(user=user, won__isnull=False, left=False)
    # By house rules of one round ten matches take minutes.
    finished = finished.annotate(rounds=Cast(KeyTextTransform("rounds", "match__rules"), IntegerField()))
    finished = finished.filter(Q(rounds=None) | Q(rounds__gt=1))
    is_official = age >= MIN_OFFICIAL_AGE and finished[:MIN_OFFICIAL_MATCHES].count() == MIN_OFFICIAL_MATCHES
    return Entry.Standing.OFFICIAL if is_official else Entry.Standing.YOUNG


def _start_match(deals: DealSet, user: User, *, concealed: bool) -> Match:
    return games.services.start(
        code="".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH)),
        preset=None,
        rules=deals.parsed_rules,
        rated=False,
        seats=[_assign(deals, user, seat) for seat in range(deals.seats)],
        entropy=deals.name,
        private=True,
        pauses=user.pauses,
        deals=deals.name,
        concealed=concealed,
    )


def _assign(deals: DealSet, user: User, seat: int) -> SeatAssignment:
    if seat == OWN_SEAT:
        kind = Seat.Kind.GUEST if user.is_guest else Seat.Kind.PLAYER
        return SeatAssignment(name=user.username, kind=kind, user=user)
    # Screen readers need different names.
    name = deals.level if seat == OWN_SEAT + 1 else f"{deals.level} {seat}"
    return SeatAssignment(name=name, kind=Seat.Kind.COMPUTER, level=deals.level, figure=deals.figures[seat])
