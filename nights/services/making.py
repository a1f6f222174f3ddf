"""Make a night, name its directors, and end it."""

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction

from accounts.models import User
from boneyard.engine.presets import PRESETS
from games.services import seal
from games.wording.rated import rated_targets_sentence
from lobbies.services.rows import ALPHABET, CODE_LENGTH, refuse_person
from nights.club_models import Club
from nights.models import MAX_HANDS, MAX_ROUNDS, Entry, Night
from nights.phones import FORMATS_ON_PHONES, find_fault, has_unrated_target, is_rated
from nights.refusals import NightRefused
from nights.sheet_kinds import PLAIN
from nights.standings import find_standings

from .clubs import RUNNING, locked_club
from .locking import find_last_round, locked_directing, log_act, refuse_bots
from .naming import make_secret
from .phones import close_tables

WEEK = timedelta(days=7)
MAX_RUNNING_NIGHTS = 20  # of one host


@dataclass(frozen=True, slots=True)
class NightPlan:
    """What the host says of a night; the fields are those of `Night`."""

    name: str
    format: str
    place: str
    preset: str
    starts_at: datetime
    zone: str
    rounds: int = 5
    hands: int | None = 4
    target: int | None = None
    minutes: int | None = None
    rated: bool = False
    clock_seconds: int | None = None
    clock_increment: int | None = None
    draw: str = "rotate"
    last: str = Night.Ending.ONE_MORE
    out_counts: str = Night.OutCounts.HALF
    difference_first: bool = False
    weekly: bool = False
    audience: str = Night.Audience.UNLISTED
    rules: dict[str, Any] | None = None
    club: Club | None = None
    language: str = ""


def make(host: User, plan: NightPlan, now: datetime) -> Night:
    """Return a new night with its sealed draws; an open one draws nothing. Raise `NightRefused` or `TableRefused`."""
    is_open = plan.format == "open"
    if not is_open and not 1 <= plan.rounds <= MAX_ROUNDS:
        raise NightRefused("rounds")
    if plan.hands is not None and not 1 <= plan.hands <= MAX_HANDS:
        raise NightRefused("hands")
    if plan.club is not None and not plan.club.is_run_by(host.pk):
        raise NightRefused("not_your_club", 403)
    if plan.preset in PLAIN and (is_open or plan.place == Night.Place.PHONES):
        raise NightRefused("wood_only")
    if plan.place == Night.Place.PHONES and not is_open:
        _refuse_on_phones(plan)
    refuse_bots(host)
    with transaction.atomic():
        refuse_person(host, rated=False)
        running = host.hosted_nights.exclude(status__in=(Night.Status.OVER, Night.Status.CANCELLED))
        if settings.LIMITS and running.count() >= MAX_RUNNING_NIGHTS:
            raise NightRefused("too_many_nights", 429)
        return _create(host, plan, now)


def _create(host: User | None, plan: NightPlan, now: datetime, previous: Night | None = None) -> Night:
    night = _fill(Night(code=_make_code(), host=host, created_at=now, previous=previous), plan)
    if night.is_open_format:
        fill_open(night, now)
    else:
        night.seal = seal(night.sealed_as)
    night.save()
    return night


def fill_open(night: Night, now: datetime) -> None:
    """Fill in what is the same for every open night: nothing is drawn, so there are no rounds and no seal."""
    night.code = night.code or _make_code()
    night.format, night.place, night.status = "open", Night.Place.PHONES, Night.Status.OPEN
    night.rounds, night.hands, night.created_at = 0, None, now


def _make_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def _fill(night: Night, plan: NightPlan) -> Night:
    for name in NightPlan.__dataclass_fields__:
        setattr(night, name, getattr(plan, name))
    return night


