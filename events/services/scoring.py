"""Store the margins and moves of rounds, whom they could tell, and the final scores."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from boneyard.engine.matches import Match as Value
from events.comparison import compute_margin
from events.field import load_field
from events.lines import format_line
from events.models import OWN_SEAT, DealSet, Entry
from games.repository import Snapshot

# Of the field and of the scores: closed sets that were scored by an earlier version are scored again.
SCORING = 2


def record_round(snapshot: Snapshot, now: datetime) -> bool:
    """Store the margin and the moves of the round that has just ended; called in the transaction of its last move.

    Return whether another round may be played: after the closing time none.
    """
    value = snapshot.value
    if value.ended[-1].end.how == "stopped" or OWN_SEAT in value.gone:
        return True
    entry = Entry.objects.filter(match=snapshot.match).select_related("deals").first()
    if entry is None:
        return True
    entry.margins = [*entry.margins, compute_last_margin(value)]
    entry.lines = [*entry.lines, format_line(value.ended[-1])]
    if value.result is not None:
        entry.finished_at = snapshot.match.ended_at
    entry.save(update_fields=["margins", "lines", "finished_at"])
    if not entry.practice:
        mark_sharing(entry)
    return entry.practice or value.result is not None or now < entry.deals.closes_at


def mark_sharing(entry: Entry) -> None:
    """Mark the later entries that share a network with this one, which has finished a round.

    Called after each round without a lock on the set: what is missed when a network is stored meanwhile is marked next.
    Only later rows are written, so that two rounds that end at once do not wait for each other.
    """
    networks = entry.networks.values("network")
    later = Entry.objects.filter(deals=entry.deals_id, pk__gt=entry.pk, shares_network=False)
    later.filter(networks__network__in=networks).update(shares_network=True)


def compute_last_margin(value: Value) -> int:
    """Return the margin of the person's side in the last ended round."""
    before: Sequence[int] = value.ended[-2].scores if len(value.ended) > 1 else (0,) * len(value.scores)
    gained = [now - then for now, then in zip(value.ended[-1].scores, before, strict=True)]
    return compute_margin(gained, value.terms.side_of[OWN_SEAT], lowest_wins=value.rules.lowest_wins)


def store_scores(deals: DealSet) -> None:
    """Store the final score of every entry of the set; call it inside a transaction, with the set's row locked."""
    field = load_field(deals).field
    entries = list(Entry.objects.filter(deals=deals, practice=False))
    for entry in entries:
        entry.score = field.compute_score(entry.margins, is_member=entry.is_official, is_final=True)
    Entry.objects.bulk_update(entries, ["score"], batch_size=500)
    deals.scoring = SCORING
    deals.save(update_fields=["scoring"])


def score_again() -> None:
    """Score one closed set that was scored by other rules than today's, the newest first."""
    with transaction.atomic():
        old = DealSet.objects.filter(closed_at__isnull=False, cancelled_at=None, scoring__lt=SCORING)
        deals = old.select_for_update().order_by("-closes_at").first()
        if deals is not None:
            store_scores(deals)
