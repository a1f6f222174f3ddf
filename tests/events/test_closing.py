"""Midnight: the round that has begun, the words, a late start; cancelled and replaced sets; streaks."""

from datetime import UTC, datetime, time, timedelta
from random import Random

import pytest
from django.utils import timezone

from boneyard.engine.presets import PRESETS
from boneyard.engine.shuffle import chain
from boneyard.engine.verification import verify
from events import services
from events.models import GRACE, DealSet, Entry, Outage
from events.programme import DailyGame, build_rules
from events.refusals import EventRefused
from events.streaks import count_streak
from games import repository
from games.models import SealedSecret
from tests.events.playing import (
    be_official,
    close,
    entry_of,
    open_today,
    play_rounds,
    play_turn,
    start,
    store_house,
)

pytestmark = pytest.mark.django_db


def set_closing(deals: DealSet, *, ago: timedelta) -> None:
    DealSet.objects.filter(pk=deals.pk).update(closes_at=timezone.now() - ago)
    deals.refresh_from_db()


def close_due(deals: DealSet) -> None:
    services.close_due(timezone.now())
    deals.refresh_from_db()


def test_round_that_has_begun_may_be_finished(alice):
    deals = open_today(rounds=4)
    store_house(deals)
    match = play_rounds(start(deals, alice), rounds=1)
    set_closing(deals, ago=timedelta(seconds=5))
    close_due(deals)
    match.refresh_from_db()
    assert match.playing and deals.get_state(timezone.now()) == "open"

    match = play_rounds(match, rounds=2)

    match.refresh_from_db()
    assert (match.playing, match.result_how, match.concealed) == (False, "time", True)
    assert len(entry_of(match).margins) == 2
    close_due(deals)
    match.refresh_from_db()
    assert deals.closed and not match.concealed
    assert verify(repository.build_record(match)).result.how == "time"


def test_ten_minutes_after_midnight_all_ends(alice):
    deals = open_today(rounds=4)
    match = play_turn(start(deals, alice), Random(1))
    set_closing(deals, ago=GRACE - timedelta(seconds=30))
    close_due(deals)
    assert not deals.closed

    set_closing(deals, ago=GRACE)
    close_due(deals)
    match.refresh_from_db()
    assert deals.closed and match.result_how == "time"


def test_close_waits_for_the_house(alice):
    deals = open_today(rounds=1)
    play_rounds(start(deals, alice))
    set_closing(deals, ago=timedelta(seconds=5))
    close_due(deals)
    assert not deals.closed

    store_house(deals)
    close_due(deals)
    assert deals.closed


def test_last_round_ends_as_always_after_midnight(alice):
    deals = open_today(rounds=2)
    match = play_rounds(start(deals, alice), rounds=1)
    set_closing(deals, ago=timedelta(seconds=5))
    match = play_rounds(match)

    assert match.result_how == "rounds" and entry_of(match).finished_at is not None


def test_pages_say_that_the_day_closed_and_not_that_a_clock_ran_out(alice, bob, browser_of):
    deals = open_today("dominican", 4, rounds=4)
    match = play_rounds(start(deals, alice), rounds=1)
    close(deals)
    match.refresh_from_db()
    address = match.get_absolute_url()

    browser = browser_of(alice)
    pages = [
        browser.get(address).text,
        browser.get(f"{address}replay/").text,
        browser.get(f"/daily/{deals.day}/").text,
    ]
    assert all("The day closed after 1 of 4 rounds" in page for page in pages)
    assert match.outcome == "the day closed"
    for page in (*pages, browser_of(bob).get(address).text):
        assert "ran out of time" not in page and "won on time" not in page


@pytest.mark.parametrize(("left", "is_said"), [(timedelta(minutes=50), True), (timedelta(hours=3), False)])
def test_match_page_tells_the_closing_time_in_the_last_hour(alice, browser_of, left, is_said):
    deals = open_today()
    match = start(deals, alice)
    DealSet.objects.update(closes_at=timezone.now() + left)

    tag = browser_of(alice).get(match.get_absolute_url()).text.partition('id="closing"')[2].partition(">")[0]

    assert tag and ("hidden" not in tag) == is_said


def test_late_start_asks_first(alice, browser_of):
    deals = open_today()
    DealSet.objects.update(closes_at=timezone.now() + timedelta(minutes=20))
    browser = browser_of(alice)

    page = browser.post("/daily/start")
    assert page.status_code == 200 and "about to close" in page.text and not Entry.objects.exists()
    assert browser.post("/daily/start", {"sure": "1"}).status_code == 303
    assert browser.post("/daily/start")["Location"] == Entry.objects.get(deals=deals).match.get_absolute_url()
    assert browser_of().post("/daily/start", headers={"accept": "application/json"}).json()["match"]


