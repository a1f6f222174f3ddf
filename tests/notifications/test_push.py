"""Notices are found, pushed once, and contain nothing hidden."""

import json
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from boneyard.engine.perspective import perspective
from events.models import Entry
from events.services import record_outage, seal_day
from games import repository
from games.conditional_moves import list_answers
from games.models import ConditionalMove, Connection, Match, Seat
from games.services import plan
from games.time.day_clocks import DAY_SECONDS
from lobbies import services as tables
from nights.services import follow_night
from notifications import finding, outbox, services, vapid
from notifications.models import Choices, Kind, Notice, Subscription
from tests.games.playing import begin, legal, on_turn, play
from tests.lobbies.tables import game, make
from tests.nights.open_nights import make_open_night
from tests.notifications.conftest import NOON, pass_the_turn_around
from tests.times import later

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def at_noon(noon):
    pass


@pytest.fixture
def match(alice, bob, noon) -> Match:
    """Return a match in which alice and bob have been, and which both have left alone."""
    match = begin(alice, bob)
    Seat.objects.update(hand_seen_at=NOON)
    noon.shift(timedelta(minutes=20))
    return match


def test_absent_player_on_turn_is_notified_once(match, push, subscribe, send_due):
    seat = on_turn(match)
    subscribe(seat.user)
    for _ in range(3):
        send_due()
    assert push.titles == ["Your turn"]
    (delivery,) = push.deliveries
    assert delivery.headers["ttl"] == "86400" and delivery.headers["urgency"] == "high"
    assert delivery.headers["content-encoding"] == "aes128gcm"


def test_push_service_learns_who_sends(match, push, subscribe, send_due):
    subscribe(on_turn(match).user)
    send_due()
    claims = push.deliveries[0].check_sender(vapid.get_public_key(), push.origin)
    assert claims["sub"].startswith("mailto:")


def test_nobody_is_notified_while_a_page_is_open(match, push, subscribe, send_due):
    seat = on_turn(match)
    subscribe(seat.user)
    Connection.objects.create(channel="open", match=match, seat=seat, seen_at=timezone.now())
    send_due()
    assert push.deliveries == []


def test_next_turn_is_notified_after_a_look(match, push, subscribe, send_due, noon):
    seat = on_turn(match)
    subscribe(seat.user)
    send_due()
    noon.shift(timedelta(minutes=1))
    send_due()
    assert len(push.deliveries) == 1
    Seat.objects.filter(pk=seat.pk).update(page_at=timezone.now())
    send_due()
    noon.shift(timedelta(minutes=2))
    send_due()
    assert len(push.deliveries) == 1, "a look without a move gives no second notice of the same turn"
    pass_the_turn_around(match, seat.user)
    noon.shift(timedelta(minutes=2))
    send_due()
    assert push.titles == ["Your turn", "Your turn"]
    first, second = push.deliveries
    assert first.headers["topic"] == second.headers["topic"] == second.payload["tag"]


def test_opened_notice_is_read(match, push, subscribe, send_due, client):
    seat = on_turn(match)
    subscribe(seat.user)
    send_due()
    client.force_login(seat.user)
    for _ in range(2):  # on a second device, where it is still displayed, it opens the match, too
        response = client.get(push.deliveries[0].payload["url"])
        assert response["Location"] == match.get_absolute_url()
    assert not Notice.objects.unread().exists()


def test_notice_of_another_person_opens_the_front_page(match, push, subscribe, send_due, client, charlie):
    subscribe(on_turn(match).user)
    send_due()
    client.force_login(charlie)
    assert client.get(push.deliveries[0].payload["url"])["Location"] == "/"
    assert Notice.objects.count() == 1


def test_payload_has_no_tile_no_code_and_no_score(push, subscribe, send_due, alice, bob, noon):
    match = begin(alice, bob)
    Match.objects.filter(pk=match.pk).update(private=True)
    for user in (alice, bob):
        subscribe(user)
    Seat.objects.update(hand_seen_at=NOON)
    for _ in range(30):
        noon.shift(timedelta(minutes=20))
        send_due()
        Notice.objects.all().delete()
        if not on_turn(match).match.playing:
            break
        play(match)
    assert len(push.deliveries) > 10
    for sent in push.deliveries:
        text = json.dumps({**sent.payload, **sent.headers})
        assert match.code not in text
        assert set(sent.payload) == {"title", "body", "url", "tag", "badge", "open"}
        assert not re.search(r"\d-\d", sent.payload["title"] + sent.payload["body"])
        assert sent.payload["body"] in ("alice · All Fives", "bob · All Fives")


