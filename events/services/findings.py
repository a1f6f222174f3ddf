"""Compute for moderators, once a set has closed, how likely each entry's decisions are, and its peek score.

Both are stored with the entry. They say nothing of a deal that is not public.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import QuerySet

from boneyard.analysis.likelihood import compute_log_chance
from boneyard.analysis.peek import PeekSum, score_move
from boneyard.engine.matches import Match as Value
from boneyard.engine.matches import begin
from boneyard.engine.moves import Move
from events.lines import parse_line
from events.models import OWN_SEAT, DealSet, Entry
from games.repository import get_sealed_secret

JUDGED_PERIOD = timedelta(days=7)  # after the close

Decision = tuple[int, Value, Move]  # the round from 0, the match before the move, the move


def has_unjudged(now: datetime) -> bool:
    """Return whether entries of closed sets lack findings."""
    return _find_unjudged(now).exists()


def judge_entries(now: datetime, limit: int) -> int:
    """Store the findings of at most `limit` entries; return how many."""
    entries = list(_find_unjudged(now).select_related("deals")[:limit])
    for entry in entries:
        entry.findings = judge(entry)
        entry.save(update_fields=["findings"])
    return len(entries)


def _find_unjudged(now: datetime) -> QuerySet[Entry]:
    """Return the finished entries of accounts, as only those can have a place: each takes some six CPU seconds."""
    entries = Entry.objects.filter(
        practice=False,
        finished_at__isnull=False,
        standing__in=Entry.COUNTING,
        findings__isnull=True,
        deals__closed_at__gte=now - JUDGED_PERIOD,
        deals__cancelled_at=None,
    )
    return entries.order_by("finished_at", "pk")


def judge(entry: Entry) -> dict[str, list[float]]:
    """Return the findings of an entry (`Entry.findings`)."""
    if entry.deals.fault:
        return {"chances": [], "peek": [0, 0, 0.0, 0.0]}
    chances = [0.0] * len(entry.lines)
    scores: dict[int, list[float]] = {}
    others = [seat for seat in range(entry.deals.seats) if seat != OWN_SEAT]
    decisions = 0
    for number, value, move in iter_decisions(entry.deals, entry.lines):
        chances[number] += compute_log_chance(value, move)
        found = [peek.score for peek in score_move(value, move, others, f"{entry.deals.name} {entry.pk}")]
        decisions += bool(found)
        scores.setdefault(number, []).extend(found)
    totals = [sum(each) for each in scores.values() if each]
    squares = sum(total * total for total in totals)
    return {
        "chances": [round(chance, 3) for chance in chances],
        "peek": [decisions, len(totals), sum(totals), squares],
    }


def iter_decisions(deals: DealSet, lines: list[str]) -> Iterator[Decision]:
    """Yield the moves of the person's seat in their turns, each with the match before it."""
    secret = bytes.fromhex(get_sealed_secret(deals.name).secret)
    value = begin(deals.parsed_rules, deals.seats, secret, deals.name)
    for number, line in enumerate(lines):
        for step in parse_line(line):
            if step.seat == OWN_SEAT and value.turn == OWN_SEAT:
                yield number, value, step.move
            value = value.play(*step)


def get_peek_sum(entry: Entry) -> PeekSum:
    """Return the peek sum that was found for an entry; an empty one before that."""
    decisions, rounds, total, squares = (entry.findings or {}).get("peek", (0, 0, 0.0, 0.0))
    return PeekSum(int(decisions), int(rounds), total, squares)
