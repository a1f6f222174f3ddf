"""Draw the rounds of a night, undo and mend a draw, and close a round."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from fractions import Fraction

from accounts.models import User
from boneyard.engine.shuffle import chain
from games.repository import get_sealed_secret
from nights.draws.draw import Entrants, NotEnough, Standing, draw_round
from nights.draws.records import RecordedDraw, read_draw, write_draw
from nights.models import DrawnRound, Night, NightTable
from nights.refusals import NightRefused
from nights.standings import find_standings

from . import phones
from .locking import find_last_round, locked_directing, log_act


def draw(
    night: Night,
    director: User,
    version: int,
    now: datetime,
    *,
    anyway: bool = False,
    number: int | None = None,
) -> DrawnRound:
    """Draw the next round for who is here. Raise `NightRefused`.

    `anyway` closes the round before without the results that are missing. `number` is that of the round which the
    caller wants: a second press does not draw the one after it.
    """
    try:
        with locked_directing(night, director, version) as row:
            return _draw_next(row, director, now, anyway, number)
    except NightRefused as refusal:
        last = find_last_round(night)
        if refusal.reason == "stale" and number is not None and last is not None and last.number >= number:
            raise NightRefused("drawn", 409) from refusal
        raise


def _draw_next(row: Night, director: User, now: datetime, anyway: bool, wanted: int | None) -> DrawnRound:
    last = find_last_round(row)
    number = last.number + 1 if last else 1
    if wanted is not None and wanted != number:
        raise NightRefused("drawn" if wanted < number else "stale", 409)
    if number > row.rounds:
        raise NightRefused("all_drawn")
    if last is not None and last.closed_at is None:
        _close(last, now, anyway=anyway)
    drawn = _draw(row, number, now)
    if not row.is_wood:
        phones.open_tables(row, drawn.tables.all(), director, now)
    row.status = Night.Status.PLAYING
    log_act(row, director, "draw", now, about=str(number))
    return drawn


def _draw(night: Night, number: int, now: datetime) -> DrawnRound:
    entrants = find_entrants(night, number)
    key_number = night.drawn_rounds.count() + 1
    key = chain(bytes.fromhex(get_sealed_secret(night.sealed_as).secret)).key(key_number)
    past = [recorded.draw for recorded in read_draws(night) if not recorded.undone]
    try:
        drawn = draw_round(night.draw_rules, entrants, past, key, key_number, night.code)
    except NotEnough as error:
        raise NightRefused("too_few") from error
    row = DrawnRound.objects.create(
        night=night,
        number=number,
        key_number=key_number,
        drawn=write_draw(entrants, drawn),
        drawn_at=now,
        ends_at=now + timedelta(minutes=night.minutes) if night.minutes else None,
    )
    NightTable.objects.bulk_create(
        NightTable(drawn_round=row, number=table.number, sides=[list(side) for side in table.sides])
        for table in drawn.tables
    )
    return row


def find_entrants(night: Night, number: int) -> Entrants:
    """Return who is here for round `number`."""
    entries = [entry for entry in night.entries.order_by("number") if entry.plays_in(number)]
    standings = {row.number: Standing(row.place, row.won) for row in find_standings(night)}
    nobody = Standing(len(standings) + 1, Fraction(0))
    return Entrants(
        here=tuple(entry.number for entry in entries if not entry.is_helper),
        helpers=tuple(entry.number for entry in entries if entry.is_helper),
        standings={entry.number: standings.get(entry.number, nobody) for entry in entries}
        if night.draw_rules.by_standings
        else {},
        own_tables={entry.number: entry.own_table for entry in entries if entry.own_table is not None},
    )


def undo(night: Night, director: User, version: int, now: datetime) -> None:
    """Undo the last draw, unless a result of it is confirmed, or on phones a hand was seen.

    The draw stays in `draws.json`. At real tables the round before it is open again. Raise `NightRefused`.
    """
    with locked_directing(night, director, version) as row:
        last = find_last_round(row)
        if last is None:
            raise NightRefused("no_round")
        if any(table.is_decided for table in last.tables.all()):
            raise NightRefused("has_results")
        if not row.is_wood:
            phones.take_back(last.tables.all())
        last.undone_at = now
        last.save(update_fields=["undone_at"])
        if row.is_wood:
            row.drawn_rounds.filter(number=last.number - 1, undone_at=None).update(closed_at=None)
        log_act(row, director, "undo", now, about=str(last.number))


def swap(night: Night, director: User, version: int, one: int, other: int, now: datetime) -> None:
    """Let two entries of the open round change places, at tables without a result and, on phones, without a match.

    Raise `NightRefused`.
    """
    with locked_directing(night, director, version) as row:
        last = find_last_round(row)
        if last is None or last.closed_at is not None:
            raise NightRefused("no_round")
        tables = list(last.tables.select_for_update())
        seated = {number: table for table in tables for side in table.sides for number in side}
        places = [seated.get(number) for number in (one, other)]
        if (
            None in places
            or places[0] is places[1]
            or any(table.status != "playing" for table in places if table)
        ):
            raise NightRefused("no_swap")
        renamed = {one: other, other: one}
        for table in places:
            assert table is not None
            table.sides = [[renamed.get(number, number) for number in side] for side in table.sides]
            table.replaced = [number for number in table.replaced if number not in renamed]
            table.version += 1
            table.save(update_fields=["sides", "replaced", "version"])
            if not row.is_wood:
                phones.reopen(row, table, director, now)
        last.moved = [*last.moved, [one, other]]
        last.save(update_fields=["moved"])
        names = dict(row.entries.filter(number__in=(one, other)).values_list("number", "name"))
        log_act(row, director, "swap", now, about=f"{names[one]}, {names[other]}")


def close_round(night: Night, director: User, version: int, now: datetime) -> None:
    """Close the last round: results that are missing count for nobody. Raise `NightRefused`."""
    with locked_directing(night, director, version) as row:
        last = find_last_round(row)
        if last is None or last.closed_at is not None:
            raise NightRefused("no_round")
        _close(last, now, anyway=True)
        log_act(row, director, "close", now, about=str(last.number))


def _close(drawn: DrawnRound, now: datetime, *, anyway: bool) -> None:
    if not anyway and not all(table.is_decided for table in drawn.tables.all()):
        raise NightRefused("round_open", 409)
    drawn.closed_at = now
    drawn.save(update_fields=["closed_at"])
    phones.close_tables(drawn.tables.all())


def read_draws(night: Night) -> Sequence[RecordedDraw]:
    """Return every draw of the night with its key, undone ones too, in order."""
    rows = list(night.drawn_rounds.order_by("key_number"))
    if not rows:
        return []
    keys = chain(bytes.fromhex(get_sealed_secret(night.sealed_as).secret))
    return [
        read_draw(
            row.key_number, keys.key(row.key_number), row.drawn, row.moved, undone=row.undone_at is not None
        )
        for row in rows
    ]
