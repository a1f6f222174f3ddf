"""Matches of days: a word before time runs out, and one at the end; then what nobody wants: too much of it."""

import json
import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.utils import timezone

from accounts.models import User
from games import services
from games.models import Connection, Match, Seat
from games.services import begin_vacation
from notifications import mails
from notifications.models import CHOSEN_KINDS, Choices, Notice
from tests.games.playing import begin, legal, on_turn, play
from tests.notifications.conftest import HOUR, NOON, end_in, go_through

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def at_noon(noon):
    pass


def told(push) -> list[tuple[str, str]]:
    """Return the day and hour of each notice, and its title."""
    return [(delivery.headers["at"], delivery.payload["title"]) for delivery in push.deliveries]


@pytest.fixture(autouse=True)
def dated(push, monkeypatch):
    """Write into each delivery when it came."""
    take = push.take

    def take_dated(path, headers, body):
        return take(path, {**headers, "at": f"{timezone.now():%d %H:%M}"}, body)

    monkeypatch.setattr(push, "take", take_dated)


@pytest.mark.parametrize(
    ("days", "hours", "expected"),
    [
        (1, [1, 21, 22, 23], [("25 13:00", "Your turn"), ("26 10:00", "2 hours left for your move")]),
        (
            3,
            [1, 47, 48, 49, 69, 70, 71],
            [
                ("25 13:00", "Your turn"),
                ("27 12:00", "24 hours left for your move"),
                ("28 10:00", "2 hours left for your move"),
            ],
        ),
        (
            7,
            [1, 143, 144, 145, 165, 166, 167],
            [
                ("25 13:00", "Your turn"),
                ("01 12:00", "24 hours left for your move"),
                ("02 10:00", "2 hours left for your move"),
            ],
        ),
    ],
)
def test_time_that_runs_out_is_told_a_day_and_two_hours_before(
    begin_of_days, push, subscribe, send_due, noon, days, hours, expected
):
    match = begin_of_days(days)
    seat = on_turn(match)
    Seat.objects.update(page_at=None)
    subscribe(seat.user)
    User.objects.update(seen_at=None)
    go_through(noon, send_due, *hours)
    assert told(push) == expected
    assert len({delivery.payload["tag"] for delivery in push.deliveries}) == 1, "each replaces the one before"
    assert Notice.objects.unread().count() == 1


def test_other_player_is_told_nothing(begin_of_days, push, subscribe, send_due, noon):
    match = begin_of_days(1)
    subscribe(match.seats.exclude(pk=on_turn(match).pk).get().user)
    go_through(noon, send_due, 1, 22, 23)
    assert push.deliveries == []


def test_who_has_been_here_since_is_not_warned(begin_of_days, push, subscribe, send_due, noon):
    match = begin_of_days(1)
    seat = on_turn(match)
    subscribe(seat.user)
    go_through(noon, send_due, 1, 21)
    assert push.titles == [], "they looked when the turn began"
    go_through(noon, send_due, 22)
    assert push.titles == ["2 hours left for your move"]
    User.objects.filter(pk=seat.user.pk).update(seen_at=timezone.now() + timedelta(minutes=5))
    go_through(noon, send_due, 22.1, 23, 23.9)
    assert len(push.titles) == 1


def test_move_ends_the_warnings(begin_of_days, push, subscribe, send_due, noon):
    match = begin_of_days(1)
    seat = on_turn(match)
    subscribe(seat.user)
    push.statuses["/" + seat.user.username] = 503
    go_through(noon, send_due, 1, 22)
    play(match)
    push.statuses.clear()
    go_through(noon, send_due, 22.1, 22.5, 23)
    assert push.titles == []


