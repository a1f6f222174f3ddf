"""Steps shared by the services. All but `lock_open` and `new_table` expect a locked row."""

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta

from django.conf import settings
from django.db import IntegrityError
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from games.models import Seat
from games.services import record_address, record_rematch_offer
from games.services import seal as sealed
from games.time.day_clocks import DAY_SECONDS
from games.time.pace import is_slow_player
from games.wording.personas import PERSONAS_PER_LEVEL
from live.broadcast import broadcast_page_changed
from lobbies import no_shows, site_games
from lobbies.game import Game, rating_and_completion
from lobbies.models import NoShow, Sitting, Table
from lobbies.refusals import TableRefused
from operators.site_settings import get_site, is_under_maintenance_for

ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz"
CODE_LENGTH = 10
CHALLENGED_SEAT = 1
AWAY_AFTER = timedelta(seconds=60)  # since the last sign of the person's page
MAX_DAY_GAMES = 30  # with a clock of days, that one person plays or waits for
DAY_TABLE_TTL = timedelta(days=7)  # of a table with a clock of days, whose people may go away meanwhile
MAX_TABLES_PER_TEN_MINUTES = 20  # that one person makes


def lock_person(user: User) -> None:
    """Lock the person's row until the transaction ends, and read whether `user` has become a bot meanwhile."""
    rows = User.objects.select_for_update(no_key=True).filter(pk=user.pk)
    for is_bot in rows.values_list("is_bot", flat=True):
        user.is_bot = is_bot


def lock_for_limits(user: User) -> None:
    """Serialize the checks that count this person's tables. Call before locking any table."""
    if settings.LIMITS:
        lock_person(user)


def lock_open(table: Table) -> Table:
    """Lock and return the table. Raise `TableRefused` if it is no longer open."""
    row = Table.objects.lock(table.pk)
    if row.status == Table.Status.STARTED:
        raise TableRefused("started")
    if row.status == Table.Status.CLOSED:
        raise TableRefused("closed")
    return row


def lock_all_open(tables: Iterable[Table]) -> dict[int, Table]:
    """Lock those of the tables that are still open and return them by key; in key order, to avoid deadlocks."""
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
    night: str = "",
) -> Table:
    """Create a table with its seal and no sittings. House rules make it casual.

    A casual table with the rules of a game of this site has its name, and not its preset's: they may differ in nothing
    but a target. Quick play looks for tables of presets.
    """
    changed = game.changed or (not rated and not quick and site_games.has_game(game.rules, game.seats))
    code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
    table = Table(
        code=code,
        host=host,
        preset=game.preset,
        rules=game.rules.written(),
        changed=changed,
        seats=game.seats,
        rated=rated and not changed,
        private=private,
        quick=quick,
        rematch_of=rematch_of,
        kept_for=kept_for,
        night=night,
        clock_seconds=game.clock[0] if game.clock else None,
        clock_increment=game.clock[1] if game.clock else None,
        computer_pause=game.pauses.computer,
        call_pause=game.pauses.call,
        seal=sealed(code),
        created_at=timezone.now(),
    )
    table.save(force_insert=True)
    return table


def seat_person(
    table: Table,
    position: int,
    user: User,
    address: str = "",
    commitment: str | None = None,
    *,
    quick: bool = False,
) -> Sitting:
    """Seat a person, whom quick play has brought if `quick`; `address` is hashed.

    Raise `TableRefused` if the seat was taken meanwhile.
    """
    rating, completion = rating_and_completion(user, table)
    sitting = Sitting(
        table=table,
        position=position,
        user=user,
        rating=rating,
        completion=completion,
        slow=is_slow_player(user),
        quick=quick,
        commitment=commitment,
        seen_at=timezone.now(),
    )
    try:
        sitting.save(force_insert=True)
    except IntegrityError:
        raise TableRefused("taken") from None
    record_address(code=table.code, user=user, address=address, is_waiting=lambda: True)
    if table.quick:
        lengthen_pause(table, user.call_pause)
    return sitting


def lengthen_pause(table: Table, seconds: int) -> None:
    """Raise the call pause to `seconds`: quick play uses the longest pause any of its people prefers."""
    if seconds > table.call_pause:
        table.call_pause = seconds
        table.save(update_fields=["call_pause"])