def _refuse_on_phones(plan: NightPlan) -> None:
    """Refuse what cannot be played on phones, and a rated night whose matches would not be rated."""
    night = _fill(Night(), plan)
    if plan.format not in FORMATS_ON_PHONES:
        raise NightRefused("pairs_on_phones")
    if find_fault(night) is not None:
        raise NightRefused("not_so")
    if plan.rated and has_unrated_target(night):
        raise NightRefused("unrated_target", about=rated_targets_sentence(PRESETS[plan.preset]))
    if plan.rated and not is_rated(night):
        raise NightRefused("not_rated")


def open_to_people(night: Night, director: User, version: int, now: datetime) -> None:
    """Let people add themselves by the night's code. Raise `NightRefused`."""
    with locked_directing(night, director, version) as row:
        if row.status == Night.Status.MADE:
            row.status = Night.Status.OPEN
            log_act(row, director, "open", now)


def name_director(night: Night, host: User, version: int, user: User, now: datetime) -> None:
    """Make another account a director. Raise `NightRefused`."""
    refuse_bots(user)
    with locked_directing(night, host, version) as row:
        row.directors.add(user)
        log_act(row, host, "director", now, about=user.username)


def finish(night: Night, director: User, version: int, now: datetime) -> None:
    """End the night; a weekly one is made anew for the next week, its people carried over as asked."""
    with locked_directing(night, director, version) as row:
        row.status, row.over_at = Night.Status.OVER, now
        _close_last_tables(row)
        log_act(row, director, "finish", now)
        _store_won(row)
        if row.weekly:
            _make_next(row, now)


def cancel(night: Night, director: User, version: int, now: datetime) -> None:
    """Cancel the night: it takes place no more. Raise `NightRefused`."""
    with locked_directing(night, director, version) as row:
        row.status, row.over_at = Night.Status.CANCELLED, now
        _close_last_tables(row)
        log_act(row, director, "cancel", now)


def _store_won(night: Night) -> None:
    """Keep what each entry has won, for the seasons: nothing changes it any more."""
    entries = {entry.number: entry for entry in night.entries.all()}
    placed = []
    for row in find_standings(night):
        entry = entries[row.number]
        entry.won, entry.place = str(row.won), row.place
        placed.append(entry)
    Entry.objects.bulk_update(placed, ["won", "place"])


def make_following(club: Club, director: User, now: datetime) -> Night:
    """Return the club's next night, made from its last one with its people as asked. Raise `NightRefused`."""
    with locked_club(club, director, RUNNING) as row:
        last = row.nights.select_for_update(of=("self",)).order_by("-starts_at", "-pk").first()
        if last is None:
            raise NightRefused("no_last_night")
        if last.is_running:
            raise NightRefused("night_waits", 409)
        if last.is_open_format:
            raise NightRefused("nothing_drawn")
        return _make_next(last, now)


def _close_last_tables(night: Night) -> None:
    """Close the tables at which play has not begun; matches that are being played go on, and count no more."""
    last = find_last_round(night)
    if last is not None:
        close_tables(last.tables.all())


def _make_next(night: Night, now: datetime) -> Night:
    plan = NightPlan(**{name: getattr(night, name) for name in NightPlan.__dataclass_fields__})
    following = _create(night.host, plan, now, previous=night)
    following.starts_at, following.status = find_next_start(night, now), Night.Status.OPEN
    following.save(update_fields=["starts_at", "status"])
    following.directors.set(night.directors.all())
    people = night.entries.exclude(status=Entry.Status.ASKED)
    Entry.objects.bulk_create(
        Entry(
            night=following,
            number=number,
            name=entry.name,
            user_id=entry.user_id,
            person_id=entry.person_id,
            secret=make_secret(),
            status=Entry.Status.ASKED,
            is_helper=entry.is_helper,
            own_table=entry.own_table,
            added_at=now,
        )
        for number, entry in enumerate(people, start=1)
    )
    return following


def find_next_start(night: Night, now: datetime) -> datetime:
    """Return the same local hour of a later week, after `now`."""
    zone = ZoneInfo(night.zone)
    local = night.starts_at.astimezone(zone).replace(tzinfo=None)
    while True:
        local += WEEK
        start = local.replace(tzinfo=zone)
        if start > now:
            return start.astimezone(UTC)
