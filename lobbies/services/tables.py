"""Make a table, sit down, leave, and contribute to the shuffle."""

import re
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

import games.services
from accounts import relations
from accounts.models import User
from lobbies.game import Game
from lobbies.models import Sitting, Table
from lobbies.refusals import TableRefused

from . import rows
from .starting import start_locked

NONCE = re.compile(r"[0-9a-z]{0,64}\Z", re.ASCII)


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
    """Create a table with the host at seat 0 and computers by `levels` (by seat, "" for a person).

    House rules, computers or no clock make it casual. `address` is the host's, hashed. Raise `TableRefused`.
    """
    computers = {position: level for position, level in enumerate(levels[: game.seats]) if level and position}
    rated = game.rated and not game.changed and not computers and game.clock is not None
    rows.refuse_person(host, rated=rated)
    with transaction.atomic():
        rows.lock_for_limits(host)
        rows.refuse_excess(host, making=True)
        table = rows.new_table(host, game, rated=rated, private=private, quick=quick, kept_for=kept_for)
        rows.seat_person(table, 0, host, address)
        rows.seat_computers(table, computers)
        rows.mark_full(table, 1 + len(computers))
        rows.notify(table)
    return table


def sit(table: Table, user: User, position: int | None = None, address: str = "") -> Table:
    """Take the seat at `position`, or the first free one. `address` is the person's, hashed. Raise `TableRefused`."""
    with transaction.atomic():
        rows.lock_for_limits(user)
        row = rows.lock_open(table)
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
            position = rows.rematch_seat(row, user, position)
        if row.kept_for_id is not None:
            position = rows.challenge_seat(row, user, position)
        if position is None:
            position = next(seat for seat in range(row.seats) if seat not in taken)
        if not 0 <= position < row.seats:
            raise TableRefused("no_such_seat")
        if position in taken:
            raise TableRefused("taken")
        rows.refuse_excess(user, making=False)
        rows.seat_person(row, position, user, address)
        rows.mark_full(row, len(taken) + 1)
        rows.notify(row)
    return row


def leave(table: Table, user: User) -> Table:
    """Free the person's seat (see `rows.free_seat`). Raise `TableRefused`."""
    with transaction.atomic():
        row = rows.lock_open(table)
        sitting = row.sittings.filter(user=user).first()
        if sitting is None:
            raise TableRefused("not_seated", 403)
        rows.free_seat(row, sitting)
    return row


def give_nonce(table: Table, user: User, nonce: str) -> Table:
    """Store a person's nonce, once, and start the match if it was the last one missing. Raise `TableRefused`."""
    if not NONCE.match(nonce):
        raise TableRefused("malformed", 400)
    now = timezone.now()
    with transaction.atomic():
        row = rows.lock_open(table)
        sittings = Sitting.objects.at(row)
        sitting = next((sitting for sitting in sittings if sitting.user_id == user.pk), None)
        if sitting is None:
            raise TableRefused("not_seated", 403)
        if sitting.nonce is not None:
            raise TableRefused("nonce_given")
        sitting.nonce, sitting.seen_at = nonce, now
        sitting.save(update_fields=["nonce", "seen_at"])
        start_locked(row, sittings, now)
        rows.notify(row)
    return row


def seen(table: Table, user: User, address: str = "") -> None:
    """Note that the person's page is open, and its hashed address if known."""
    table.sittings.filter(user=user).update(seen_at=timezone.now())
    record_address(table.code, user, address)


def record_address(code: str, user: User, address: str) -> None:
    """Record a hashed address from which a person asked for anything of a table where they sit, or of its match."""
    sittings = Sitting.objects.filter(table__code=code, table__status=Table.Status.OPEN, user=user)
    games.services.record_address(code=code, user=user, address=address, is_waiting=sittings.exists)
