"""The steps that changes to a table consist of. All but `locked` and `new_table` expect a locked row."""

import secrets
from collections.abc import Iterable, Mapping
from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError
from django.utils import timezone

from accounts.models import User
from core.prepared import PreparedInsert, PreparedQuery, PreparedUpdate
from games.models import Seat
from games.pace import lets_time_run
from games.services import note_rematch
from games.services import seal as sealed
from games.wording.cast import EACH
from live.broadcast import broadcast_page_changed
from lobbies.game import Game, rating_and_completion
from lobbies.models import Sitting, Table
from lobbies.refusals import TableRefused

ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"
CODE_LENGTH = 10
KEPT = 1  # the seat of somebody who was challenged
GONE = timedelta(seconds=60)  # after which somebody whose page has sent no sign is no longer waiting
OPEN_TABLES = 3  # at which one person sits
TABLES_IN_TEN_MINUTES = 20  # that one person makes

_table_insert = PreparedInsert(Table)
_sitting_insert = PreparedInsert(Sitting)
_full_update = PreparedUpdate(Table, ["full_at"])
_person = PreparedQuery(lambda key: User.objects.select_for_update(no_key=True).filter(pk=key))


def lock_person(user: User) -> None:
    """Until the transaction ends nobody else does anything for this person that locks them."""
    _person.rows(user.pk)


def lock_to_count(user: User) -> None:
    """What counts this person's open tables goes by turns, so that two at once count as two. No table is locked before
    it."""
    if settings.LIMITS:
        lock_person(user)


def locked(table: Table) -> Table:
    """The open table, locked. Raises TableRefused if it is no longer open."""
    row = Table.objects.locked(table.pk)
    if row.status == Table.Status.STARTED:
        raise TableRefused("started")
    if row.status == Table.Status.CLOSED:
        raise TableRefused("closed")
    return row


def locked_together(tables: Iterable[Table]) -> dict[int, Table]:
    """Those of the tables that are still open, by key; locked in key order, so that two
    who lock the same ones cannot deadlock."""
    keys = {table.pk for table in tables}
    rows = Table.objects.select_for_update().filter(pk__in=keys, status=Table.Status.OPEN).order_by("pk")
    return {row.pk: row for row in rows}


def new_table(
    host: User,
    game: Game,
    *,
    rated: bool,
    private: bool,
    quick: bool = False,
    rematch_of: str = "",
    kept_for: User | None = None,
) -> Table:
    """A new table with its seal, and nobody seated yet."""
    code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
    table = Table(
        code=code,
        host=host,
        preset=game.preset,
        rules=game.rules.as_dict(),
        changed=game.changed,
        seats=game.seats,
        rated=rated,
        private=private,
        quick=quick,
        rematch_of=rematch_of,
        kept_for=kept_for,
        clock_seconds=game.clock[0] if game.clock else None,
        clock_increment=game.clock[1] if game.clock else None,
        computer_pause=game.pauses.computer,
        call_pause=game.pauses.call,
        seal=sealed(code),
        created_at=timezone.now(),
    )
    _table_insert.create(table)
    return table


def seat(table: Table, position: int, user: User, address: str = "") -> None:
    """Put a person, whose address is hashed, on a free seat. Raises TableRefused if it is not free after all."""
    rating, completion = rating_and_completion(user, table.preset, table.seats)
    sitting = Sitting(
        table=table,
        position=position,
        user=user,
        rating=rating,
        completion=completion,
        slow=lets_time_run(user),
        address=address,
        seen_at=timezone.now(),
    )
    try:
        _sitting_insert.save(sitting)
    except IntegrityError:
        raise TableRefused("taken") from None
    if table.quick:
        lengthen_pause(table, user.call_pause)


def lengthen_pause(table: Table, seconds: int) -> None:
    """In quick play the pause for calls is the longest that any of its people wants."""
    if seconds > table.call_pause:
        table.call_pause = seconds
        table.save(update_fields=["call_pause"])


def seat_computers(table: Table, levels: Mapping[int, str], figures: Mapping[int, int] | None = None) -> None:
    """Put computers on their seats; `levels` by position, and `figures` if they are known already."""
    if not levels:
        return
    now = timezone.now()
    figures = figures or _drawn(levels)
    _sitting_insert.save_all(
        Sitting(table=table, position=position, level=level, figure=figures[position], seen_at=now)
        for position, level in levels.items()
    )