def seat_computers(
    table: Table,
    levels: Mapping[int, str],
    figures: Mapping[int, int] | None = None,
    *,
    beside: Iterable[Sitting] = (),
) -> None:
    """Seat computers; `levels` and, for a rematch, `figures` are by position. `beside`: who sits there already."""
    if not levels:
        return
    now = timezone.now()
    figures = figures or _draw_figures(levels, beside)
    Sitting.objects.bulk_create(
        Sitting(table=table, position=position, level=level, figure=figures[position], seen_at=now)
        for position, level in levels.items()
    )


def _draw_figures(levels: Mapping[int, str], beside: Iterable[Sitting]) -> dict[int, int]:
    """Draw a figure for each computer, of those that the fewest computers of its level at the table have."""
    uses = Counter((sitting.level, sitting.figure) for sitting in beside)
    figures = {}
    for position, level in sorted(levels.items()):
        least = min(uses[level, figure] for figure in range(PERSONAS_PER_LEVEL))
        free = [figure for figure in range(PERSONAS_PER_LEVEL) if uses[level, figure] == least]
        figures[position] = free[secrets.randbelow(len(free))]
        uses[level, figures[position]] += 1
    return figures


def rematch_seat(table: Table, user: User, position: int | None) -> int:
    """Return the seat reserved for this person in a rematch. Raise `TableRefused` for any other."""
    before = Seat.objects.filter(match__code=table.rematch_of, user=user).values_list("position", flat=True)
    seats = [rotate_seat(seat, table.seats) for seat in before]
    if not seats or position not in (None, *seats):
        raise TableRefused("reserved", 403)
    return seats[0]


def challenge_seat(table: Table, user: User, position: int | None) -> int | None:
    """Return the seat this person may take at a challenge's table. Raise `TableRefused` if it is another's."""
    if user.pk == table.kept_for_id:
        return CHALLENGED_SEAT
    if position == CHALLENGED_SEAT or table.seats == 2:
        raise TableRefused("reserved_for_another", 403)
    return position


def rotate_seat(position: int, seats: int) -> int:
    """Return the seat that this one moves to in a rematch."""
    return (position + 1) % seats


def mark_full(row: Table, taken: int) -> None:
    """Start the wait for commitments if all seats are taken."""
    if taken == row.seats:
        row.full_at = timezone.now()
        row.save(update_fields=["full_at"])


def free_seat(row: Table, sitting: Sitting) -> None:
    free_seats(row, [sitting])


def free_seats(row: Table, leaving: Sequence[Sitting], *, passes_on: bool = False) -> None:
    """Free people's seats. If the host leaves, the table closes, or, in quick play and rematches, passes to another
    person who waits there; with `passes_on` always."""
    if row.committed_at is not None:
        count_unrevealed(leaving)
        _record_no_shows(row, leaving)
        reseal(row)
    for sitting in leaving:
        sitting.delete()
    row.full_at = None
    if row.host_id in {sitting.user_id for sitting in leaving}:
        heir = row.sittings.filter(user__isnull=False).select_related("user").first()
        if heir is None or heir.user is None or not (row.quick or row.rematch_of or passes_on):
            close(row)
            return
        row.host = heir.user
    row.save(update_fields=["full_at", "host"])
    notify(row)


def _record_no_shows(row: Table, leaving: Sequence[Sitting]) -> None:
    """Record who did not begin the match of a public table with whom."""
    if row.private or row.rematch_of or row.kept_for_id or row.days is not None:
        return
    now, gone = timezone.now(), [sitting for sitting in leaving if is_unrevealed(sitting)]
    keys = {sitting.user_id for sitting in leaving}
    others = [sitting.user_id for sitting in row.sittings.all() if sitting.user_id not in keys]
    NoShow.objects.filter(at__lt=now - no_shows.TTL).delete()
    NoShow.objects.bulk_create(
        NoShow(
            user_id=sitting.user_id,
            other_id=other,
            table=row.code,
            at=now,
            closed_until=now + no_shows.compute_closure(sitting.user_id, now),
        )
        for sitting in gone
        for other in others
        if sitting.user_id is not None and other is not None
    )


def is_unrevealed(sitting: Sitting) -> bool:
    """Return whether a person has committed to a nonce and not revealed it."""
    return bool(sitting.user_id and sitting.commitment) and sitting.nonce is None


