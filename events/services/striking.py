"""Strike entries of a closed set, which moderators may do, and take it back; the set is scored anew."""

from datetime import datetime

from django.db import transaction

from events.models import DealSet, Entry
from events.refusals import EventRefused
from events.services.scoring import store_scores


def strike(entry: Entry, reason: str, now: datetime) -> None:
    """Strike an entry: it does not count, and nobody is compared with it. Raise `EventRefused` before the close."""
    _decide(entry, now, reason)


def unstrike(entry: Entry) -> None:
    """Let a struck entry count again as before. Raise `EventRefused` before the close."""
    _decide(entry, None, "")


def _decide(entry: Entry, struck_at: datetime | None, reason: str) -> None:
    with transaction.atomic():
        deals = DealSet.objects.select_for_update().get(pk=entry.deals_id)
        if not deals.has_results:
            raise EventRefused("not_closed")
        entry.struck_at, entry.struck_reason = struck_at, reason
        entry.save(update_fields=["struck_at", "struck_reason"])
        store_scores(deals)
