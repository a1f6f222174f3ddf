"""Making a table, sitting down, leaving, and what each adds to the shuffle."""

import re
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from lobbies.game import Game
from lobbies.models import Table
from lobbies.refusals import Refused

from . import rows
from .starting import start_locked

NONCE = re.compile(r"[0-9a-z]{0,64}\Z", re.ASCII)


def make_table(
    maker: User,
    game: Game,
    *,
    levels: Sequence[str] = (),
    private: bool = False,
    quick: bool = False,
) -> Table:
    """A table with its seal, the maker at seat 0 and computers where `levels` (by seat, "" for a person) say so.

    House rules and computers make it casual.
    """
    computers = {position: level for position, level in enumerate(levels[: game.seats]) if level and position}
    rated = game.rated and not game.changed and not computers
    rows.refuse_person(maker, rated=rated)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=maker.pk)  # so that two at once are counted as two
        rows.refuse_flood(maker, making=True)
        table = rows.new_table(maker, game, rated=rated, private=private, quick=quick)
        rows.seat(table, 0, maker)
        rows.seat_computers(table, computers)
        rows.note_if_full(table)
        rows.tell(table)
    return table


def sit(table: Table, user: User, position: int | None = None) -> Table:
    """Take a seat, the first free one without a position."""
    with transaction.atomic():
        row = rows.locked(table)
        rows.refuse_person(user, rated=row.rated)
        taken = {sitting.position: sitting.user_id for sitting in row.sittings.all()}
        if user.pk in taken.values():
            raise Refused("seated")
        if len(taken) == row.seats:
            raise Refused("full")
        if row.rematch_of:
            position = rows.own_place(row, user, position)
        if position is None:
            position = next(place for place in range(row.seats) if place not in taken)
        if not 0 <= position < row.seats:
            raise Refused("no_such_seat")
        if position in taken:
            raise Refused("taken")
        rows.refuse_flood(user, making=False)
        rows.seat(row, position, user)
        rows.note_if_full(row)
        rows.tell(row)
    return row


def leave(table: Table, user: User) -> Table:
    """Stand up. The maker's leaving closes the table, unless others wait for a pairing or a rematch."""
    with transaction.atomic():
        row = rows.locked(table)
        sitting = row.sittings.filter(user=user).first()
        if sitting is None:
            raise Refused("not_seated", 403)
        rows.stand_up(row, sitting)
    return row


def give_nonce(table: Table, user: User, nonce: str) -> Table:
    """A person's own characters for the shuffle; the first ones count. Starts the match if they were the last."""
    if not NONCE.match(nonce):
        raise Refused("malformed", 400)
    now = timezone.now()
    with transaction.atomic():
        row = rows.locked(table)
        sitting = row.sittings.filter(user=user).first()
        if sitting is None:
            raise Refused("not_seated", 403)
        if sitting.nonce is not None:
            raise Refused("nonce_given")
        sitting.nonce, sitting.seen_at = nonce, now
        sitting.save(update_fields=["nonce", "seen_at"])
        start_locked(row, now)
        rows.tell(row)
    return row


def seen(table: Table, user: User) -> None:
    """The person's page is open."""
    table.sittings.filter(user=user).update(seen_at=timezone.now())
