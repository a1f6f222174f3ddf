"""Tables from making to the match: the only writer of lobbies. What cannot be done raises `Refused`."""

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Rating, User
from games import services as games
from games.engine.presets import PRESETS
from games.engine.rules import Rules
from games.engine.shuffle import chain
from games.models import Match, Seat
from games.services import Sitting as Seated
from live.announce import announce
from lobbies.models import Sitting, Table
from lobbies.refusals import Refused

NONCE = re.compile(r"[0-9a-z]{0,64}\Z", re.ASCII)
ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"
NONCE_WAIT = timedelta(seconds=5)  # after the last seat was taken
GONE = timedelta(seconds=60)  # without the maker, a table vanishes
OPEN_TABLES = 3  # a person
TABLES_IN_TEN_MINUTES = 20  # a person
NEAR, WIDENING = 100.0, 10.0  # rating points, and those a second of waiting adds


@dataclass(frozen=True)
class Game:
    """What is to be played: a preset with its rules, changed or not, for so many seats."""

    preset: str
    rules: Rules
    seats: int
    rated: bool = False
    clock: tuple[int, int] | None = None

    @property
    def changed(self) -> bool:
        return self.rules != PRESETS[self.preset].rules


def make_table(
    maker: User,
    game: Game,
    *,
    levels: Sequence[str] = (),
    private: bool = False,
    quick: bool = False,
) -> Table:
    """A table with its seal, the maker at seat 0 and computers where `levels` (by seat, "" for a person) say so."""
    _refuse_person(maker, rated=game.rated and not game.changed)
    _refuse_flood(maker)
    with transaction.atomic():
        table = _new_table(maker, game, private=private, quick=quick)
        _seat(table, 0, maker)
        for position, level in enumerate(levels[: game.seats]):
            if level and position:
                Sitting.objects.create(table=table, position=position, level=level)
        _note_if_full(table)
        _tell(table)
    return table


def sit(table: Table, user: User, position: int | None = None) -> Table:
    """Take a seat, the first free one without a position."""
    with transaction.atomic():
        row = _locked(table)
        _refuse_person(user, rated=row.rated)
        taken = {s.position: s for s in row.sittings.all()}
        if any(s.user_id == user.pk for s in taken.values()):
            raise Refused("seated")
        if len(taken) == row.seats:
            raise Refused("full")
        if position is None:
            position = next(i for i in range(row.seats) if i not in taken)
        if not 0 <= position < row.seats:
            raise Refused("no_such_seat")
        if position in taken:
            raise Refused("taken")
        _refuse_flood(user, making=False)
        _seat(row, position, user)
        _note_if_full(row)
        _tell(row)
    return row


def leave(table: Table, user: User) -> Table:
    """Stand up. When the maker does, or nobody is left, the table is closed."""
    with transaction.atomic():
        row = _locked(table)
        sitting = row.sittings.filter(user=user).first()
        if sitting is None:
            raise Refused("not_seated", 403)
        sitting.delete()
        if row.maker_id == user.pk:
            row.status = Table.Status.CLOSED
        row.full_at = None
        row.save(update_fields=["status", "full_at"])
        _tell(row)
    return row


def give_nonce(table: Table, user: User, nonce: str) -> Table:
    """A person's own characters for the shuffle; the first ones count. Starts the match if they were the last."""
    if not NONCE.match(nonce):
        raise Refused("malformed_nonce", 400)
    with transaction.atomic():
        row = _locked(table)
        sitting = row.sittings.filter(user=user).first()
        if sitting is None:
            raise Refused("not_seated", 403)
        if sitting.nonce is not None:
            raise Refused("nonce_given")
        sitting.nonce = nonce
        sitting.save(update_fields=["nonce"])
        _start_if_ready(row, timezone.now())
        _tell(row)
    return row


def quick_play(user: User, game: Game, level: str = "") -> Table:
    """Sit down at a fitting open table, else make one and wait; with `level` the others are computers."""
    if level:
        casual = Game(game.preset, game.rules, game.seats, False, game.clock)
        return make_table(user, casual, levels=["", *[level] * (game.seats - 1)], private=True, quick=True)
    waiting = Table.objects.filter(status=Table.Status.OPEN, maker=user, quick=True).first()
    for table in [t for t in _fitting(user, game, timezone.now()) if t != waiting]:
        try:
            sat = sit(table, user)
        except Refused:
            continue  # somebody was quicker
        if waiting:
            leave(waiting, user)
        return sat
    if waiting and _game_of(waiting) == game:
        return waiting
    return make_table(user, game, quick=True)