def test_notices_tell_nothing_of_a_planned_answer(push, subscribe, send_due, alice, bob, noon):
    match = begin(alice, bob, preset="block", clock=(3 * DAY_SECONDS, 0))
    while match.version < 3:
        match = play(match)
    mover = on_turn(match)
    planner = match.seats.select_related("user").get(position=1 - mover.position)
    answers = list_answers(perspective(repository.get_value(match), planner.position))
    move = next(move for move in legal(match) if move in answers)
    answer = str(answers[move][0])
    for user in (alice, bob):
        subscribe(user)
    Seat.objects.update(hand_seen_at=NOON)
    noon.shift(timedelta(minutes=20))
    send_due()
    before = [delivery.payload["body"] for delivery in push.deliveries]

    plan(code=match.code, user=planner.user, condition=move, move=answer, seen_version=match.version)
    noon.shift(timedelta(minutes=20))
    send_due()
    assert len(push.deliveries) == len(before) == 1, "a plan is no news"
    Notice.objects.all().delete()
    match = play(match, move)
    noon.shift(timedelta(minutes=20))
    send_due()

    assert match.moves.count() >= 5 and ConditionalMove.objects.count() == 0
    assert len(push.deliveries) == 2
    assert {delivery.payload["body"] for delivery in push.deliveries} == set(before)
    assert not re.search(r"\d-\d", "".join(before))


def test_beginning_match_is_notified(alice, bob, push, subscribe, send_due, noon):
    begin(alice, bob)
    for user in (alice, bob):
        subscribe(user)
    noon.shift(timedelta(seconds=30))
    send_due()
    assert push.titles == ["Your match has begun"] * 2


def test_challenge_is_notified_until_it_is_closed(alice, bob, charlie, push, subscribe, send_due):
    subscribe(bob)
    subscribe(charlie)
    tables.challenge(alice, bob, game())
    gone = tables.challenge(alice, charlie, game())
    tables.decline(gone, charlie)
    send_due()
    assert push.titles == ["You are challenged"]
    assert push.deliveries[0].payload["body"] == "alice · All Fives"


def test_offer_of_a_rematch_is_notified(alice, bob, push, subscribe, send_due):
    match = begin(alice, bob)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED, ended_at=timezone.now())
    subscribe(alice)
    subscribe(bob)
    tables.offer_rematch(Match.objects.get(pk=match.pk), alice)
    send_due()
    assert push.titles == ["A rematch?"]
    assert push.deliveries[0].browser.endpoint.endswith("/bob")


def test_club_night_is_notified_once_when_it_begins(alice, push, subscribe, send_due, noon):
    night = make_open_night(weekday=2, hour=13, preset="all-fives")
    follow_night(alice, night, True)
    subscribe(alice)
    send_due()
    assert push.deliveries == []
    noon.shift(timedelta(minutes=55))
    send_due()
    noon.shift(timedelta(minutes=10))
    send_due()
    assert push.titles == ["All Fives night"]


def test_streak_is_notified_in_the_evening(alice, push, subscribe, send_due, noon, played_yesterday):
    subscribe(alice)
    send_due()
    assert push.deliveries == []
    noon.shift(timedelta(hours=7))
    send_due()
    send_due()
    assert push.titles == ["Daily Deal"]


@pytest.mark.parametrize(("down", "expected"), [(80, ["Daily Deal"]), (50, [])])
def test_streak_is_notified_after_a_day_that_the_site_took(
    alice, push, subscribe, send_due, noon, played_yesterday, down, expected
):
    seal_day(NOON.date() + timedelta(days=1), NOON + timedelta(days=1))
    record_outage(NOON, NOON + timedelta(minutes=down))
    subscribe(alice)
    noon.shift(timedelta(days=1, hours=7))
    send_due()
    send_due()
    assert push.titles == expected


@pytest.fixture
def played_yesterday(alice, bob):
    yesterday = NOON - timedelta(days=1)
    deals = seal_day(yesterday.date(), yesterday)
    Entry.objects.create(
        deals=deals, user=alice, match=begin(alice, bob), started_at=yesterday, finished_at=yesterday
    )
    today = seal_day(NOON.date(), NOON)
    Entry.objects.create(deals=today, user=None, match=begin(bob, alice), started_at=NOON, finished_at=NOON)
    Match.objects.update(status=Match.Status.FINISHED)


@pytest.mark.parametrize("kind", [Kind.TURN, Kind.CHALLENGE])
def test_each_kind_is_switched_off_alone(match, alice, push, subscribe, send_due, kind):
    user = on_turn(match).user
    other = User.objects.exclude(pk=user.pk).get()
    subscribe(user)
    tables.challenge(other, user, game())
    Choices.objects.create(user=user, **{kind.value: False})
    send_due()
    assert push.titles == ["You are challenged" if kind == Kind.TURN else "Your turn"]


def test_notice_waits_for_the_end_of_quiet_hours(match, push, subscribe, send_due, noon):
    user = on_turn(match).user
    subscribe(user)
    Choices.objects.create(user=user, quiet_from=21, quiet_until=7, time_zone="Asia/Tokyo")
    send_due()
    assert push.deliveries == []  # 21:20 in Tokyo
    noon.shift(timedelta(hours=9))
    send_due()
    assert push.deliveries == []
    noon.shift(timedelta(hours=1))
    send_due()
    assert push.titles == ["Your turn"]


