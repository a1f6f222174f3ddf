"""The locks that every change of a night takes, and the log of what directors do."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from live.broadcast import broadcast_page_changed
from lobbies.services.rows import notify_people
from nights.models import Act, DrawnRound, Night, NightTable
from nights.refusals import NightRefused

TOPIC = "night"


@contextmanager
def locked_night(night: Night, version: int | None = None, *, also_over: bool = False) -> Iterator[Night]:
    """Lock the night, give it the next version at the end, and notify its pages. Raise `NightRefused`.

    `version` is the one that the caller saw; None for who need not have seen it. `also_over` is for what changes no
    result.
    """
    with transaction.atomic():
        row = Night.objects.select_for_update().get(pk=night.pk)
        if version is not None and version != row.version:
            raise NightRefused("stale", 409)
        if not (row.is_running or also_over):
            raise NightRefused("over")
        yield row
        row.version += 1
        row.save()
        notify_pages(row)


@contextmanager
def locked_directing(
    night: Night, director: User, version: int | None, *, also_over: bool = False
) -> Iterator[Night]:
    """Lock the night for an act of this director. Raise `NightRefused`."""
    if not night.is_directed_by(director.pk):
        raise NightRefused("not_yours", 403)
    with locked_night(night, version, also_over=also_over) as row:
        yield row


@contextmanager
def locked_table(night: Night, round_number: int, number: int, version: int) -> Iterator[NightTable]:
    """Lock a table of a round that holds, give it the next version, and notify the pages. Raise `NightRefused`.

    The night is locked, too, and gets a new version: its pages show the result, and no draw begins meanwhile.
    """
    with locked_night(night):
        rows = NightTable.objects.select_for_update(of=("self",)).select_related("drawn_round__night")
        table = rows.filter(
            drawn_round__night=night,
            drawn_round__number=round_number,
            drawn_round__undone_at=None,
            number=number,
        ).first()
        if table is None:
            raise NightRefused("no_such_table", 404)
        if version != table.version:
            raise NightRefused("stale", 409)
        yield table
        table.version += 1
        table.save()


def refuse_bots(user: User | None) -> None:
    """Raise `NightRefused` for a bot: nights and clubs are for people."""
    if user is not None and user.is_bot:
        raise NightRefused("bot", 403)


def notify_pages(night: Night) -> None:
    """Let the open pages of the night, and those that remind of it, follow after the commit."""
    broadcast_page_changed(night.group, TOPIC)
    if night.is_open_format:
        notify_people(night.followers.values_list("user", flat=True))


def find_last_round(night: Night) -> DrawnRound | None:
    """Return the round drawn last whose draw holds."""
    return DrawnRound.objects.filter(night=night, undone_at=None).order_by("-number").first()


def log_act(
    night: Night,
    user: User | None,
    kind: str,
    now: datetime,
    *,
    about: str = "",
    before: Any = None,
    after: Any = None,
) -> None:
    """Store an act of a director, with what it changed."""
    Act.objects.create(night=night, user=user, kind=kind, about=about, before=before, after=after, at=now)
