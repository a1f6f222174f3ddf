"""The tables of a night on phones: who is there, computers for those who are not, and what the matches give.

`keep_tables` is the duty that goes on with them; all that it needs is stored, so a restart repeats it.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import F

import games.services
import lobbies.services
from accounts.models import User
from boneyard.engine.moves import ABORT
from core.faults import contain
from games.models import Match
from games.time import outages
from live.broadcast import broadcast_page_changed
from lobbies.models import Sitting, Table
from nights.models import Entry, Night, NightTable
from nights.phones import build_game, order_seats, read_result
from nights.refusals import NightRefused

from .locking import find_last_round, locked_directing, locked_night, log_act

log = logging.getLogger(__name__)

COMPUTER_LEVEL = "club"
HELP_AFTER = timedelta(minutes=3)  # since the table was opened: a director may seat somebody else
COMPUTERS_AFTER = timedelta(minutes=5)


def open_tables(night: Night, tables: Iterable[NightTable], maker: User, now: datetime) -> None:
    """Open the tables of a new draw: their people come, and play begins when all are there."""
    for table in tables:
        open_table(night, table, maker, now)


def open_table(night: Night, table: NightTable, maker: User, now: datetime) -> None:
    """Open a table of the lobby for these seats, in place of an earlier one that is closed."""
    entries = order_seats(table.sides)
    rows = night.entries.filter(number__in=entries).select_related("user")
    users = {entry.number: entry.user for entry in rows if entry.user is not None}
    people = {
        position: users[number]
        for position, number in enumerate(entries)
        if number in users and number not in table.replaced
    }
    computers = {
        position: COMPUTER_LEVEL for position, number in enumerate(entries) if number in table.replaced
    }
    game = build_game(night, len(entries))
    opened = lobbies.services.open_drawn(maker, game, night.code, people, computers, now)
    table.waiting_code, table.computers_at = opened.code, now + COMPUTERS_AFTER
    table.save(update_fields=["waiting_code", "computers_at"])


def reopen(night: Night, table: NightTable, maker: User, now: datetime) -> None:
    """Open a table again whose seats have changed. Raise `NightRefused` if its match has begun."""
    if not lobbies.services.close_drawn(table.waiting_code):
        raise NightRefused("begun")
    open_table(night, table, maker, now)


def close_tables(tables: Iterable[NightTable]) -> None:
    """Close those of the tables at which play has not begun; matches go on."""
    for table in tables:
        is_waiting = table.waiting_code and not table.is_decided
        if is_waiting and lobbies.services.close_drawn(table.waiting_code):
            table.waiting_code = ""
            table.save(update_fields=["waiting_code"])


def take_back(tables: Iterable[NightTable]) -> None:
    """Close the tables of a draw that is undone. Raise `NightRefused` once a hand was seen, or a rated match began."""
    for table in tables:
        if not table.waiting_code or lobbies.services.close_drawn(table.waiting_code):
            continue
        match = Match.objects.select_for_update().get(code=table.waiting_code)
        is_seen = match.version > 0 or match.seats.filter(hand_seen_at__isnull=False).exists()
        if match.rated or is_seen or not match.playing:
            raise NightRefused("hand_seen")
        games.services.void(match)


def seat_claimed(night: Night, entry: Entry, now: datetime) -> None:
    """Seat somebody who has just said who they are, if their table waits for them. The night is locked."""
    last = find_last_round(night)
    if night.is_wood or last is None or last.closed_at is not None or entry.user is None:
        return
    table = _find_table(last.tables.all(), entry.number)
    if table is None or entry.number in table.replaced or table.status != table.Status.PLAYING:
        return
    try:
        seats = order_seats(table.sides)
        lobbies.services.seat_drawn(table.waiting_code, seats.index(entry.number), entry.user, now)
    except Table.DoesNotExist:
        pass  # the duty opens another one, with the person


def free_untied(night: Night, entry: Entry, user: User) -> None:
    """Free the seat of an account that a director has untied from a person. The night is locked."""
    last = find_last_round(night)
    table = _find_table(last.tables.all(), entry.number) if last and not night.is_wood else None
    if table is not None and Table.objects.filter(code=table.waiting_code).exists():
        lobbies.services.free_drawn(table.waiting_code, user)


def replace(
    night: Night, director: User, version: int, number: int, helper: int | None, now: datetime
) -> None:
    """Seat a helper, or without one a computer, for a person who is not there after `HELP_AFTER`.

    Raise `NightRefused`.
    """
    with locked_directing(night, director, version) as row:
        last = find_last_round(row)
        tables = list(last.tables.select_for_update()) if last and last.closed_at is None else []
        table = _find_table(tables, number)
        if row.is_wood or table is None:
            raise NightRefused("no_such_person", 404)
        if number not in find_missing(table, now):
            raise NightRefused("is_there")
        if table.computers_at is None or now < table.computers_at - COMPUTERS_AFTER + HELP_AFTER:
            raise NightRefused("too_early")
        if helper is None:
            _seat_computers(table, [number])
        else:
            _refuse_helper(row, tables, helper)
            renamed = {number: helper}
            table.sides = [[renamed.get(each, each) for each in side] for side in table.sides]
            reopen(row, table, director, now)
            assert last is not None
            last.moved = [*last.moved, [number, helper]]
            last.save(update_fields=["moved"])
        table.version += 1
        table.save()
        names = dict(row.entries.filter(number__in=(number, helper or 0)).values_list("number", "name"))
        kind, after = ("helper_for", names[helper]) if helper else ("computer_for", None)
        log_act(row, director, kind, now, about=names[number], after=after)


def _refuse_helper(night: Night, tables: Iterable[NightTable], number: int) -> None:
    helper = night.entries.filter(number=number, is_helper=True, status=Entry.Status.HERE).first()
    if helper is None or _find_table(tables, number) is not None:
        raise NightRefused("no_helper")


def _find_table(tables: Iterable[NightTable], number: int) -> NightTable | None:
    return next((table for table in tables if any(number in side for side in table.sides)), None)


def find_missing(table: NightTable, now: datetime) -> list[int]:
    """Return the entries that are not there yet at a table that waits; [] once its shuffle has begun."""
    waiting = Table.objects.filter(code=table.waiting_code, status=Table.Status.OPEN, full_at=None).first()
    if waiting is None or table.is_decided:
        return []
    entries = order_seats(table.sides)
    away = lobbies.services.find_away(waiting, Sitting.objects.at(waiting), now)
    return [entries[position] for position in away]


def _seat_computers(table: NightTable, numbers: list[int]) -> bool:
    """Give the seats of these entries to computers; the caller saves the table. Return whether anything changed."""
    entries = order_seats(table.sides)
    seats = [entries.index(number) for number in numbers]
    taken = lobbies.services.replace_with_computers(table.waiting_code, seats, COMPUTER_LEVEL)
    table.replaced = sorted({*table.replaced, *(entries[position] for position in taken)})
    return bool(taken)


# The duty


def keep_tables(now: datetime) -> None:
    """Begin, replace and decide whatever is due at the tables of nights on phones; nothing during a halt."""
    tables = list(
        NightTable.objects.filter(
            status=NightTable.Status.PLAYING,
            drawn_round__undone_at=None,
            drawn_round__night__status=Night.Status.PLAYING,
        )
        .exclude(waiting_code="")
        .select_related("drawn_round__night__host")
    )
    if not tables or outages.get_halt() is not None:
        return
    outages.compensate()  # before a deadline counts that an outage has not moved yet
    codes = [table.waiting_code for table in tables]
    waiting = {table.code: table for table in Table.objects.filter(code__in=codes)}
    matches = {match.code: match for match in Match.objects.filter(code__in=codes)}
    for table in tables:
        night = table.drawn_round.night
        with contain(log, f"Table {table.number} of night {night.code}"):
            _keep_table(night, table, waiting.get(table.waiting_code), matches.get(table.waiting_code), now)


def _keep_table(
    night: Night, table: NightTable, waiting: Table | None, match: Match | None, now: datetime
) -> None:
    if match is not None:
        if not table.match_code or not match.playing:
            _follow_match(night, table, match, now)
    elif waiting is None or waiting.status == Table.Status.CLOSED:
        _open_again(night, table, now)
    elif waiting.full_at is None:
        begun = lobbies.services.fill_if_all_here(waiting, now)
        if not begun and table.computers_at is not None and now >= table.computers_at:
            _replace_missing(night, table, now)


def _follow_match(night: Night, table: NightTable, match: Match, now: datetime) -> None:
    """Show the match of a table on the night's pages; once it has ended take its result, or begin another one."""
    with locked_night(night) as row:
        current = _lock_playing(table)
        if current is None or current.waiting_code != match.code:
            return
        if not current.match_code:
            _lead_on(match)
        current.match_code = match.code
        current.version += 1
        if not match.playing and match.result_how == "aborted":
            current.match_code = ""
            current.replaced = sorted({*current.replaced, *_find_who_called_off(current, match)})
            if current.drawn_round.closed_at is None:
                _open_for_anybody(row, current, now)
            else:
                current.waiting_code = ""
        elif not match.playing:
            current.points, current.winners, current.replaced = read_result(current, match)
            current.status = NightTable.Status.CONFIRMED
        current.save()