def test_two_hours_in_the_night_are_told_in_the_evening(begin_of_days, push, subscribe, send_due, noon):
    match = begin_of_days(1)
    seat = on_turn(match)
    subscribe(seat.user)
    Choices.objects.create(
        user=seat.user, quiet_from=22, quiet_until=8, time_zone="America/New_York"
    )  # UTC-5
    end_in(match, timedelta(hours=19))  # at 7 UTC, 2 in New York
    go_through(noon, send_due, 14.5, 14.75, 15, 17, 18.9)
    assert told(push) == [("26 02:45", "4 hours left for your move")]


def test_a_day_in_the_night_waits_for_the_morning(begin_of_days, push, subscribe, send_due, noon):
    match = begin_of_days(3)
    seat = on_turn(match)
    subscribe(seat.user)
    end_in(match, timedelta(days=1, hours=11))  # a day before is 23 UTC
    go_through(noon, send_due, 10, 11, 19, 20, 22)
    assert told(push) == [("26 08:00", "15 hours left for your move")]


@pytest.mark.parametrize(
    ("off", "expected"),
    [
        ("day_left", ["Your turn", "2 hours left for your move"]),
        ("hours_left", ["Your turn", "24 hours left for your move"]),
        ("turn", ["24 hours left for your move", "2 hours left for your move"]),
    ],
)
def test_each_warning_is_switched_off_alone(begin_of_days, push, subscribe, send_due, noon, off, expected):
    match = begin_of_days(3)
    seat = on_turn(match)
    Seat.objects.update(page_at=None)
    subscribe(seat.user)
    User.objects.update(seen_at=None)
    Choices.objects.create(user=seat.user, **{off: False})
    go_through(noon, send_due, 1, 48, 49, 70, 71)
    assert push.titles == expected


def test_vacation_moves_the_warnings(begin_of_days, push, subscribe, send_due, noon):
    match = begin_of_days(1)
    seat = on_turn(match)
    subscribe(seat.user)
    begin_vacation(seat.user)
    go_through(noon, send_due, 1, 22, 23, 48)
    assert push.titles == []


def run_out(match: Match) -> Match:
    services.advance(match, timezone.now())
    ended = Match.objects.get(pk=match.pk)
    assert not ended.playing and ended.result_how in ("time", "aborted")
    return ended


def play_on(match: Match, moves: int = 8) -> Match:
    for _ in range(moves):
        match = play(match)
    return match


def test_end_is_told_to_both_who_were_away(begin_of_days, push, subscribe, send_due, noon):
    match = play_on(begin_of_days(1))
    seat = on_turn(match)
    other = match.seats.exclude(pk=seat.pk).get()
    for each in (seat, other):
        subscribe(each.user)
    User.objects.update(seen_at=None)
    end_in(match, timedelta(days=1))
    go_through(noon, send_due, 1, 22, 24)
    run_out(match)
    noon.shift(timedelta(minutes=1))
    for _ in range(3):
        send_due()
    ends = {each.browser.endpoint.rpartition("/")[2]: each.payload for each in push.deliveries[-2:]}
    assert ends[seat.user.username]["title"] == "Your match has ended"
    assert ends[other.user.username]["title"] == "You have won your match"
    for payload in ends.values():
        assert payload["body"] == f"{other.user.username} won on time · All Fives"
        assert match.code not in json.dumps(payload) and not re.search(r"\d-\d", payload["body"])
    titles = [title for _at, title in told(push)]
    assert titles.count("Your match has ended") == titles.count("You have won your match") == 1


def test_end_is_not_told_to_who_is_here_or_has_been_since(
    begin_of_days, push, subscribe, send_due, noon, browser_of
):
    match = play_on(begin_of_days(1))
    seat = on_turn(match)
    other = match.seats.exclude(pk=seat.pk).get()
    end_in(match, timedelta(days=1))
    noon.shift(timedelta(days=1))
    for each in (seat, other):
        subscribe(each.user)
    Choices.objects.create(user=other.user, ended=False)
    run_out(match)
    noon.shift(timedelta(seconds=1))
    browser_of(seat.user).get("/rules/")
    noon.shift(timedelta(minutes=1))
    send_due()
    assert push.titles == []