def count_unrevealed(leaving: Sequence[Sitting]) -> None:
    people = [sitting.user_id for sitting in leaving if sitting.user_id and is_unrevealed(sitting)]
    User.objects.filter(pk__in=people).update(unrevealed=F("unrevealed") + 1)


def reseal(row: Table) -> None:
    """Seal another secret: nonces may have been revealed under the present one, which the server knows."""
    row.seal = sealed(row.code)
    row.reseals += 1
    row.committed_at = None
    row.save(update_fields=["seal", "reseals", "committed_at"])
    row.sittings.update(commitment=None, nonce=None)


def close(row: Table) -> None:
    row.status = Table.Status.CLOSED
    row.full_at = row.committed_at = None
    row.save(update_fields=["status", "full_at", "committed_at"])
    if row.kept_for_id is not None:
        notify_people([row.kept_for_id, row.host_id])
    if row.rematch_of:
        record_rematch_offer(row.rematch_of, "")
    notify(row)


def refuse_person(user: User, *, rated: bool) -> None:
    if user.banned:
        raise TableRefused("banned", 403)
    if is_under_maintenance_for(user):
        raise TableRefused("maintenance", 503)
    if user.is_guest and not get_site().guests:
        raise TableRefused("no_guests", 403)  # who has begun to sign up with a passkey is a guest, too
    if rated and user.barred:
        raise TableRefused("barred", 403)
    if rated and user.is_guest:
        raise TableRefused("guests", 403)


def refuse_no_shows(user: User) -> frozenset[int]:
    """Raise `TableRefused` while quick play is closed to somebody who sat down and did not begin.

    Return the people whom they do not meet today.
    """
    now = timezone.now()
    closed_until, apart = no_shows.find_consequences(user.pk, now)
    if closed_until is not None:
        raise TableRefused("no_shows", 429, wait=closed_until - now)
    return apart


def refuse_excess(user: User, *, making: bool, by_days: bool) -> None:
    """Raise `TableRefused` if this person sits at too many open tables or makes them too fast.

    Tables with a clock of days count apart from the others, and together with such matches. Expects `lock_for_limits`.
    """
    if not settings.LIMITS:
        return
    waiting = [sitting.table for sitting in Sitting.objects.waiting(user.pk) if not sitting.table.night]
    count = sum((table.days is not None) == by_days for table in waiting)
    if not by_days and count >= get_site().tables_limit:
        raise TableRefused("too_many_tables", 429)
    if by_days and count + _count_day_matches(user) >= MAX_DAY_GAMES:
        raise TableRefused("too_many_day_games", 429)
    since = timezone.now() - timedelta(minutes=10)
    made = Table.objects.filter(host=user, created_at__gt=since, night="")
    if making and made.count() >= MAX_TABLES_PER_TEN_MINUTES:
        raise TableRefused("too_fast", 429)


def _count_day_matches(user: User) -> int:
    running = Seat.objects.filter(user=user, score__isnull=True, left=False, taken_over=False)
    return running.filter(match__clock_seconds__gte=DAY_SECONDS).count()


def notify(row: Table) -> None:
    """Notify the table's pages, and the lobby or the match before that list it."""
    broadcast_page_changed(f"table.{row.code}", "table")
    if row.rematch_of:
        _notify_rematch(row)
    elif not row.private:
        broadcast_page_changed("lobby", "lobby")


def _notify_rematch(row: Table) -> None:
    """Notify the page of the match before, where the people of a rematch wait."""
    waiting = {
        sitting.user_id: sitting.seen_at for sitting in row.sittings.all() if sitting.user_id is not None
    }
    if row.open and waiting:
        ends = row.created_at + DAY_TABLE_TTL if row.days else min(waiting.values()) + AWAY_AFTER
        record_rematch_offer(row.rematch_of, row.code, waiting, ends)
    if row.days:
        seats = Seat.objects.filter(match__code=row.rematch_of, user__isnull=False)
        notify_people(key for key in seats.values_list("user", flat=True) if key is not None)


def notify_people(people: Iterable[int]) -> None:
    """Notify every open page of these people: where they sit, or a challenge, has changed."""
    for person in people:
        broadcast_page_changed(f"user.{person}", "mine")
