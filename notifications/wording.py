"""Word notices. They name people and games; never a tile, a score or the code of a table."""

from typing import NamedTuple

from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Seat
from games.wording import preset_title
from lobbies.models import ClubNight, Table
from lobbies.nights import title_of
from notifications.models import Kind, Notice


class Words(NamedTuple):
    title: str
    body: str


def describe(notice: Notice) -> Words:
    """Return the notice in the active language."""
    match Kind(notice.kind):
        case Kind.TURN:
            return Words(_("Your turn"), _describe_match(notice.seat))
        case Kind.BEGINNING:
            return Words(_("Your match has begun"), _describe_match(notice.seat))
        case Kind.CHALLENGE:
            return Words(_("You are challenged"), _describe_table(notice.subject))
        case Kind.REMATCH:
            return Words(_("A rematch?"), _describe_table(notice.subject))
        case Kind.NIGHT:
            night = ClubNight.objects.filter(pk=notice.subject).first()
            return Words(
                title_of(night) if night else _("Club night"), _("People are meeting at the tables.")
            )
        case Kind.STREAK:
            return Words(
                _("Daily Deal"), _("Play today’s deal before midnight UTC, and your streak goes on.")
            )


def _describe_match(seat: Seat | None) -> str:
    if seat is None:
        return ""
    others = seat.match.seats.exclude(pk=seat.pk).select_related("user")
    return _join([other.display_name for other in others], seat.match.preset)


def _describe_table(key: str) -> str:
    table = Table.objects.select_related("host").filter(pk=key).first()
    return "" if table is None else _join([table.host.username], table.preset)


def _join(names: list[str], preset: str | None) -> str:
    game = [preset_title(preset)] if preset else []
    return " · ".join([", ".join(names), *game])


def count_waiting(user: User) -> int:
    """Return how many matches wait for the person by their notices: the number on the app's icon."""
    return user.notices.filter(kind__in=[Kind.TURN, Kind.BEGINNING]).count()