@pytest.mark.parametrize("change", [{"quiet_from": 3, "quiet_until": 4}, {"time_zone": "America/Caracas"}])
def test_changed_quiet_hours_free_a_notice_that_waits(
    alice, bob, push, subscribe, send_due, noon, browser_of, change
):
    sent = {
        "challenge": "on",
        "quiet_from": 21,
        "quiet_until": 7,
        "time_zone": "Asia/Tokyo",
    }  # it is 21:00 there
    browser = browser_of(alice)
    subscribe(alice, browser=browser)
    for fields, titles in ((sent, []), (sent, []), (sent | change, ["You are challenged"])):
        noon.shift(timedelta(seconds=5))  # less than what counts as another visit
        assert browser.post("/notifications/", fields).status_code == 303
        if not Notice.objects.exists():
            noon.shift(timedelta(seconds=5))
            tables.challenge(bob, alice, game())
        send_due()
        assert push.titles == titles


def test_zone_that_a_browser_names_frees_a_notice_that_waits(match, push, subscribe, send_due, noon):
    user = on_turn(match).user
    subscribe(user)
    Choices.objects.create(user=user, quiet_from=12, quiet_until=14)
    send_due()
    assert push.deliveries == []
    sent = push.add_browser("second").fields | {"time_zone": "America/Caracas"}
    services.subscribe(user, sent, "en", session=subscribe(user, "third").session)
    send_due()
    assert push.titles[0] == "Your turn"


def test_notice_that_no_longer_holds_is_not_sent(match, push, subscribe, send_due, noon):
    seat = on_turn(match)
    subscribe(seat.user)
    push.statuses["/" + seat.user.username] = 503
    send_due()
    push.statuses.clear()
    play(match)
    noon.shift(timedelta(minutes=5))
    send_due()
    assert push.deliveries == [] and not Notice.objects.filter(sent_at=None).exists()


@pytest.mark.parametrize("status", [404, 410])
def test_expired_subscription_is_deleted(match, push, subscribe, send_due, status):
    user = on_turn(match).user
    subscribe(user, "old")
    subscribe(user, "new")
    push.statuses["/old"] = status
    send_due()
    assert [row.endpoint for row in Subscription.objects.all()] == [f"{push.origin}/new"]
    assert push.titles == ["Your turn"]


def test_busy_push_service_is_asked_again(match, push, subscribe, send_due, noon):
    user = on_turn(match).user
    subscribe(user, "busy")
    subscribe(user, "ready")
    push.statuses["/busy"] = 503
    send_due()
    assert len(push.deliveries) == 1
    push.statuses.clear()
    send_due()
    assert len(push.deliveries) == 1  # leased
    noon.shift(timedelta(minutes=2))
    send_due()
    assert [each.browser.endpoint.rpartition("/")[2] for each in push.deliveries] == ["ready", "busy"]


def test_redirect_is_not_followed(match, push, subscribe, send_due):
    user = on_turn(match).user
    subscribe(user)
    push.statuses["/" + user.username] = 302
    send_due()
    assert push.redirected == 0 and push.deliveries == []


def test_leased_notice_is_sent_by_one_process(match, push, subscribe, alice):
    user = on_turn(match).user
    subscribe(user)
    now = timezone.now()
    Notice.objects.bulk_create(finding.find_new(now))
    first, second = Notice.objects.get(), Notice.objects.get()
    for notice in (first, second):
        if addressed := outbox.prepare(notice, now):
            outbox.deliver(outbox.pack([addressed]))
    assert len(push.deliveries) == 1


def test_notice_of_a_dead_process_is_sent_by_another(match, push, subscribe, send_due, noon):
    subscribe(on_turn(match).user)
    now = timezone.now()
    Notice.objects.bulk_create(finding.find_new(now))
    assert outbox._lease(Notice.objects.get(), now)  # and dies
    send_due()
    assert push.deliveries == []
    noon.shift(timedelta(minutes=2))
    send_due()
    assert push.titles == ["Your turn"]


def test_notice_is_in_the_persons_language(match, push, subscribe, send_due):
    user = on_turn(match).user
    subscribe(user, language="es")
    send_due()
    assert push.titles == ["Tu turno"]
    Notice.objects.all().delete()
    User.objects.filter(pk=user.pk).update(language="en")
    send_due()
    assert push.titles[-1] == "Your turn"


def test_old_notices_are_deleted(match, push, subscribe, send_due):
    subscribe(on_turn(match).user)
    send_due()
    with later(days=15):
        Match.objects.update(status=Match.Status.FINISHED)
        send_due()
    assert not Notice.objects.exists()


def test_table_without_challenge_gives_no_notice(alice, bob, push, subscribe, send_due):
    subscribe(bob)
    make(alice)
    send_due()
    assert push.deliveries == []