def test_cancelled_set_ends_without_results(alice, bob, browser_of):
    deals = open_today(rounds=2)
    done = play_rounds(start(deals, alice))
    half = play_rounds(start(deals, bob), rounds=1)
    services.cancel(deals, timezone.now())
    deals.refresh_from_db()

    for match in (done, half):
        match.refresh_from_db()
        assert not match.playing and not match.concealed
        verify(repository.build_record(match))
    assert half.result_how == "aborted"
    data = browser_of(alice).get(f"/daily/{deals.day}.json").json()
    assert (data["state"], data["results"], data["secrets"]) == ("cancelled", [], [])
    assert "was cancelled" in browser_of(alice).get("/daily/").text
    assert browser_of(alice).get(f"/daily/{deals.day}/1/").status_code == 404
    refused = browser_of(alice).post("/daily/start", headers={"accept": "application/json"})
    assert refused.status_code != 200 and Entry.objects.count() == 2
    with pytest.raises(EventRefused, match="closed"):
        services.cancel(deals, timezone.now())
    with pytest.raises(EventRefused, match="not_closed"):
        services.practise(deals, alice, timezone.now())
    assert not Entry.objects.filter(score__isnull=False).exists()


def announce_tomorrow() -> DealSet:
    return services.seal_day(timezone.now().date() + timedelta(days=1), timezone.now())


def test_next_set_is_replaced_under_a_new_seal():
    deals = announce_tomorrow()
    before = deals.seal
    services.replace(deals, DailyGame("muggins-200", 3), timezone.now())

    deals.refresh_from_db()
    assert (deals.preset, deals.seats, len(deals.figures)) == ("muggins-200", 3, 3)
    assert deals.seal != before and deals.get_state(timezone.now()) == "announced"
    assert SealedSecret.objects.filter(code=deals.name).count() == 2  # both stand in the chain
    secret = bytes.fromhex(repository.get_sealed_secret(deals.name).secret)
    assert chain(secret).seal == deals.seal
    with pytest.raises(EventRefused, match="opened"):
        services.replace(open_today(), DailyGame("block", 2), timezone.now())


def test_cancelled_set_is_announced_again_by_a_replacement():
    deals = announce_tomorrow()
    services.cancel(deals, timezone.now())
    deals.refresh_from_db()
    assert deals.get_state(timezone.now()) == "cancelled"
    services.replace(deals, DailyGame("block", 2), timezone.now())

    deals.refresh_from_db()
    assert deals.get_state(timezone.now()) == "announced" and not deals.closed


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_a_days_deal(preset):
    rules = build_rules(preset)

    assert (rules.rounds, rules.target, rules.past_target) == (8, None, "award")


def midnight(day) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)


@pytest.fixture
def streak(alice):
    """Let alice play today and the day before yesterday; return today."""
    today = open_today(rounds=1).day
    for days in (0, 1, 2):
        deals = services.seal_day(today - timedelta(days=days), timezone.now())
        if days != 1:
            entry = services.start(deals, alice, deals.opens_at)
            Entry.objects.filter(pk=entry.pk).update(finished_at=timezone.now())
    return today


def test_streak_ends_with_a_day_not_played(alice, streak):
    assert count_streak(alice.pk, streak) == 1
    assert count_streak(alice.pk, streak + timedelta(days=1)) == 1


def test_day_on_which_the_site_was_down_ends_no_streak(alice, streak):
    noon = midnight(streak - timedelta(days=1)) + timedelta(hours=12)
    services.record_outage(noon, noon + timedelta(minutes=50))
    assert count_streak(alice.pk, streak) == 1
    services.record_outage(noon + timedelta(hours=2), noon + timedelta(hours=2, minutes=11))
    assert count_streak(alice.pk, streak) == 2


def test_outage_over_midnight_counts_for_the_day_that_it_took(alice, streak):
    begun = midnight(streak - timedelta(days=1)) - timedelta(hours=3)
    services.record_outage(begun, begun + timedelta(hours=3, minutes=59))
    assert count_streak(alice.pk, streak) == 1
    services.record_outage(midnight(streak) - timedelta(minutes=2), midnight(streak) + timedelta(hours=2))
    assert count_streak(alice.pk, streak) == 2


@pytest.mark.parametrize("change", ["cancelled", "deleted"])
def test_cancelled_or_missing_day_ends_no_streak(alice, streak, change):
    days = DealSet.objects.filter(day=streak - timedelta(days=1))
    if change == "cancelled":
        days.update(cancelled_at=timezone.now())
    else:
        days.delete()
    assert count_streak(alice.pk, streak) == 2


def test_restart_is_no_outage():
    now = timezone.now()
    services.record_outage(now - timedelta(seconds=40), now)
    services.record_outage(now, now - timedelta(hours=3))  # the clock was set back
    assert not Outage.objects.exists()


def test_gap_between_heartbeats_is_recorded(db):
    from games.models import Heartbeat
    from games.time import outages

    Heartbeat.objects.create(pk=Heartbeat.OF_TIME, at=timezone.now() - timedelta(hours=2))
    outages.compensate()
    assert Outage.objects.count() == 1


def test_closed_sets_of_an_earlier_release_are_scored_again(alice):
    deals = open_today(rounds=1)
    match = play_rounds(start(deals, alice))
    store_house(deals, margin=1_000)
    be_official(alice)
    close(deals)
    DealSet.objects.update(scoring=0)
    Entry.objects.update(score=77.0)

    services.score_again()
    services.score_again()

    assert entry_of(match).score == 0.0 and not DealSet.objects.filter(scoring=0).exists()
