"""Fix the commitments of a full table, wait for the nonces, start its match (docs/record.md, "Commit, then reveal")."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

import games.services
from boneyard.engine.rules import Rules
from games.models import Seat
from games.services import SeatAssignment
from lobbies.models import Sitting, Table

from . import bots, rows

# To commit, and then to reveal: for people who have no page open, and for those who have one.
MIN_WAIT = timedelta(seconds=5)
MAX_WAIT = timedelta(seconds=20)
# Of a table with a clock of days, or of a night, before people who do not reveal lose their seats there, too.
MAX_KEEPING_RESEALS = 3
PAGE_TTL = timedelta(seconds=20)  # of a page that has committed; its socket may not have opened yet

FindNames = Callable[[Table], Mapping[int, str]]

_find_night_names: FindNames | None = None


def register_night_names(find: FindNames) -> None:
    """Let `find` give the names of a night's people at a table that it has drawn, by key of their account."""
    global _find_night_names
    _find_night_names = find


def advance(table: Table, now: datetime) -> bool:
    """Fix the commitments or start the match if that is due; free the seats of people who reveal nothing in time.

    Return whether the match was started.
    """
    with transaction.atomic():
        row = Table.objects.lock(table.pk)
        return row.open and advance_locked(row, Sitting.objects.at(row), now)


def advance_locked(row: Table, sittings: Sequence[Sitting], now: datetime) -> bool:
    """Do the same for a locked, open row and all its sittings."""
    if len(sittings) < row.seats or row.full_at is None:
        return False
    people = [sitting for sitting in sittings if sitting.user_id]
    if row.committed_at is None:
        if not all(_is_decided(sitting, row.full_at, row, now) for sitting in people):
            return False
        if row.days:
            _drop_commitments_of_absent(people, row.full_at)
        row.committed_at = now
        row.save(update_fields=["committed_at"])
        rows.notify(row)
        # Pages follow their table; a stream of events only what concerns its account.
        rows.notify_people(each.user.pk for each in people if each.user is not None and each.user.is_bot)
    missing = [sitting for sitting in people if rows.is_unrevealed(sitting)]
    if missing:
        if late := [sitting for sitting in missing if _is_late(sitting, row.committed_at, row, now)]:
            keeps = (row.days or row.night) and row.reseals < MAX_KEEPING_RESEALS
            (_ask_again if keeps else _remove)(row, late)
        return False
    _start(row, sittings)
    return True


def _is_decided(sitting: Sitting, full_at: datetime, row: Table, now: datetime) -> bool:
    """Return whether it is known what the person commits to.

    With a clock of days people may be away when the last seat is taken: a commitment counts only once one of their
    pages, which will reveal it, knows that the table is full.
    """
    if sitting.commitment is None or (row.days and sitting.commitment and not _has_page(sitting, full_at)):
        return _is_late(sitting, full_at, row, now)
    return True


def _drop_commitments_of_absent(people: Sequence[Sitting], full_at: datetime) -> None:
    """Clear the commitments of people without a page: nobody would reveal for them."""
    for sitting in people:
        if sitting.commitment and not _has_page(sitting, full_at):
            sitting.commitment = ""
            sitting.save(update_fields=["commitment"])


def _is_late(sitting: Sitting, since: datetime, row: Table, now: datetime) -> bool:
    return now >= since + (MAX_WAIT if row.full_at and _has_page(sitting, row.full_at) else MIN_WAIT)


def _has_page(sitting: Sitting, full_at: datetime) -> bool:
    """Return whether a page of the person was open when the last seat was taken, or has opened a socket since."""
    if sitting.socket_at is not None and sitting.socket_at >= full_at:
        return True
    return bool(sitting.commitment) and sitting.seen_at > full_at - PAGE_TTL