def test_end_is_not_told_to_who_leaves_after_it(begin_of_days, push, subscribe, send_due, noon):
    match = play_on(begin_of_days(1))
    for seat in match.seats.all():
        subscribe(seat.user)
        Connection.objects.create(
            channel=str(seat.pk), match=match, seat=seat, seen_at=NOON + timedelta(days=1), visible=True
        )
    end_in(match, timedelta(days=1))
    noon.shift(timedelta(days=1))
    run_out(match)
    send_due()
    Connection.objects.all().delete()
    noon.shift(timedelta(minutes=10))
    send_due()
    assert push.titles == []


def test_end_is_told_to_who_left_a_moment_before(begin_of_days, push, subscribe, send_due, noon):
    match = play_on(begin_of_days(1))
    seat = on_turn(match)
    subscribe(seat.user)
    end_in(match, timedelta(days=1))
    noon.shift(timedelta(days=1, seconds=-20))
    User.objects.filter(pk=seat.user.pk).update(seen_at=timezone.now())
    Seat.objects.filter(pk=seat.pk).update(page_at=timezone.now())
    noon.shift(timedelta(seconds=20))
    run_out(match)
    noon.shift(timedelta(seconds=2))
    send_due()
    assert push.titles == ["Your match has ended"]


def test_short_match_ends_without_a_notice(alice, bob, push, subscribe, send_due, noon):
    match = play_on(begin(alice, bob, clock=(300, 5)))
    for person in (alice, bob):
        subscribe(person)
    noon.shift(timedelta(minutes=30))
    run_out(match)
    send_due()
    assert push.titles == []


def test_warnings_and_end_tell_no_tile(begin_of_days, push, subscribe, send_due, noon):
    """In the middle of a round, with both hands hidden: every text of every kind, in all headers, too."""
    match = play_on(begin_of_days(3), 12)
    for seat in match.seats.all():
        subscribe(seat.user)
    Seat.objects.update(page_at=None)
    end_in(match, timedelta(days=3))
    go_through(noon, send_due, 1, 48, 70, 72)
    run_out(match)
    noon.shift(timedelta(minutes=1))
    send_due()
    assert len(push.deliveries) >= 5
    for delivery in push.deliveries:
        text = delivery.payload["title"] + delivery.payload["body"]
        assert not re.search(r"\d-\d", text) and match.code not in json.dumps(
            [delivery.payload, delivery.headers]
        )
        digits = re.sub(r"^(24|2) hours|\D", "", text)
        assert digits == "", "neither a count nor a score"


def test_push_and_mail_do_not_tell_the_same(begin_of_days, push, subscribe, send_due, noon):
    match = begin_of_days(3)
    user = on_turn(match).user
    Seat.objects.update(page_at=None)
    EmailAddress.objects.create(user=user, email="a@example.org", verified=True, primary=True)
    Choices.objects.create(user=user, mails=True)
    subscribe(user)
    go_through(noon, send_due, 1)
    assert push.titles == ["Your turn"]
    noon.shift(timedelta(hours=4))
    mails.send_mails(timezone.now())
    assert mail.outbox == []
    Notice.objects.update(delivered=[])  # no browser was reached
    mails.send_mails(timezone.now())
    assert len(mail.outbox) == 1


def test_mail_waits_for_the_end_of_quiet_hours(begin_of_days, noon):
    user = on_turn(begin_of_days(3)).user
    EmailAddress.objects.create(user=user, email="a@example.org", verified=True, primary=True)
    Choices.objects.create(
        user=user, mails=True, quiet_from=20, quiet_until=7, time_zone="Asia/Calcutta"
    )  # 5:30
    noon.shift(timedelta(hours=3))
    mails.send_mails(timezone.now())
    assert mail.outbox == []  # 20:30 in Calcutta
    noon.shift(timedelta(hours=11))
    mails.send_mails(timezone.now())
    assert len(mail.outbox) == 1


