"""Record the addresses from which players use a table and its match: a shared one makes the match casual."""

from collections.abc import Callable, Collection
from datetime import datetime
from threading import Lock

from cachetools import TTLCache
from django.db import IntegrityError, transaction

from accounts import ratings
from accounts.models import User
from games.calling_off import has_partner_seen, have_all_had_a_turn, is_penalized
from games.locking import locked_match
from games.models import Match, SeatAddress
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
            _check(match, user, address)
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


def _check(match: Match, user: User, address: str) -> None:
    """Make a rated match casual if `user` has come to an address that another of its players used first.

    If their hand was seen, or that of the other, who may have told them, they have called the match off; from the third
    time of a day on it stays rated: otherwise two friends could have only matches with good hands rated. As with any
    calling off, only what was seen counts against completion.
    """
    if not match.rated or not _find_earlier_users(match, user, address):
        return
    with locked_match(pk=match.pk) as (snapshot, now):
        row, seats, seat = snapshot.match, snapshot.seats, snapshot.seat_of(user)
        if not row.rated or not row.playing:
            return
        if seat is not None:
            is_seen = seat.hand_seen_at is not None or has_partner_seen(row, seat, seats)
            earlier = _find_earlier_users(row, user, address)
            if is_seen or any(other.hand_seen_at for other in seats if other.user_id in earlier):
                record_hand_sent(seat)
                User.objects.select_for_update().get(pk=user.pk)  # serialize several matches at once
                if is_penalized(row, seat, seats, now):
                    return
                row.casual_by = seat.position
            if is_seen:
                ratings.note_called_off(user_id=user.pk, pool=row.pool)
        row.rated, row.casual_since = False, now
        row.save(update_fields=["rated", "casual_since", "casual_by"])
        broadcast_page_changed(f"match.{row.code}", "casual")


def _find_earlier_users(match: Match, user: User, address: str) -> set[int]:
    """Return the other players who used the address before `user` did."""
    players = {seat.user_id for seat in match.seats.all()}
    rows = SeatAddress.objects.filter(code=match.code, address=address, user__in=players).order_by("pk")
    users = list(rows.values_list("user", flat=True))
    return set(users[: users.index(user.pk)]) if user.pk in users else set()


def delete_addresses_before(moment: datetime) -> int:
    """Delete the addresses recorded before `moment`; return their number."""
    return SeatAddress.objects.filter(at__lt=moment).delete()[0]