def offer_rematch(match: Match, user: User) -> Table:
    """Accept, or offer, another match of the same people, each one seat further on."""
    if match.playing:
        raise Refused("not_over")
    seats = list(match.seats.select_related("user"))
    mine = next((seat for seat in seats if seat.user_id == user.pk), None)
    if mine is None:
        raise Refused("not_seated", 403)
    if any(seat.kind != Seat.Kind.COMPUTER and (seat.user is None or seat.user.deleted_at) for seat in seats):
        raise Refused("no_rematch")
    table = Table.objects.filter(rematch_of=match.code).first()
    if table is None:
        try:
            return _make_rematch(match, seats, mine)
        except IntegrityError:  # the other pressed in the same instant
            table = Table.objects.get(rematch_of=match.code)
    if table.sittings.filter(user=user).exists():
        return table
    return sit(table, user, _further_on(mine, match))


def _make_rematch(match: Match, seats: Sequence[Seat], mine: Seat) -> Table:
    clock = (match.clock_seconds, match.clock_increment or 0) if match.clock_seconds is not None else None
    preset = match.preset or cast(
        str, Table.objects.filter(code=match.code).values_list("preset", flat=True).get()
    )
    game = Game(preset, Rules.from_dict(match.rules), len(seats), match.rated, clock)
    _refuse_person(mine.user, rated=game.rated)
    with transaction.atomic():
        table = _new_table(mine.user, game, private=True, rematch_of=match.code)
        for seat in seats:
            if seat.kind == Seat.Kind.COMPUTER:
                Sitting.objects.create(table=table, position=_further_on(seat, match), level=seat.level)
        _seat(table, _further_on(mine, match), mine.user)
        _note_if_full(table)
        games.note_rematch(match, table.code)
    return table


def _further_on(seat: Seat, match: Match) -> int:
    return (seat.position + 1) % match.seats.count()


def start_if_ready(table: Table, now: datetime) -> bool:
    """Begin the match if every seat is taken, and every nonce in or five seconds gone. Exactly once."""
    with transaction.atomic():
        row = Table.objects.select_for_update().get(pk=table.pk)
        started = row.open and _start_if_ready(row, now)
        if started:
            _tell(row)
    return started


def _start_if_ready(row: Table, now: datetime) -> bool:
    sittings = list(row.sittings.select_related("user"))
    if len(sittings) < row.seats or row.full_at is None:
        return False
    all_in = all(s.nonce is not None for s in sittings if s.user_id)
    if not all_in and now < row.full_at + NONCE_WAIT:
        return False
    games.start(
        code=row.code,
        preset=None if row.changed else row.preset,
        rules=Rules.from_dict(row.rules),
        rated=row.rated,
        seats=[_seated(s) for s in sittings],
        secret=row.secret,
        entropy=".".join(s.nonce or "" for s in sittings),
        clock=row.clock,
        private=row.private,
    )
    row.status = Table.Status.STARTED
    row.save(update_fields=["status"])
    return True


def seen(table: Table, user: User) -> None:
    """The maker's page is open."""
    if table.maker_id == user.pk:
        Table.objects.filter(pk=table.pk).update(maker_seen_at=timezone.now())


def sweep(now: datetime) -> None:
    """What time decides about tables: full ones begin, lonely ones vanish, waiting ones are joined."""
    open_tables = Table.objects.filter(status=Table.Status.OPEN)
    for table in open_tables.filter(full_at__lte=now - NONCE_WAIT):
        start_if_ready(table, now)
    for table in open_tables.filter(maker_seen_at__lt=now - GONE):
        with transaction.atomic():
            if open_tables.filter(pk=table.pk, maker_seen_at__lt=now - GONE).update(
                status=Table.Status.CLOSED
            ):
                _tell(table)
    for table in open_tables.filter(quick=True, full_at=None).order_by("created_at"):
        _join_with_another(table, now)


def _join_with_another(older: Table, now: datetime) -> None:
    """Two quick-play tables at which one person each waits become one, once the ratings are near enough."""
    if older.sittings.count() != 1:
        return
    younger = Table.objects.filter(
        status=Table.Status.OPEN, quick=True, full_at=None, created_at__gt=older.created_at
    )
    for table in younger.select_related("maker"):
        if _game_of(table) != _game_of(older) or table.sittings.count() != 1:
            continue
        if not _near(older, _rating(table.maker, table.preset), now):
            continue
        with transaction.atomic():
            leave(table, table.maker)
            sit(older, table.maker)
            Table.objects.filter(pk=table.pk).update(moved_to=older.code)
            _tell(table)
        return