def _drawn(levels: Mapping[int, str]) -> dict[int, int]:
    """Which figure of its level each computer is: drawn, and no two alike at a table."""
    first = secrets.randbelow(EACH)
    return {
        position: (first + [at for at in sorted(levels) if levels[at] == level].index(position)) % EACH
        for position, level in levels.items()
    }


def own_seat(table: Table, user: User, position: int | None) -> int:
    """The one seat that this person may take in a rematch: the next one after the seat they had."""
    before = Seat.objects.filter(match__code=table.rematch_of, user=user).values_list("position", flat=True)
    seats = [further_on(seat, table.seats) for seat in before]
    if not seats or position not in (None, *seats):
        raise TableRefused("reserved", 403)
    return seats[0]


def kept_seat(table: Table, user: User, position: int | None) -> int | None:
    """Where a person may sit at a challenge's table: the one who was challenged in the kept seat, nobody else there."""
    if user.pk == table.kept_for_id:
        return KEPT
    if position == KEPT or table.seats == 2:
        raise TableRefused("reserved_for_another", 403)
    return position


def further_on(position: int, seats: int) -> int:
    """The seat in a rematch of whoever had this one."""
    return (position + 1) % seats


def note_if_full(row: Table, taken: int) -> None:
    """Start the wait for missing nonces once all seats are `taken`."""
    if taken == row.seats:
        row.full_at = timezone.now()
        _full_update.save(row)


def stand_up(row: Table, sitting: Sitting) -> None:
    """Free a person's seat. If the host leaves, the table closes, unless others wait there for a pairing or a
    rematch: then one of them becomes its host."""
    sitting.delete()
    row.full_at = None
    if row.host_id == sitting.user_id:
        heir = row.sittings.filter(user__isnull=False).select_related("user").first()
        if heir is None or heir.user is None or not (row.quick or row.rematch_of):
            close(row)
            return
        row.host = heir.user
    row.save(update_fields=["full_at", "host"])
    tell(row)


def close(row: Table) -> None:
    row.status = Table.Status.CLOSED
    row.full_at = None
    row.save(update_fields=["status", "full_at"])
    if row.kept_for_id is not None:
        tell_people([row.kept_for_id, row.host_id])
    if row.rematch_of:
        note_rematch(row.rematch_of, "")
    tell(row)


def refuse_person(user: User, *, rated: bool) -> None:
    if user.banned:
        raise TableRefused("banned", 403)
    if rated and user.barred:
        raise TableRefused("barred", 403)
    if rated and user.is_guest:
        raise TableRefused("guests", 403)


def refuse_flood(user: User, *, making: bool) -> None:
    """Raises TableRefused if this person sits at too many open tables, or is making them too fast. Expects
    `lock_to_count`."""
    if not settings.LIMITS:
        return
    if len(Sitting.objects.waiting(user.pk)) >= OPEN_TABLES:
        raise TableRefused("too_many_tables", 429)
    since = timezone.now() - timedelta(minutes=10)
    if making and Table.objects.filter(host=user, created_at__gt=since).count() >= TABLES_IN_TEN_MINUTES:
        raise TableRefused("too_fast", 429)


def tell(row: Table) -> None:
    """Tell the table's pages, the lobby if the table is listed there, and the match of which it is a rematch."""
    broadcast_page_changed(f"table.{row.code}", "table")
    if row.rematch_of:
        _tell_of_rematch(row)
    elif not row.private:
        broadcast_page_changed("lobby", "lobby")


def _tell_of_rematch(row: Table) -> None:
    """Those who sit here look at the match before, and wait for the others there."""
    waiting = {
        sitting.user_id: sitting.seen_at for sitting in row.sittings.all() if sitting.user_id is not None
    }
    if row.open and waiting:
        note_rematch(row.rematch_of, row.code, waiting, min(waiting.values()) + GONE)


def tell_people(people: Iterable[int]) -> None:
    """Tell these people, whichever page they have open, that where they sit, or are asked to, has changed."""
    for person in people:
        broadcast_page_changed(f"user.{person}", "mine")
