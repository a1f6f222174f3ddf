"""Quick play: sit down at a suitable table at once, or wait for somebody suitable."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.engine.records import MIDDLE
from live.broadcast import broadcast_page_changed
from lobbies import pairing
from lobbies.game import Game, game_of
from lobbies.models import Sitting, Table
from lobbies.refusals import TableRefused

from . import rows
from .starting import start_locked
from .tables import make_table, sit


def quick_play(user: User, game: Game, level: str = "") -> Table:
    """Sit down at a suitable open table, or make one and wait there; with `level` the others are computers.

    Somebody who is already waiting in quick play leaves that table: nobody waits at two.
    """
    if level:
        return make_table(user, game, levels=["", *[level] * (game.seats - 1)], private=True, quick=True)
    rows.refuse_person(user, rated=game.rated)
    with transaction.atomic():
        rows.lock_person(user)  # so that whoever presses twice at once waits at one table
        return _sit_at_fitting(user, game) or make_table(user, game, quick=True)


def may_fill(table: Table, user: User) -> bool:
    """Whether this person may give the free seats of a quick-play table to computers. It makes the match casual, so
    where others wait for a rated one nobody may; of several the one who has waited longest."""
    people = [sitting.user_id for sitting in table.sittings.all() if sitting.user_id]
    alone = people == [user.pk]
    return (
        table.quick
        and table.open
        and not table.full_at
        and (alone or (table.host_id == user.pk and user.pk in people and not table.rated))
    )


def fill_with_computers(table: Table, user: User) -> Table:
    """Seat computers on all free seats of a quick-play table, so that nobody need be waited for. Raises
    TableRefused."""
    with transaction.atomic():
        row = rows.locked(table)
        taken = {sitting.position: sitting.user_id for sitting in row.sittings.all()}
        if user.pk not in taken.values():
            raise TableRefused("not_seated", 403)
        if len(taken) == row.seats:
            raise TableRefused("full")
        if not may_fill(row, user):
            raise TableRefused("waits_for_people", 403)
        row.rated, row.private = False, True
        row.save(update_fields=["rated", "private"])
        rows.seat_computers(row, {seat: MIDDLE for seat in range(row.seats) if seat not in taken})
        rows.note_if_full(row, row.seats)
        start_locked(row, Sitting.objects.at(row), timezone.now())
        rows.tell(row)
        broadcast_page_changed("lobby", "lobby")
    return row


def _sit_at_fitting(user: User, game: Game) -> Table | None:
    """The table where the person now sits; None if no table suits, and then they wait nowhere."""
    own = list(Table.objects.filter(status=Table.Status.OPEN, quick=True, rematch_of="", sittings__user=user))
    fitting = pairing.fitting(user, game, timezone.now())
    with transaction.atomic():
        open_rows = rows.locked_together([*own, *fitting])
        waiting = [open_rows[table.pk] for table in own if table.pk in open_rows]
        for row in waiting:
            if row.full_at:
                return row  # somebody has joined it in the meantime, and it is about to start
        found = next(
            (table for table in fitting if table.pk in open_rows and not open_rows[table.pk].full_at), None
        )
        if found is None:
            same = next((row for row in waiting if game_of(row) == game), None)
            if same is not None:
                return same
        for row in waiting:
            rows.stand_up(row, row.sittings.get(user=user))
        return None if found is None else sit(found, user)


def join(older: Table, younger: Table, now: datetime) -> None:
    """Move the people at one quick-play table to another that has waited longer, if they still suit it."""
    with transaction.atomic():
        open_rows = rows.locked_together([older, younger])
        if len(open_rows) < 2:
            return
        row, emptied = open_rows[older.pk], open_rows[younger.pk]
        if row.full_at or emptied.full_at or not pairing.joinable(row, emptied, now):
            return
        taken = {sitting.position for sitting in row.sittings.all()}
        free = (position for position in range(row.seats) if position not in taken)
        for sitting, position in zip(list(emptied.sittings.all()), free, strict=False):
            # Their nonces were for the other seal; their pages will send new ones for this one.
            sitting.table, sitting.position, sitting.nonce = row, position, None
            sitting.save(update_fields=["table", "position", "nonce"])
        rows.lengthen_pause(row, emptied.call_pause)
        emptied.moved_to = row.code
        emptied.save(update_fields=["moved_to"])
        rows.close(emptied)
        rows.note_if_full(row, row.sittings.count())
        rows.tell(row)
