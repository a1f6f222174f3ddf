"""Record the addresses from which players use a table and its match: a shared one makes the match casual."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from threading import Lock

from cachetools import TTLCache
from django.db import IntegrityError, transaction

from accounts import ratings
from accounts.models import User
from games.calling_off import have_all_had_a_turn, is_penalized
from games.locking import locked_match
from games.models import Match, Seat, SeatAddress
from games.services.connections import record_hand_sent
from live.broadcast import broadcast_page_changed

RECORDED_TTL_SECONDS = 3600
MAX_CACHED_ADDRESSES = 20_000
# Addresses that need not be recorded again. Cache: key (code, user, address); bound MAX_CACHED_ADDRESSES; expires.
# Not in Django's cache, where many of them would push out the counters of rate limits.
_recorded: TTLCache[tuple[str, int, str], bool] = TTLCache(MAX_CACHED_ADDRESSES, RECORDED_TTL_SECONDS)
_lock = Lock()


def record_address(
    *, code: str, user: User, address: str, is_waiting: Callable[[], bool] = lambda: False
) -> None:
    """Record an address (hashed) from which a person asked for anything of a table or match.

    `is_waiting` tells whether they sit at the table before its match. Once every seat has had its first turn nothing is
    recorded.
    """
    key = code, user.pk, address
    if not address or _is_cached(key):
        return
    match = Match.objects.filter(code=code).first()
    if is_waiting() or (match is not None and _is_recorded(match, user)):
        _store(code, user, address)
        # A table's match may have started meanwhile.
        match = match or Match.objects.filter(code=code).first()
        if match is not None:
            _check(match, user)
    elif match is None:
        return  # may still sit down
    with _lock:
        _recorded[key] = True


def _is_cached(key: tuple[str, int, str]) -> bool:
    with _lock:
        return key in _recorded


def clear_cache() -> None:
    with _lock:
        _recorded.clear()


def share_address(code: str, user_ids: Collection[int]) -> bool:
    """Return whether two of these people have used the table or match from the same address."""
    rows = SeatAddress.objects.filter(code=code, user__in=user_ids).values_list("address", flat=True)
    addresses = list(rows)
    return len(set(addresses)) < len(addresses)


def move_addresses(code: str, to: str, user_ids: Collection[int]) -> None:
    """Carry the addresses of people over to the table that they are moved to."""
    for row in SeatAddress.objects.filter(code=code, user__in=user_ids):
        SeatAddress.objects.get_or_create(code=to, user_id=row.user_id, address=row.address)


def _store(code: str, user: User, address: str) -> None:
    try:
        with transaction.atomic():
            SeatAddress.objects.get_or_create(code=code, user=user, address=address)
    except IntegrityError:
        pass  # recorded by another request at the same time


def _is_recorded(match: Match, user: User) -> bool:
    """Return whether addresses of this person still count for the match."""
    if not match.playing or not match.rated or not match.seats.filter(user=user).exists():
        return False
    return not have_all_had_a_turn(match)


def _check(match: Match, user: User) -> None:
    """Make a rated match casual if two of its players share an address; `user` used one more.

    If they or the other had seen their hand this counts as calling off, and from the third time of a day on the match
    stays rated: otherwise two friends could look at their hands and have only matches with good ones rated.
    """
    users = [seat.user_id for seat in match.seats.all() if seat.user_id is not None]
    if not match.rated or not share_address(match.code, users):
        return
    with locked_match(pk=match.pk) as (snapshot, now):
        row, seat = snapshot.match, snapshot.seat_of(user)
        if not row.rated or not row.playing:
            return
        if seat is not None and _has_seen(row, user, snapshot.seats):
            record_hand_sent(seat)
            User.objects.select_for_update().get(pk=user.pk)  # serialize several matches at once
            if is_penalized(row, seat, snapshot.seats, now):
                return
            ratings.note_called_off(user_id=user.pk, pool=row.pool)
            row.casual_by = seat.position
        row.rated, row.casual_since = False, now
        row.save(update_fields=["rated", "casual_since", "casual_by"])
        broadcast_page_changed(f"match.{row.code}", "casual")


def _has_seen(match: Match, user: User, seats: Sequence[Seat]) -> bool:
    """Return whether the user, or a player whose address they used, has seen their hand."""
    own = SeatAddress.objects.filter(code=match.code, user=user).values("address")
    sharing = SeatAddress.objects.filter(code=match.code, address__in=own).values_list("user", flat=True)
    users = set(sharing)
    return any(seat.hand_seen_at is not None for seat in seats if seat.user_id in users)


def delete_addresses_before(moment: datetime) -> int:
    """Delete the addresses recorded before `moment`; return their number."""
    return SeatAddress.objects.filter(at__lt=moment).delete()[0]
