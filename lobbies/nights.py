"""Prepare club nights for the front page and for reminders."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db.models import Count
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from accounts.models import User
from boneyard.engine.presets import PRESETS
from core.prepared import PreparedQuery
from games.models import Match
from games.wording import preset_title
from lobbies.models import REMINDER_LEAD_TIME, ClubNight, NightFollower, Table
from lobbies.offers import QuickGame, usual_game

MAX_DISPLAYED_NIGHTS = 3

_followed = PreparedQuery(lambda user: NightFollower.objects.filter(user=user).select_related("night"))


class Night(NamedTuple):
    """A club night at its next start, or at the present one while it lasts."""

    key: int
    title: str
    game: QuickGame | None  # played by its button
    starts: datetime
    day: str
    is_on: bool
    left: str  # until the start, in words
    followers: str
    is_followed: bool = False

    @property
    def countdown(self) -> SafeString:
        """Return `left` as an element that counts down; at the end its parent says that the night has begun."""
        return format_html(
            '<time data-countdown datetime="{}" data-over="{}">{}</time>',
            self.starts.isoformat(),
            pgettext("a club night", "has begun"),
            self.left,
        )


def find_followed(user: User) -> list[NightFollower]:
    """Return the nights that the user follows."""
    return _followed.rows(user.pk)


def find_nights(followed_rows: Sequence[NightFollower], now: datetime) -> list[Night]:
    """Return the next nights for readers of the active language, and those that are followed, soonest first."""
    followed = {row.night_id for row in followed_rows}
    language = (get_language() or "en")[:2]
    rows = ClubNight.objects.annotate(people=Count("followers"))
    nights = [
        _build_night(row, now, row.people)._replace(is_followed=row.pk in followed)
        for row in rows
        if row.language in ("", language) or row.pk in followed
    ]
    return sorted(nights, key=lambda night: night.starts)[:MAX_DISPLAYED_NIGHTS]


def find_reminders(followed: Sequence[NightFollower], now: datetime, page_code: str = "") -> list[Night]:
    """Return the followed nights that are on or begin within the hour, unless dismissed.

    `page_code` is of the match or table that the page is about: a reader who plays that night's game needs no reminder.
    """
    due = list(_due_rows(followed, now))
    played = _find_preset(page_code) if due and page_code else None
    return [_build_night(row.night, now, 0) for row in due if row.night.preset != played]


def _find_preset(code: str) -> str | None:
    """Return the game of a match or table, as its club night names it."""
    presets = [
        rows.filter(code=code).values_list("preset", flat=True) for rows in (Match.objects, Table.objects)
    ]
    return next((preset for found in presets for preset in found if preset), None)


def _due_rows(followed: Sequence[NightFollower], now: datetime) -> Iterator[NightFollower]:
    for row in followed:
        start = row.night.find_start(now)
        if start - now <= REMINDER_LEAD_TIME and row.dismissed_for != start:
            yield row


def _build_night(row: ClubNight, now: datetime, followers: int) -> Night:
    starts = row.find_start(now)
    return Night(
        key=row.pk,
        title=title_of(row),
        game=usual_game(row.preset) if row.preset in PRESETS else None,
        starts=starts,
        day=_("%(day)s, %(hour)d:00 UTC") % {"day": row.get_weekday_display(), "hour": row.hour},
        is_on=starts <= now,
        left=describe_time_until(starts - now),
        followers=ngettext("%(n)d person is coming", "%(n)d people are coming", followers) % {"n": followers}
        if followers
        else "",
    )


def title_of(row: ClubNight) -> str:
    """Return *All Fives night*, or the name that the admin gave it."""
    if row.name:
        return row.name
    if row.preset in PRESETS:
        return _("%(game)s night") % {"game": preset_title(row.preset)}
    languages = dict(settings.LANGUAGES)
    if row.language in languages:
        return _("Evening in %(language)s") % {"language": languages[row.language]}
    return _("Club night")


def describe_time_until(left: timedelta) -> str:
    """Return *in 3 days*, *in 5 h 12 min* or *in 12 min*."""
    minutes = max(0, int(left.total_seconds() // 60))
    if minutes >= 48 * 60:
        days = minutes // (24 * 60)
        return ngettext("in %(n)d day", "in %(n)d days", days) % {"n": days}
    if minutes >= 60:
        return _("in %(hours)d h %(minutes)d min") % {"hours": minutes // 60, "minutes": minutes % 60}
    return _("in %(minutes)d min") % {"minutes": minutes}
