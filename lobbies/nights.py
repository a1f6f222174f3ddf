"""Nights at which people meet by quick play, in the lobby and in reminders: what a higher app registers."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Protocol

from django.db.models import QuerySet
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from accounts.models import User
from lobbies.offers import QuickGame


class Night(NamedTuple):
    """A night at its next start, or at the present one while it lasts."""

    code: str
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


class OpenNights(Protocol):
    """Where the nights come from. The rows of followers are the app's own; the lobby only hands them back."""

    def filter_followers(self, user: Any) -> QuerySet[Any]:
        """Return the rows of a user, whose key is the only parameter of the statement."""

    def find_followed(self, user: User) -> Sequence[Any]:
        """Return the rows of the nights that the user follows."""

    def find_nights(self, followed: Sequence[Any], now: datetime) -> list[Night]:
        """Return the next nights for readers of the active language, and those that are followed, soonest first."""

    def find_reminders(self, followed: Sequence[Any], now: datetime, page_code: str = "") -> list[Night]:
        """Return the followed nights that are on or begin within the hour, unless dismissed.

        `page_code` is of the match or table that the page is about.
        """


_registered: list[OpenNights] = []


def register(source: OpenNights) -> None:
    _registered[:] = [source]


def get_source() -> OpenNights:
    return _registered[0]


def describe_time_until(left: timedelta) -> str:
    """Return *in 3 days*, *in 5 h 12 min* or *in 12 min*."""
    minutes = max(0, int(left.total_seconds() // 60))
    if minutes >= 48 * 60:
        days = minutes // (24 * 60)
        return ngettext("in %(n)d day", "in %(n)d days", days) % {"n": days}
    if minutes >= 60:
        return _("in %(hours)d h %(minutes)d min") % {"hours": minutes // 60, "minutes": minutes % 60}
    return _("in %(minutes)d min") % {"minutes": minutes}
