"""Prepare open nights for the lobby, for reminders on every page, and for their own pages (`lobbies.nights`)."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils import formats
from django.utils.translation import ngettext

import lobbies.nights
from accounts.models import User
from boneyard.engine.presets import PRESETS
from core.languages import get_base_language
from core.prepared import PreparedQuery
from core.time_zones import UTC_NAME, get_zone
from games.models import Match
from lobbies.models import Table
from lobbies.nights import describe_time_until
from lobbies.offers import usual_game
from nights.models import Night
from nights.open_models import Follower
from nights.services.open_nights import REMINDER_LEAD_TIME

MAX_DISPLAYED_NIGHTS = 3

_followed = PreparedQuery(
    lambda status, user: Follower.objects.filter(user=user, night__status=status).select_related("night")
)


def filter_followers(user: Any) -> QuerySet[Follower]:
    """Return the rows of a user, whose key is the only parameter of the statement."""
    return Follower.objects.filter(user=user)


def find_followed(user: User) -> list[Follower]:
    """Return the rows of the nights that the user follows."""
    return _followed.rows(Night.Status.OPEN.value, user.pk)


def find_nights(followed: Sequence[Follower], now: datetime) -> list[lobbies.nights.Night]:
    """Return the next nights for readers of the active language, and those that are followed, soonest first.

    Strangers see public ones: of the site, of its accounts and clubs; not of guests or of hidden clubs.
    """
    own = {row.night_id for row in followed}
    language = get_base_language()
    public = Q(audience=Night.Audience.PUBLIC, language__in=("", language))
    public &= Q(host=None) | Q(host__is_guest=False, host__banned_at=None)
    public &= Q(club=None) | Q(club__is_hidden=False)
    rows = Night.objects.filter(public | Q(pk__in=own), format="open", status=Night.Status.OPEN)
    shown = [
        built._replace(is_followed=row.pk in own)
        for row in rows.annotate(people=Count("followers"))
        if (built := build_night(row, now, row.people))
    ]
    return sorted(shown, key=lambda night: night.starts)[:MAX_DISPLAYED_NIGHTS]


def find_reminders(
    followed: Sequence[Follower], now: datetime, page_code: str = ""
) -> list[lobbies.nights.Night]:
    """Return the followed nights that are on or begin within the hour, unless dismissed.

    `page_code` is of the match or table that the page is about: a reader who plays that night's game needs no reminder.
    """
    due = list(_due_rows(followed, now))
    played = _find_preset(page_code) if due and page_code else None
    built = (build_night(row.night, now, 0) for row in due if row.night.preset != played)
    return [night for night in built if night]


def _find_preset(code: str) -> str | None:
    """Return the game of a match or table, as its night names it."""
    presets = [
        rows.filter(code=code).values_list("preset", flat=True) for rows in (Match.objects, Table.objects)
    ]
    return next((preset for found in presets for preset in found if preset), None)


def _due_rows(followed: Sequence[Follower], now: datetime) -> Iterator[Follower]:
    for row in followed:
        start = row.night.find_start(now)
        if start is not None and start - now <= REMINDER_LEAD_TIME and row.dismissed_for != start:
            yield row


def build_night(row: Night, now: datetime, followers: int) -> lobbies.nights.Night | None:
    """Return an open night at its next start; None if it takes place no more."""
    starts = row.find_start(now)
    if starts is None:
        return None
    return lobbies.nights.Night(
        code=row.code,
        title=row.title,
        game=usual_game(row.preset) if row.preset in PRESETS else None,
        starts=starts,
        day=_describe_day(row, starts),
        is_on=starts <= now,
        left=describe_time_until(starts - now),
        followers=ngettext("%(n)d person is coming", "%(n)d people are coming", followers) % {"n": followers}
        if followers
        else "",
    )


def _describe_day(row: Night, starts: datetime) -> str:
    """Return *Wednesday, 19:00 UTC* or *Friday, 20:30 (Santo Domingo)*; scripts write the reader's time."""
    local = starts.astimezone(get_zone(row.zone))
    place = row.zone if row.zone == UTC_NAME else f"({row.zone.rpartition('/')[2].replace('_', ' ')})"
    return f"{formats.date_format(local, 'l')}, {local:%H:%M} {place}"
