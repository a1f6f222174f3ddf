"""Rematches: the same people, each moved on by one seat."""

from collections.abc import Sequence
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from accounts import relations
from accounts.models import User
from boneyard.engine.rules import Rules
from games.models import Match, Seat
from games.services import record_rematch_decline, record_rematch_offer
from games.wording.house import nearest_preset
from lobbies.game import Game
from lobbies.models import Table
from lobbies.refusals import TableRefused

from . import bots, requeue, rows
from .tables import advance_if_full, make_table, sit


def offer_rematch(match: Match, user: User, commitment: str | None = None) -> Table:
    """Offer or accept a rematch and return its table, which starts once everybody has come.

    If another player has opened a new table of this game instead, sit down there. Raise `TableRefused`.
    """
    seats = _seats(match, user)
    if any(seat.rematch == Seat.Rematch.DECLINED and seat.user_id != user.pk for seat in seats):
        raise TableRefused("declined")
    if any(seat.kind != Seat.Kind.COMPUTER and (seat.user is None or seat.user.deleted_at) for seat in seats):
        raise TableRefused("no_rematch")
    if relations.blocked_among(user, [seat.user_id for seat in seats if seat.user_id]):
        raise TableRefused("not_together", 403)
    table = _table_of(match)
    if table is None and (opened := _opened_by_others(match, seats, user)):
        return sit(opened, user, commitment=commitment)
    if table is None:
        try:
            return _make_table(match, seats, user, commitment)
        except IntegrityError:  # created by another player at the same time
            table = _table_of(match)
    if table is None:
        raise TableRefused("closed")
    if not table.open or table.sittings.filter(user=user).exists():
        return table
    return sit(table, user, commitment=commitment)


def decline_rematch(match: Match, user: User) -> None:
    """Take back one's own offer, or decline the others'. Raise `TableRefused`."""
    _seats(match, user)
    table = _table_of(match)
    if table is None:
        return
    with transaction.atomic():
        row = rows.lock_open(table)
        if sitting := row.sittings.filter(user=user).first():
            rows.free_seat(row, sitting)
        else:
            rows.close(row)
            record_rematch_decline(match.code, user)


def find_called_off(now: datetime) -> QuerySet[Table]:
    """Return the tables of rematches that were just called off."""
    return requeue.find_tables_called_off(now).exclude(rematch_of="")


def forget_called_off(table: Table) -> None:
    """Let the players of the match before agree on another rematch: this one was called off."""
    with transaction.atomic():
        row = Table.objects.lock(table.pk)
        if row.rematch_of:
            record_rematch_offer(row.rematch_of, "")
            row.rematch_of = ""
            row.save(update_fields=["rematch_of"])


def open_table_again(match: Match, user: User, commitment: str | None = None) -> Table:
    """Open a table of the same game for anybody, with the match's computers, or join the one another player opened."""
    seats = _seats(match, user)
    game = _game(match, seats)
    opened = _opened_by_others(match, seats, user)
    if opened is not None:
        return sit(opened, user, commitment=commitment)
    own = next(seat.position for seat in seats if seat.user_id == user.pk)
    round_table = (*seats[own:], *seats[:own])
    levels = [seat.level if seat.kind == Seat.Kind.COMPUTER else "" for seat in round_table]
    return make_table(user, game, levels=levels, private=match.private, commitment=commitment)


def _opened_by_others(match: Match, seats: Sequence[Seat], user: User) -> Table | None:
    """Return an open table of this game that another of the players has made since, if any."""
    people = {seat.user_id for seat in seats if seat.user_id and seat.user_id != user.pk}
    tables = Table.objects.filter(
        status=Table.Status.OPEN,
        full_at=None,
        rematch_of="",
        kept_for=None,
        private=match.private,
        seats=len(seats),
        host__in=people - relations.blocked_among(user, people),
        created_at__gte=match.end,
    )
    # By value: rows of earlier releases name every option.
    game = Rules.from_dict(match.rules), match.clock
    return next((table for table in tables if (Rules.from_dict(table.rules), table.clock) == game), None)


def _seats(match: Match, user: User) -> list[Seat]:
    """Return the seats of the person's own finished match. Raise `TableRefused`."""
    if match.playing:
        raise TableRefused("not_over")
    seats = list(match.seats.select_related("user"))
    if all(seat.user_id != user.pk for seat in seats):
        raise TableRefused("not_seated", 403)
    if match.deals:
        raise TableRefused("shared_deals")
    if match.night:
        raise TableRefused("drawn")
    return seats


def _table_of(match: Match) -> Table | None:
    return Table.objects.filter(rematch_of=match.code).exclude(status=Table.Status.CLOSED).first()


def _game(match: Match, seats: Sequence[Seat]) -> Game:
    rules = Rules.from_dict(match.rules)
    preset = match.preset or match.base_preset or nearest_preset(rules, len(seats))
    return Game(preset, rules, len(seats), match.rated, match.clock, match.pauses)


def _make_table(match: Match, seats: Sequence[Seat], user: User, commitment: str | None) -> Table:
    game = _game(match, seats)
    rows.refuse_person(user, rated=game.rated)
    if game.rated:
        bots.refuse_excess_rated(user)
    computers = [seat for seat in seats if seat.kind == Seat.Kind.COMPUTER]
    with transaction.atomic():
        table = rows.new_table(user, game, rated=game.rated, private=match.private, rematch_of=match.code)
        rows.seat_computers(
            table,
            {rows.rotate_seat(seat.position, len(seats)): seat.level for seat in computers},
            {rows.rotate_seat(seat.position, len(seats)): seat.figure for seat in computers},
        )
        rows.seat_person(table, rows.rematch_seat(table, user, None), user, commitment=commitment)
        rows.mark_full(table, 1 + len(computers))
        rows.notify(table)
        advance_if_full(table)
    return table
