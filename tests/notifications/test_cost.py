"""While nothing is due, a run of the outbox only reads: it takes no write lock."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.models import Match, Seat
from games.time.day_clocks import DAY_SECONDS
from notifications.models import Notice
from tests.games.playing import begin

pytestmark = pytest.mark.django_db
WRITES = ("INSERT", "UPDATE", "DELETE")
MAX_STATEMENTS = 17


@pytest.mark.parametrize(("days_away", "hours"), [(0, 0), (8, 0), (0, 7)])  # 19 UTC: streaks end, too
def test_outbox_with_nothing_to_do_reads_a_few_rows(
    alice, bob, charlie, push, subscribe, send_due, noon, days_away, hours
):
    noon.shift(timedelta(hours=hours))
    for other in (bob, charlie, bob):
        begin(alice, other, clock=(3 * DAY_SECONDS, 0))
    for person in (alice, bob, charlie):
        subscribe(person)
    Seat.objects.update(hand_seen_at=timezone.now())
    User.objects.update(seen_at=timezone.now() - timedelta(days=days_away))
    Match.objects.update(next_action_at=timezone.now() + timedelta(hours=1))
    noon.shift(timedelta(minutes=20))
    for _ in range(2):
        send_due()  # warnings or summaries
    assert Notice.objects.exclude(sent_at=None).count() >= 1
    with CaptureQueriesContext(connection) as queries:
        send_due()
    said = [query["sql"] for query in queries]
    assert len(said) <= MAX_STATEMENTS, said
    assert [sql for sql in said if sql.startswith(WRITES) and "SAVEPOINT" not in sql] == []
