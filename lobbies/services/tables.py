"""Making a table, sitting down, leaving, and contributing to the shuffle."""

import re
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from accounts import relations
from accounts.models import User
from core.prepared import PreparedUpdate
from lobbies.game import Game
from lobbies.models import Sitting, Table
from lobbies.refusals import TableRefused

from . import rows
from .starting import start_locked

NONCE = re.compile(r"[0-9a-z]{0,64}\Z", re.ASCII)
_nonce_update = PreparedUpdate(Sitting, ["nonce", "seen_at", "address"])


def make_table(
    host: User,
    game: Game,
    *,
    levels: Sequence[str] = (),
    private: bool = False,
    quick: bool = False,
    kept_for: User | None = None,
    address: str = "",
) -> Table:
    """A table with its seal, the host at seat 0 and computers where `levels` (by seat, "" for a person) say so.
    `address`: the host's, hashed.

    House rules, computers, or no clock make it casual.
    """
    computers = {position: level for position, level in enumerate(levels[: game.seats]) if level and position}
    rated = game.rated and not game.changed and not computers and game.clock is not None
    rows.refuse_person(host, rated=rated)
    with transaction.atomic():
        rows.lock_to_count(host)
        rows.refuse_flood(host, making=True)
        table = rows.new_table(host, game, rated=rated, private=private, quick=quick, kept_for=kept_for)
        rows.seat(table, 0, host, address)
        rows.seat_computers(table, computers)
        rows.note_if_full(table, 1 + len(computers))
        rows.tell(table)
    return table


def sit(table: Table, user: User, position: int | None = None, address: str = "") -> Table:
    """Take the seat at `position`, or the first free one. `address`: the person's, hashed."""
    with transaction.atomic():
        rows.lock_to_count(user)
        row = rows.locked(table)
        rows.refuse_person(user, rated=row.rated)
        taken = {sitting.position: sitting.user_id for sitting in Sitting.objects.at(row)}
        if user.pk in taken.values():
            raise TableRefused("seated")
        here = {row.kept_for_id, *taken.values()}
        if relations.blocked_among(user, {key for key in here if key}):
            raise TableRefused("not_together", 403)
        if len(taken) == row.seats:
            raise TableRefused("full")
        if row.rematch_of:
            position = rows.own_seat(row, user, position)
        if row.kept_for_id is not None:
            position = rows.kept_seat(row, user, position)
        if position is None:
            position = next(seat for seat in range(row.seats) if seat not in taken)
        if not 0 <= position < row.seats:
            raise TableRefused("no_such_seat")
        if position in taken:
            raise TableRefused("taken")
        rows.refuse_flood(user, making=False)
        rows.seat(row, position, user, address)
        rows.note_if_full(row, len(taken) + 1)
        rows.tell(row)
    return row


def leave(table: Table, user: User) -> Table:
    """Stand up. If the host leaves, the table closes, unless others wait for a pairing or a rematch."""
    with transaction.atomic():
        row = rows.locked(table)
        sitting = row.sittings.filter(user=user).first()
        if sitting is None:
            raise TableRefused("not_seated", 403)
        rows.stand_up(row, sitting)
    return row


def give_nonce(table: Table, user: User, nonce: str, address: str = "") -> Table:
    """Record a person's own characters for the shuffle, once, and that they are here, as `seen` does. Starts the match
    if they were the last missing."""
    if not NONCE.match(nonce):
        raise TableRefused("malformed", 400)
    now = timezone.now()
    with transaction.atomic():
        row = rows.locked(table)
        sittings = Sitting.objects.at(row)
        sitting = next((sitting for sitting in sittings if sitting.user_id == user.pk), None)
        if sitting is None:
            raise TableRefused("not_seated", 403)
        if sitting.nonce is not None:
            raise TableRefused("nonce_given")
        sitting.nonce, sitting.seen_at, sitting.address = nonce, now, address or sitting.address
        _nonce_update.save(sitting)
        start_locked(row, sittings, now)
        rows.tell(row)
    return row


def seen(table: Table, user: User, address: str = "") -> None:
    """Note that the person's page is open, and from which address, hashed, if that is known."""
    now = {"seen_at": timezone.now()} | ({"address": address} if address else {})
    table.sittings.filter(user=user).update(**now)