def _lead_on(match: Match) -> None:
    """Let open pages of its people's earlier matches of the night lead into this one, which has begun."""
    people = [seat.user_id for seat in match.seats.all() if seat.user_id]
    earlier = Match.objects.filter(night=match.night, seats__user__in=people).exclude(code=match.code)
    for code in earlier.exclude(status=Match.Status.PLAYING).values_list("code", flat=True).distinct():
        broadcast_page_changed(f"match.{code}", "rematch")


def _find_who_called_off(table: NightTable, match: Match) -> list[int]:
    """Return the entry that called the match off, or let its first turn pass: it gets no other hand by that."""
    last = match.moves.order_by("number").last()
    return [order_seats(table.sides)[last.seat]] if last is not None and last.text == str(ABORT) else []


def _replace_missing(night: Night, table: NightTable, now: datetime) -> None:
    with locked_night(night):
        current = _lock_playing(table)
        if current is None or current.computers_at is None or now < current.computers_at:
            return  # an outage has moved it, or the table was opened again
        if _seat_computers(current, find_missing(current, now)):
            current.version += 1
            current.save()


def _open_again(night: Night, table: NightTable, now: datetime) -> None:
    with locked_night(night) as row:
        current = _lock_playing(table)
        if current is not None and current.waiting_code == table.waiting_code:
            _open_for_anybody(row, current, now)


def _open_for_anybody(night: Night, table: NightTable, now: datetime) -> None:
    """Open a table again in the name of whoever runs the night."""
    makers = [night.host, night.directors.first()]
    people = night.entries.filter(number__in=order_seats(table.sides), user__isnull=False)
    maker = next((user for user in (*makers, *(entry.user for entry in people)) if user is not None), None)
    if maker is not None:
        open_table(night, table, maker, now)


def _lock_playing(table: NightTable) -> NightTable | None:
    rows = NightTable.objects.select_for_update(of=("self",)).select_related("drawn_round")
    return rows.filter(pk=table.pk, drawn_round__undone_at=None, status=NightTable.Status.PLAYING).first()


def shift(last: datetime, now: datetime) -> None:
    """Move the deadlines of tables that wait by an outage, in the transaction that compensates it."""
    waiting = NightTable.objects.filter(
        status=NightTable.Status.PLAYING, computers_at__isnull=False, match_code=""
    )
    waiting.update(computers_at=F("computers_at") + (now - last))
