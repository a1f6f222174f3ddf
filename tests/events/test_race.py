"""Two starts at once, and a start while the day closes."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.utils import timezone

from events import services
from events.models import GRACE, DealSet, Entry
from games.models import Match
from tests.events.playing import open_today

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls):
    """Call all functions at the same time, each with a database connection of its own; return their results."""
    barrier = Barrier(len(calls))

    def run(call):
        barrier.wait()
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(run, call) for call in calls]]


def test_two_starts_at_once_make_one_match(alice):
    deals = open_today()
    now = timezone.now()

    entries = at_once(*[lambda: services.start(deals, alice, now)] * 4)

    assert len({entry.pk for entry in entries}) == 1
    assert Match.objects.count() == Entry.objects.count() == 1


def test_two_closes_at_once_end_a_match_once(alice):
    deals = open_today()
    match = services.start(deals, alice, timezone.now()).match
    DealSet.objects.update(closes_at=timezone.now() - GRACE)
    deals.refresh_from_db()

    at_once(*[lambda: services.close(deals, timezone.now())] * 3)

    match.refresh_from_db()
    assert not match.concealed and match.moves.filter(text="time").count() == 1


def test_two_processes_seal_a_day_once():
    day = timezone.now().date()

    sets = at_once(*[lambda: services.seal_day(day, timezone.now())] * 3)

    assert len({each.seal for each in sets}) == 1