def _remove(row: Table, late: Sequence[Sitting]) -> None:
    """Free the seats of people who have not revealed. The others wait on, unless the table was made for these.

    At a night's table they wait for the computers that take these seats.
    """
    is_for_these = row.private and not row.night
    rows.free_seats(row, late, passes_on=not (is_for_these or row.days))
    if row.open and (is_for_these or row.rematch_of or row.kept_for_id):
        rows.close(row)
    rows.notify_people([sitting.user_id for sitting in late if sitting.user_id])


def _ask_again(row: Table, late: Sequence[Sitting]) -> None:
    """Seal another secret and ask for commitments again. The `late` people keep their seats, but add nothing."""
    rows.count_unrevealed(late)
    rows.reseal(row)
    Sitting.objects.filter(pk__in=[sitting.pk for sitting in late]).update(commitment="")
    row.full_at = timezone.now()
    row.save(update_fields=["full_at"])
    rows.notify(row)


def _start(row: Table, sittings: Sequence[Sitting]) -> None:
    names = _find_night_names(row) if row.night and _find_night_names is not None else {}
    games.services.start(
        code=row.code,
        preset=None if row.changed else row.preset,
        base_preset=row.preset if row.changed else "",
        rules=Rules.from_dict(row.rules),
        rated=row.rated
        and not row.shared_address
        and all(_may_be_rated(each) for each in sittings)
        and bots.may_start_rated(row, sittings),
        seats=[_entrant(sitting, sittings, names) for sitting in sittings],
        entropy=".".join((sitting.nonce or "") if sitting.commitment else "" for sitting in sittings),
        commitments=[sitting.commitment or None for sitting in sittings],
        clock=row.clock,
        private=row.private,
        pauses=row.pauses,
        night=row.night,
    )
    row.status = Table.Status.STARTED
    row.save(update_fields=["status"])
    people = [sitting.user_id for sitting in sittings if sitting.user_id]
    # A match against computers alone does not end the wait for people, nor does one at one's own pace.
    if len(people) > 1 and row.days is None:
        _withdraw_elsewhere(row, people)
    rows.notify(row)
    rows.notify_people(people)


def _may_be_rated(sitting: Sitting) -> bool:
    """Return whether a person sits here who was not barred from rated play while waiting.

    Guests and computers come to rated tables only where a night has drawn the seats.
    """
    return sitting.user is not None and not sitting.user.barred and not sitting.user.is_guest


def _entrant(sitting: Sitting, sittings: Sequence[Sitting], names: Mapping[int, str]) -> SeatAssignment:
    """Return who takes a seat; `names` are those of a night, by key of the account, in place of the accounts' own."""
    if sitting.user is None:
        same_level = [
            other.position for other in sittings if other.user is None and other.level == sitting.level
        ]
        # Screen readers need different names: the second of a level gets a 2.
        number = f" {same_level.index(sitting.position) + 1}" if sitting.position != same_level[0] else ""
        return SeatAssignment(
            name=f"{sitting.level}{number}",
            kind=Seat.Kind.COMPUTER,
            level=sitting.level,
            figure=sitting.figure,
        )
    kind = Seat.Kind.GUEST if sitting.user.is_guest else Seat.Kind.PLAYER
    name = names.get(sitting.user.pk, sitting.user.username)
    return SeatAssignment(name=name, kind=kind, user=sitting.user, quick=sitting.quick)


def _withdraw_elsewhere(started: Table, people: Sequence[int]) -> None:
    """Free the seats that these people have at other quick-play tables and rematches."""
    waiting = {
        sitting.table_id
        for person in people
        for sitting in Sitting.objects.waiting(person)
        if sitting.table_id != started.pk and _can_be_left(sitting.table)
    }
    if not waiting:
        return
    # Skip locked tables: two starts must not wait for each other.
    for row in Table.objects.select_for_update(skip_locked=True).filter(pk__in=waiting):
        for sitting in row.sittings.filter(user__in=people):
            if row.open and _can_be_left(row):
                rows.free_seat(row, sitting)


def _can_be_left(table: Table) -> bool:
    return table.full_at is None and table.days is None and (table.quick or table.rematch_of != "")