def _fitting(user: User, game: Game, now: datetime) -> list[Table]:
    """Open public tables of this game with a free seat and a near rating, the nearest first."""
    rating = _rating(user, game.preset)
    tables = (
        Table.objects.filter(
            status=Table.Status.OPEN,
            private=False,
            changed=False,
            preset=game.preset,
            seats=game.seats,
            rated=game.rated,
            clock_seconds=game.clock[0] if game.clock else None,
            clock_increment=game.clock[1] if game.clock else None,
            full_at=None,
        )
        .exclude(sittings__user=user)
        .prefetch_related("sittings")
    )
    near = [table for table in tables if game.changed is False and _near(table, rating, now)]
    return sorted(near, key=lambda table: _distance(table, rating))


def _near(table: Table, rating: float | None, now: datetime) -> bool:
    waited = (now - table.created_at).total_seconds()
    return _distance(table, rating) <= NEAR + WIDENING * waited


def _distance(table: Table, rating: float | None) -> float:
    ratings = [s.rating for s in table.sittings.all() if s.rating is not None]
    if rating is None or not ratings:
        return 0.0
    return abs(sum(ratings) / len(ratings) - rating)


def _game_of(table: Table) -> Game:
    return Game(table.preset, Rules.from_dict(table.rules), table.seats, table.rated, table.clock)


def _rating(user: User, preset: str) -> float | None:
    """The rating in the preset's pool; 1500 for a player who has none yet, None for a guest."""
    if user.is_guest:
        return None
    pool = PRESETS[preset].rating_pool
    return Rating.objects.filter(user=user, pool=pool).values_list("value", flat=True).first() or 1500.0


def _new_table(
    maker: User, game: Game, *, private: bool, quick: bool = False, rematch_of: str | None = None
) -> Table:
    secret = secrets.token_bytes(32)
    now = timezone.now()
    return Table.objects.create(
        code="".join(secrets.choice(ALPHABET) for _ in range(10)),
        maker=maker,
        preset=game.preset,
        rules=game.rules.as_dict(),
        changed=game.changed,
        seats=game.seats,
        rated=game.rated and not game.changed,
        private=private,
        quick=quick,
        rematch_of=rematch_of,
        clock_seconds=game.clock[0] if game.clock else None,
        clock_increment=game.clock[1] if game.clock else None,
        secret=secret.hex(),
        seal=chain(secret).seal,
        created_at=now,
        maker_seen_at=now,
    )


def _seat(table: Table, position: int, user: User) -> None:
    rating = _rating(user, table.preset)
    try:
        with transaction.atomic():
            Sitting.objects.create(table=table, position=position, user=user, rating=rating)
    except IntegrityError:
        raise Refused("taken") from None


def _seated(sitting: Sitting) -> Seated:
    if sitting.user is None:
        return Seated(name=f"{sitting.level} computer", kind=Seat.Kind.COMPUTER, level=sitting.level)
    kind = Seat.Kind.GUEST if sitting.user.is_guest else Seat.Kind.PLAYER
    return Seated(name=sitting.user.username, kind=kind, user=sitting.user)


def _note_if_full(table: Table) -> None:
    if table.sittings.count() == table.seats:
        table.full_at = timezone.now()
        table.save(update_fields=["full_at"])


def _locked(table: Table) -> Table:
    """The open table, locked; refused if it is one no more."""
    row = Table.objects.select_for_update().get(pk=table.pk)
    if row.status == Table.Status.STARTED:
        raise Refused("started")
    if row.status == Table.Status.CLOSED:
        raise Refused("closed")
    return row


def _refuse_person(user: User, *, rated: bool) -> None:
    if user.banned:
        raise Refused("banned", 403)
    if rated and user.is_guest:
        raise Refused("guests", 403)


def _refuse_flood(user: User, *, making: bool = True) -> None:
    if not settings.LIMITS:
        return
    if Sitting.objects.filter(user=user, table__status=Table.Status.OPEN).count() >= OPEN_TABLES:
        raise Refused("too_many_tables")
    since = timezone.now() - timedelta(minutes=10)
    if making and Table.objects.filter(maker=user, created_at__gt=since).count() >= TABLES_IN_TEN_MINUTES:
        raise Refused("too_fast", 429)


def _tell(table: Table) -> None:
    stamp = int(timezone.now().timestamp() * 1000)
    announce(f"table.{table.code}", {"type": "page.changed", "topic": "table", "stamp": stamp})
    announce("lobby", {"type": "page.changed", "topic": "lobby", "stamp": stamp})