@pytest.mark.parametrize("by_mail", [False, True])
def test_week_without_a_visit_brings_one_summary_and_then_warnings_alone(
    begin_of_days, alice, bob, push, subscribe, send_due, noon, by_mail
):
    begin_of_days(7)
    match = begin_of_days(7)
    user = on_turn(match).user
    Match.objects.exclude(pk=match.pk).update(next_action_at=NOON + timedelta(days=30))
    Match.objects.filter(pk=match.pk).update(next_action_at=NOON + timedelta(days=9))
    Seat.objects.update(page_at=None)
    User.objects.update(seen_at=NOON)
    subscribe(user)
    EmailAddress.objects.create(user=user, email="a@example.org", verified=True, primary=True)
    Choices.objects.create(user=user, mails=by_mail)
    push.statuses["/" + user.username] = 0 if not by_mail else 503  # no push service answers who has mails
    for _ in range(12 * 13):
        noon.shift(2 * HOUR)
        send_due()
        mails.send_mails(timezone.now())
    week = NOON + timedelta(days=7)
    if by_mail:
        assert push.deliveries == []
        assert len(mail.outbox) == 8, "one a day for seven days, then the summary"
        assert mail.outbox[-1].subject == "[Boneyard] 2 matches wait for your move."
        return
    assert mail.outbox == []
    late = [delivery for delivery in push.deliveries if delivery.payload["title"] == "While you were away"]
    assert [delivery.payload["body"] for delivery in late] == ["2 matches wait for your move."]
    assert told(push)[1:] == [
        (f"{week:%d} 12:00", "While you were away"),
        (f"{week + timedelta(days=1):%d} 12:00", "24 hours left for your move"),
        (f"{week + timedelta(days=2):%d} 10:00", "2 hours left for your move"),
    ]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (["hours_left"], ["While you were away", "2 hours left for your move"]),
        (["challenge"], ["While you were away"]),
        ([], []),
    ],
)
def test_summary_comes_whatever_kinds_were_chosen(
    begin_of_days, push, subscribe, send_due, noon, chosen, expected
):
    match = begin_of_days(7)
    user = on_turn(match).user
    end_in(match, timedelta(days=9))
    User.objects.update(seen_at=NOON)
    subscribe(user)
    Choices.objects.create(user=user, **{kind.value: kind.value in chosen for kind in CHOSEN_KINDS})
    go_through(noon, send_due, 7 * 24 + 1, 8 * 24 + 1, 9 * 24 - 2)
    assert push.titles == expected


@pytest.mark.parametrize("unchosen", [False, True])
def test_kind_that_is_switched_off_is_not_told_when_quiet_hours_end(
    begin_of_days, push, subscribe, send_due, noon, unchosen
):
    match = begin_of_days(3)
    user = on_turn(match).user
    subscribe(user)
    Choices.objects.create(user=user, time_zone="Etc/UTC")
    end_in(match, timedelta(days=1, hours=11))  # a day before is 23 UTC
    go_through(noon, send_due, 11)
    assert Notice.objects.get().kind == "day_left"
    if unchosen:
        Choices.objects.update(day_left=False)
    go_through(noon, send_due, 20)
    assert told(push) == ([] if unchosen else [("26 08:00", "15 hours left for your move")])


def test_visit_after_a_summary_brings_notices_again(begin_of_days, push, subscribe, send_due, noon):
    match = begin_of_days(7)
    seat = on_turn(match)
    subscribe(seat.user)
    User.objects.update(seen_at=NOON)
    noon.shift(timedelta(days=8))
    send_due()
    assert push.titles == ["While you were away"]
    User.objects.update(seen_at=timezone.now() - timedelta(minutes=1))
    end_in(match, timedelta(hours=2))
    noon.shift(timedelta(minutes=1))
    send_due()
    assert push.titles[-1] == "2 hours left for your move"
    assert legal(match)
