"""Record from which networks entries are played: one that shares a network with an earlier entry may not count."""

from datetime import datetime
from threading import Lock

from cachetools import TTLCache
from django.db import transaction

from accounts.models import User
from events.models import DealSet, Entry, Network
from events.services.scoring import mark_sharing

RECORDED_TTL_SECONDS = 3600
MAX_CACHED_NETWORKS = 20_000
# Networks that need not be recorded again. Cache: key (code, user, network); bound MAX_CACHED_NETWORKS; expires.
_recorded: TTLCache[tuple[str, int, str], bool] = TTLCache(MAX_CACHED_NETWORKS, RECORDED_TTL_SECONDS)
_lock = Lock()


def record_network(code: str, user: User, network: str) -> None:
    """Record a network (hashed, "" counts for nothing) from which a person plays the match, if a set is open to it.

    Of two entries with a network in common, the one begun later shares it, once the earlier one has finished a round.
    """
    key = code, user.pk, network
    with _lock:
        if not network or key in _recorded:
            return
    entry = Entry.objects.filter(match__code=code, match__concealed=True, user=user, practice=False).first()
    if entry is not None:
        _store(entry, network)
    with _lock:
        _recorded[key] = True


def _store(entry: Entry, network: str) -> None:
    with transaction.atomic():
        # Two entries that record the same network at once must see each other.
        DealSet.objects.select_for_update().get(pk=entry.deals_id)
        Network.objects.get_or_create(entry=entry, network=network)
        entries = Entry.objects.filter(deals=entry.deals_id, networks__network=network)
        first = entries.exclude(margins=[]).order_by("pk").first()
        if first is not None:
            mark_sharing(first)


def delete_networks_before(moment: datetime) -> int:
    """Delete the networks recorded before `moment`; return their number."""
    return Network.objects.filter(at__lt=moment).delete()[0]


def clear_cache() -> None:
    with _lock:
        _recorded.clear()
