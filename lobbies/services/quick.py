"""Quick play: sit down at a suitable table, or wait for somebody suitable."""

from contextlib import suppress
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from boneyard.engine.records import DEFAULT_LEVEL
from games.services import move_addresses
from live.broadcast import broadcast_page_changed
from lobbies import pairing
from lobbies.game import Game, game_of
from lobbies.models import Sitting, Table
from lobbies.refusals import TableRefused

from . import bots, rows
from .tables import advance_if_full, leave, make_table, sit


def quick_play(user: User, game: Game, level: str = "", commitment: str | None = None) -> Table:
    """Sit down at a suitable open table, or make one and wait; with `level` the other seats are computers.

    Somebody who already waits in quick play leaves that table, unless that or the new one has a clock of days. Without
    a `commitment` a match against computers starts at once. Raise `TableRefused`.
    """
    if level:
        levels = ["", *[level] * (game.seats - 1)]
        return make_table(user, game, levels=levels, private=True, quick=True, commitment=commitment or "")
    bots.refuse_quick_play(user)
    rows.refuse_person(user, rated=game.rated)
    rows.refuse_no_shows(user)
    with transaction.atomic():
        rows.lock_person(user)  # two requests at once must not make two tables
        found = _sit_at_fitting(user, game, commitment)
        return found or make_table(user, game, quick=True, commitment=commitment)


def may_fill(table: Table, user: User) -> bool:
    """Return whether this person may fill a table: alone at one of quick play, or the host of a casual one."""
    people = [sitting.user_id for sitting in table.sittings.all() if sitting.user_id]
    is_alone = table.quick and people == [user.pk]
    is_casual_host = table.host_id == user.pk and user.pk in people and not table.rated
    is_for_named_people = bool(table.kept_for_id or table.rematch_of)
    return table.open and not table.full_at and not is_for_named_people and (is_alone or is_casual_host)


def fill_with_computers(table: Table, user: User) -> Table:
    """Seat computers on all free seats and start the match. Raise `TableRefused`."""
    with transaction.atomic():
        row = rows.lock_open(table)
        sittings = Sitting.objects.at(row)
        taken = {sitting.position: sitting.user_id for sitting in sittings}
        if row.night or user.pk not in taken.values():
            raise TableRefused("drawn" if row.night else "not_seated", 403)
        if len(taken) == row.seats:
            raise TableRefused("full")
        if not may_fill(row, user):
            raise TableRefused("waits_for_people", 403)
        # As in quick play against computers, whose matches are not listed. A host has chosen for their own table.
        row.rated, row.private = False, row.private or row.quick
        row.save(update_fields=["rated", "private"])
        free = [seat for seat in range(row.seats) if seat not in taken]
        rows.seat_computers(row, dict.fromkeys(free, DEFAULT_LEVEL), beside=sittings)
        rows.mark_full(row, row.seats)
        rows.notify(row)
        advance_if_full(row)
        broadcast_page_changed("lobby", "lobby")
    return row


def may_seat_computer(table: Table, user: User) -> bool:
    """Return whether this person may seat a computer at their table, and wait for people on the other seats.

    With other people at a rated table they may not: the match would no longer be what these sat down for.
    """
    people = [sitting.user_id for sitting in table.sittings.all() if sitting.user_id]
    is_host = table.host_id == user.pk and user.pk in people
    is_for_others = bool(table.quick or table.kept_for_id or table.rematch_of)
    return (
        is_host
        and table.open
        and not (table.full_at or is_for_others)
        and (not table.rated or len(people) == 1)
    )


def seat_computer(table: Table, user: User, position: int) -> Table:
    """Seat a computer on one free seat, which makes the match casual. Raise `TableRefused`."""
    with transaction.atomic():
        row = rows.lock_open(table)
        sittings = Sitting.objects.at(row)
        taken = {sitting.position: sitting.user_id for sitting in sittings}
        if row.night or user.pk not in taken.values():
            raise TableRefused("drawn" if row.night else "not_seated", 403)
        if not 0 <= position < row.seats:
            raise TableRefused("no_such_seat")
        if position in taken:
            raise TableRefused("taken")
        if not may_seat_computer(row, user):
            raise TableRefused("waits_for_people", 403)
        row.rated = False
        row.save(update_fields=["rated"])
        rows.seat_computers(row, {position: DEFAULT_LEVEL}, beside=sittings)
        rows.mark_full(row, len(taken) + 1)
        rows.notify(row)
        advance_if_full(row)
    return row


def _sit_at_fitting(user: User, game: Game, commitment: str | None) -> Table | None:
    """Seat the person at a suitable table and return it; return None if none suits (they then wait nowhere)."""
    own = list(Table.objects.filter(status=Table.Status.OPEN, quick=True, rematch_of="", sittings__user=user))
    fitting = pairing.find_fitting(user, game, timezone.now())
    with transaction.atomic():
        open_rows = rows.lock_all_open([*own, *fitting])
        waiting = [open_rows[table.pk] for table in own if table.pk in open_rows]
        waiting = [row for row in waiting if game_of(row) == game or not (row.days or game.days)]
        for row in waiting:
            if row.full_at:
                return row  # it has filled up meanwhile and is about to start
        found = next(
            (table for table in fitting if table.pk in open_rows and not open_rows[table.pk].full_at), None
        )
        if found is None:
            same = next((row for row in waiting if game_of(row) == game), None)
            if same is not None:
                return same
        for row in waiting:
            rows.free_seat(row, row.sittings.get(user=user))
        return None if found is None else sit(found, user, commitment=commitment, quick=True)


def leave_queues(user: User, table: Table) -> None:
    """Free the seats where a person waits in quick play, once they have sat down at another public table."""
    for sitting in Sitting.objects.waiting(user.pk):
        other = sitting.table
        if other.pk != table.pk and other.quick and not (other.rematch_of or other.days or other.full_at):
            with suppress(TableRefused):  # it may start just now
                leave(other, user)


def join(target: Table, moved: Table, now: datetime) -> None:
    """Move the people of `moved` to `target`, if they still suit each other."""
    with transaction.atomic():
        open_rows = rows.lock_all_open([target, moved])
        if len(open_rows) < 2:
            return
        row, emptied = open_rows[target.pk], open_rows[moved.pk]
        if row.full_at or emptied.full_at or not pairing.may_merge(row, emptied, now):
            return
        taken = {sitting.position for sitting in row.sittings.all()}
        free = (position for position in range(row.seats) if position not in taken)
        move_addresses(emptied.code, row.code, [s.user_id for s in emptied.sittings.all() if s.user_id])
        for sitting, position in zip(list(emptied.sittings.all()), free, strict=False):
            # Their commitments belong to the other seal; their pages send new ones.
            sitting.table, sitting.position = row, position
            sitting.commitment = sitting.nonce = None
            sitting.save(update_fields=["table", "position", "commitment", "nonce"])
        rows.lengthen_pause(row, emptied.call_pause)
        emptied.moved_to = row.code
        emptied.save(update_fields=["moved_to"])
        rows.close(emptied)
        rows.mark_full(row, row.sittings.count())
        rows.notify(row)
