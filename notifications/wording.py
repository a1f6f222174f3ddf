"""Word notices. They name people and games; never a tile, a score or the code of a table."""

from datetime import datetime
from typing import NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from core.time_zones import get_zone
from games.models import Seat
from games.wording import preset_title
from lobbies.clocks import describe_pace
from lobbies.models import Table
from nights.models import Night
from nights.wording import local_time
from notifications import evenings
from notifications.deadlines import count_ended
from notifications.models import Kind, Notice, Subscription, find_choices
from notifications.turns import find_waiting

MAX_MINUTES_SHOWN = 90  # longer times are shown in hours


class Words(NamedTuple):
    title: str
    body: str


def describe(notice: Notice) -> Words:
    """Return the notice in the active language."""
    match Kind(notice.kind):
        case Kind.TURN:
            return Words(_("Your turn"), _describe_match(notice.seat))
        case Kind.DAY_LEFT | Kind.HOURS_LEFT:
            return Words(_describe_time_left(notice.seat, timezone.now()), _describe_match(notice.seat))
        case Kind.ENDED:
            return _describe_ending(notice.seat)
        case Kind.BEGINNING:
            return Words(_("Your match has begun"), _describe_match(notice.seat))
        case Kind.CHALLENGE:
            return Words(_("You are challenged"), _describe_table(notice.subject))
        case Kind.REMATCH:
            return Words(_("A rematch?"), _describe_table(notice.subject))
        case Kind.NIGHT if evening := evenings.find_evening(notice):
            zone = find_choices(notice.user).time_zone
            return Words(evening.name, describe_evening(evening, zone))
        case Kind.NIGHT:
            night = Night.objects.filter(code=notice.subject).first()
            return Words(night.title if night else _("Club night"), _("People are meeting at the tables."))
        case Kind.STREAK:
            return Words(
                _("Daily Deal"), _("Play today’s deal before midnight UTC, and your streak goes on.")
            )
        case Kind.SUMMARY:
            return Words(_("While you were away"), summarize(notice.user, len(find_waiting(notice.user))))
        case Kind.TEST:
            device = Subscription.objects.filter(pk=notice.subject).first()
            return Words(_("Notices reach this device."), "" if device is None else device.device)


def describe_evening(night: Night, zone: str) -> str:
    """Return *Begins at 20:30 · Calle 5*: the hour at the tables; on phones that of the reader's zone, "" if unknown.

    A place beside the hour says whose it is, where the reader's clock may show another one.
    """
    own, local = night.starts_at.astimezone(get_zone(zone)), local_time(night, night.starts_at)
    if zone and (own.utcoffset() == local.utcoffset() or not night.is_wood):
        hour = f"{own:%H:%M}"
    else:
        hour = f"{local:%H:%M} ({night.zone.rpartition('/')[2].replace('_', ' ')})"
    begins = _("Begins at %(hour)s") % {"hour": hour}
    return f"{begins} · {night.club.place}" if night.is_wood and night.club and night.club.place else begins


def describe_several(notice: Notice, number: int) -> Words:
    """Return several notices of one kind as one; `notice` is the first to run out."""
    if notice.kind == Kind.ENDED:
        ended = ngettext("%(n)d match has ended.", "%(n)d matches have ended.", number) % {"n": number}
        return Words(_("While you were away"), ended)
    title = describe(notice).title
    return Words(title, _count_waiting(number))


def _count_waiting(number: int) -> str:
    text = ngettext("%(n)d match waits for your move.", "%(n)d matches wait for your move.", number)
    return text % {"n": number}


def _describe_time_left(seat: Seat | None, now: datetime) -> str:
    """Return *2 hours left for your move*."""
    if seat is None or seat.match.next_action_at is None:
        return _("Your turn")
    minutes = max(1, round((seat.match.next_action_at - now).total_seconds() / 60))
    if minutes < MAX_MINUTES_SHOWN:
        text = ngettext("%(n)d minute left for your move", "%(n)d minutes left for your move", minutes)
        return text % {"n": minutes}
    hours = round(minutes / 60)
    return ngettext("%(n)d hour left for your move", "%(n)d hours left for your move", hours) % {"n": hours}


def _describe_ending(seat: Seat | None) -> Words:
    """Return who won and how; the winner is told first that it is them. Without a winner it names the others."""
    if seat is None:
        return Words(_("Your match has ended"), "")
    title = _("You have won your match") if seat.won else _("Your match has ended")
    if any(each.won for each in seat.match.seats.all()):
        return Words(title, _join([seat.match.outcome], seat.match.preset))
    return Words(title, " · ".join([_describe_match(seat), seat.match.outcome]))


def summarize(user: User, waiting: int) -> str:
    """Return how many matches wait for the person, and how many have ended since they were here."""
    sentences = [_count_waiting(waiting)]
    if ended := count_ended(user, user.seen_at):
        sentences.append(ngettext("%(n)d has ended.", "%(n)d have ended.", ended) % {"n": ended})
    return " ".join(sentences)


def _describe_match(seat: Seat | None) -> str:
    if seat is None:
        return ""
    others = seat.match.seats.exclude(pk=seat.pk).select_related("user")
    return _join([other.display_name for other in others], seat.match.preset)


def _describe_table(key: str) -> str:
    table = Table.objects.select_related("host").filter(pk=key).first()
    if table is None:
        return ""
    words = _join([table.host.public_name], table.preset)
    return f"{words} · {describe_pace(table.clock)}" if table.days else words


def _join(names: list[str], preset: str | None) -> str:
    game = [preset_title(preset)] if preset else []
    return " · ".join([", ".join(names), *game])
