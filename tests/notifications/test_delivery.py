"""Notices are pushed a few at a time; those to slow or silent endpoints delay nobody else."""

import time
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from accounts.models import User
from games.models import Match, Seat
from games.time.day_clocks import DAY_SECONDS
from lobbies import services as tables
from notifications import delivery, finding, outbox, services
from notifications.models import EndpointFailures, Notice, Subscription, digest_endpoint
from tests.games.playing import begin, on_turn
from tests.lobbies.tables import game

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)  # outside the quiet hours


@pytest.fixture(autouse=True)
def noon():
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


@pytest.fixture
def match(alice, bob, noon) -> Match:
    """Return a match in which alice and bob have been, and which both have left alone."""
    match = begin(alice, bob)
    Seat.objects.update(hand_seen_at=NOON)
    noon.shift(timedelta(minutes=20))
    return match


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(delivery, "TIMEOUT_SECONDS", 2.0)
    monkeypatch.setattr(delivery, "SLOW_SECONDS", 0.3)


def names_of(push):
    return [each.browser.endpoint.rpartition("/")[2] for each in push.deliveries]


@pytest.mark.usefixtures("impatient")
def test_hanging_browsers_do_not_delay_others(alice, bob, charlie, push, subscribe, send_due, noon):
    begin(alice, bob, seed="one")
    begin(charlie, alice, seed="two")
    for number in range(8):
        subscribe(alice, f"hangs-{number}")
        push.hanging.add(f"/hangs-{number}")
    subscribe(bob)
    subscribe(charlie)
    noon.shift(timedelta(seconds=30))
    began_at = time.monotonic()
    send_due()
    assert sorted(names_of(push)) == ["bob", "charlie"]
    assert max(push.times) - began_at < 10, "while the others hang"
    assert 5 < time.monotonic() - began_at < 20, "sixteen deliveries of 2 s, a few at a time"


@pytest.mark.usefixtures("impatient")
def test_failures_of_an_endpoint_are_kept_when_it_is_subscribed_anew(
    match, push, subscribe, send_due, charlie
):
    user = on_turn(match).user
    push.statuses["/bad"] = 503
    row = subscribe(user, "bad")
    send_due()
    services.unsubscribe(user, row.endpoint)
    assert subscribe(charlie, "bad").failures == 1
    assert subscribe(charlie, "bad").failures == 1, "also if it is taken over"
    push.statuses.clear()
    Notice.objects.all().delete()
    assert subscribe(user, "bad").failures == 1
    send_due()
    assert Subscription.objects.get().failures == 0 and not EndpointFailures.objects.exists()


def test_browser_that_answers_after_many_failures_is_kept(match, push, subscribe, send_due):
    row = subscribe(on_turn(match).user, "back")
    Subscription.objects.update(failures=outbox.MAX_FAILURES)
    EndpointFailures.objects.create(
        digest=digest_endpoint(row.endpoint), failures=outbox.MAX_FAILURES, at=NOON
    )
    send_due()
    assert names_of(push) == ["back"]
    assert Subscription.objects.get().failures == 0 and not EndpointFailures.objects.exists()


def test_fault_in_one_outcome_costs_that_one_alone(alice, bob, push, subscribe, send_due, noon, monkeypatch):
    record = outbox._record_delivery

    def fail_for_alice(notices, subscription):
        if notices[0].user == alice:
            raise ValueError("a broken row")
        record(notices, subscription)

    monkeypatch.setattr(outbox, "_record_delivery", fail_for_alice)
    begin(alice, bob)
    subscribe(alice)
    subscribe(bob)
    noon.shift(timedelta(seconds=30))
    send_due()
    assert {notice.user for notice in Notice.objects.exclude(sent_at=None)} == {bob}


@pytest.mark.usefixtures("impatient")
def test_slow_endpoints_come_last_until_they_are_quick(match, push, subscribe, send_due, noon):
    user = on_turn(match).user
    subscribe(user, "slow")
    push.delay_seconds = 0.5
    send_due()
    assert Subscription.objects.get().failures == 1, "though it has answered"
    push.delay_seconds = 0.0
    for _ in range(2):
        Notice.objects.all().delete()
        send_due()
    assert Subscription.objects.get().failures == 0
    assert names_of(push) == ["slow"] * 3


def test_few_failing_browsers_are_tried_in_a_run(alice, bob, push, subscribe, monkeypatch, send_due, noon):
    monkeypatch.setattr(outbox, "MAX_FAILING_PER_RUN", 2)
    begin(alice, bob)
    for number in range(5):
        subscribe(alice, f"bad-{number}")
    subscribe(bob)
    Subscription.objects.filter(user=alice).update(failures=3)
    noon.shift(timedelta(seconds=30))
    send_due()
    assert "bob" in names_of(push) and len(push.deliveries) == 3


def test_broken_keys_keep_nobody_from_their_notices(alice, bob, push, subscribe, send_due, noon):
    begin(alice, bob)
    subscribe(alice)
    subscribe(bob)
    Subscription.objects.filter(user=alice).update(key="AAAA")
    noon.shift(timedelta(seconds=30))
    send_due()
    assert names_of(push) == ["bob"]


@pytest.mark.parametrize("failures", [0, 1])
def test_test_notices_and_last_warnings_come_before_a_backlog(
    alice, bob, charlie, push, subscribe, send_due, monkeypatch, noon, failures
):
    monkeypatch.setattr(outbox, "MAX_NOTICES_PER_RUN", 3)
    monkeypatch.setattr(outbox, "MAX_FAILING_PER_RUN", 3)
    monkeypatch.setattr(delivery, "MAX_AT_ONCE", 1)
    match = begin(bob, charlie, clock=(DAY_SECONDS, 0))
    Seat.objects.update(hand_seen_at=NOON, page_at=NOON)
    last = on_turn(match).user
    Match.objects.filter(pk=match.pk).update(next_action_at=NOON + timedelta(hours=2, minutes=1))
    for number in range(6):
        host, guest = (User.objects.create(username=f"{name}-{number}") for name in ("host", "guest"))
        subscribe(guest)
        tables.challenge(host, guest, game())
    services.store(finding.find_new(NOON))
    assert Notice.objects.count() == 6, "all older than what is urgent"
    noon.shift(timedelta(minutes=1))
    row = subscribe(alice)
    subscribe(last)
    Subscription.objects.filter(user__in=[alice, last]).update(failures=failures)
    assert services.send_test(alice, row.pk)
    assert not services.send_test(alice, row.pk), "it is on its way already"
    send_due()
    first_two = names_of(push)[:2] if not failures else names_of(push)[-2:]
    assert set(first_two) == {"alice", last.username}, names_of(push)
    assert not Notice.objects.filter(kind__in=["test", "hours_left"], sent_at=None).exists(), (
        "in the first run"
    )
    assert Notice.objects.filter(sent_at=None).exists()
