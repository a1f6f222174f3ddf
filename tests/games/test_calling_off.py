"""Aborting a rated match after seeing the hand: free twice a day, then it costs the match."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Rating
from games import services
from games.models import Move
from games.services import connections, rerating
from tests.games.playing import begin, on_turn, play, play_to_the_end

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

LOOKS = ["/games/{}/", "/games/{}/state.json", "/games/{}/sync"]
JSON = {"HTTP_ACCEPT": "application/json"}
FRAGMENTS = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture(autouse=True)
def noon():
    """Start at noon: the free aborts are counted by UTC day, and the tests take minutes."""
    with time_machine.travel(timezone.now().replace(hour=12)):
        yield


def call_off(browser, match, look=LOOKS[0], move="abort"):
    if look:
        browser.get(look.format(match.code))
    browser.post(f"/games/{match.code}/move", {"move": move, "version": match.version})
    match.refresh_from_db()
    return match.result_how


@pytest.mark.parametrize("look", LOOKS)
def test_third_abort_of_a_day_is_a_rated_resignation(alice, bob, browser_of, look):
    browser = browser_of(alice)
    matches = [begin(alice, bob, rated=True, seed=f"{number}") for number in range(4)]

    ended = [call_off(browser, match, look) for match in matches]

    assert ended == ["aborted", "aborted", "resigned", "resigned"]
    assert [match.rating_order is not None for match in matches] == [False, False, True, True]
    assert matches[2].moves.get().text == "resign"
    assert Rating.objects.get(user=alice).value < 1500 < Rating.objects.get(user=bob).value
    assert Rating.objects.get(user=alice).finished == [False, False], "two since the first rated match"
    assert rerating.recompute() == []


def test_abort_at_any_version_counts_too(alice, bob, browser_of):
    browser = browser_of(alice)
    ended = []
    for number in range(3):
        match = begin(alice, bob, rated=True, seed=f"{number}")
        browser.get(match.get_absolute_url())
        browser.post(f"/games/{match.code}/move?version=any", {"move": "abort", "version": "99"})
        match.refresh_from_db()
        ended.append(match.result_how)

    assert ended == ["aborted", "aborted", "resigned"]
    assert Rating.objects.get(user=alice).value < 1500 < Rating.objects.get(user=bob).value


def test_page_warns_before_third_abort(alice, bob, browser_of):
    browser = browser_of(alice)
    for number in range(2):
        page = browser.get(begin(alice, bob, rated=True, seed="fresh").get_absolute_url()).content.decode()
        assert "it counts as resigning" not in page
        call_off(browser, begin(alice, bob, rated=True, seed=f"{number}"))

    page = browser.get(begin(alice, bob, rated=True).get_absolute_url()).content.decode()

    assert "it counts as resigning" in page


def test_abort_without_a_look_at_the_hand_has_the_same_limit(alice, bob, browser_of):
    """A friend or a spectator's page may have told what the player did not look at."""
    ended = [
        call_off(browser_of(alice), begin(alice, bob, rated=True, seed=f"{n}"), look="") for n in range(3)
    ]

    assert ended == ["aborted", "aborted", "resigned"]


def test_third_first_turn_of_a_day_that_runs_out_is_a_loss(alice, bob):
    """Who does not come may have looked at the match as a spectator."""
    begun = [begin(alice, bob, rated=True, seed=f"{n}", clock=(300, 5)) for n in range(12)]
    ended = []
    for match in [match for match in begun if on_turn(match).user == alice][:3]:
        with time_machine.travel(timezone.now() + timedelta(seconds=46), tick=False):
            services.advance(match, timezone.now())
        match.refresh_from_db()
        ended.append(match.result_how)
    assert ended == ["aborted", "aborted", "resigned"]


@pytest.mark.parametrize(
    ("form", "sent", "kind"),
    [
        ("continue", {}, JSON),
        ("continue", {}, FRAGMENTS),
        ("move", {"move": "pass", "version": 0}, FRAGMENTS),
        ("say", {"text": "hello"}, FRAGMENTS),
    ],
)
def test_form_answer_counts_as_seeing_the_hand(alice, bob, browser_of, form, sent, kind):
    browser = browser_of(alice)
    matches = [begin(alice, bob, rated=True, seed=f"{number}") for number in range(3)]

    for match in matches:
        browser.post(f"/games/{match.code}/{form}", sent, **kind)

    assert [call_off(browser, match, look="") for match in matches] == ["aborted", "aborted", "resigned"]


def test_early_resignation_counts_as_abort(alice, bob, browser_of):
    browser = browser_of(alice)
    matches = [begin(alice, bob, rated=True, seed=f"{number}") for number in range(4)]

    ended = [
        call_off(browser, match, move=move)
        for match, move in zip(matches, ["resign", "abort"] * 2, strict=True)
    ]

    assert ended == ["resigned", "aborted", "resigned", "resigned"]
    assert [match.rating_order is not None for match in matches] == [False, False, True, True]
    assert rerating.recompute() == []


def test_early_claim_against_absent_player_counts_as_abort(alice, bob, browser_of):
    browser = browser_of(alice)
    for number in range(2):
        call_off(browser, begin(alice, bob, rated=True, seed=f"{number}"))
    match = begin(alice, bob, rated=True, clock=(60, 0))
    browser.get(match.get_absolute_url())
    assert on_turn(match).user == alice

    connections.record_elsewhere(channel="page", seats=[on_turn(match)])
    connections.record_close(channel="page", clean=True)
    with time_machine.travel(timezone.now() + timedelta(seconds=25), tick=False):
        services.answer_absence(match=match, seat=match.seats.get(user=bob), take="win")

    match.refresh_from_db()
    assert (match.result_how, match.rating_order is not None) == ("left", True)


def test_abort_lowers_completion(alice, bob, browser_of):
    browser = browser_of(alice)
    play_to_the_end(begin(alice, bob, rated=True, seed="played"))
    assert Rating.objects.get(user=alice).finished == [True]

    call_off(browser, begin(alice, bob, rated=True, seed="unseen"), look="")
    assert Rating.objects.get(user=alice).finished == [True]
    call_off(browser, begin(alice, bob, rated=True, seed="seen"))
    assert Rating.objects.get(user=alice).finished == [False, True]
    assert Rating.objects.get(user=bob).finished == [True]

    assert rerating.recompute() == []
    Rating.objects.filter(user=alice).update(matches=9, completed=(1 << 9) - 1, called_off=[9])
    assert begin(alice, bob, rated=True, seed="next").seats.get(user=alice).completion == 90


@pytest.mark.parametrize("is_seen", [True, False])
def test_match_not_started_in_time_lowers_completion(alice, bob, is_seen):
    play_to_the_end(begin(alice, bob, rated=True, seed="played"))
    match = begin(alice, bob, rated=True, clock=(300, 5))
    seat = on_turn(match)
    if is_seen:
        connections.record_hand_sent(seat)
    with time_machine.travel(timezone.now() + timedelta(seconds=50), tick=False):
        services.advance(match, timezone.now())
    match.refresh_from_db()
    assert match.result_how == "aborted"
    assert Rating.objects.get(user=seat.user).finished == [False, True]


@pytest.mark.parametrize("is_away", [True, False])
def test_clock_run_out_at_the_page_is_a_finish(alice, bob, is_away):
    match = play(play(begin(alice, bob, rated=True, clock=(60, 5))))
    while match.moves.exclude(text="draw").values("seat").distinct().count() < 2:
        match = play(match)
    slow = on_turn(match)
    with time_machine.travel(timezone.now() + timedelta(seconds=200), tick=False):
        if not is_away:
            connections.record_open(match=match, seat=slow, channel="page")
        services.advance(match, timezone.now())
    match.refresh_from_db()
    assert match.result_how == "time"
    assert Rating.objects.get(user=slow.user).finished == [not is_away]
    assert rerating.recompute() == []


def test_resignation_of_two_is_a_finish(alice, bob):
    match = play(play(begin(alice, bob, rated=True)))
    while match.moves.exclude(text="draw").values("seat").distinct().count() < 2:
        match = play(match)
    seat = on_turn(match)
    play(match, "resign")
    assert Rating.objects.get(user=seat.user).finished == [True]


def test_abort_expires_from_completion():
    rating = Rating(matches=31, completed=(1 << 30) - 1, called_off=[1, 2])
    assert rating.completion == 97
    rating.matches = 32
    assert rating.completion == 100


def test_aborts_are_among_the_last_thirty():
    rating = Rating(matches=40, completed=(1 << 30) - 1, called_off=[*range(31, 41)])
    assert (rating.finished.count(False), len(rating.finished)) == (10, 30)


def test_completion_is_known_from_ten_matches_on():
    assert Rating(matches=8, completed=(1 << 8) - 1, called_off=[8]).completion is None
    assert Rating(matches=9, completed=(1 << 9) - 1, called_off=[9]).completion == 90


def test_casual_foreign_and_earlier_aborts_do_not_count(alice, bob, charlie, browser_of):
    browser = browser_of(alice)
    for number in range(3):
        call_off(browser, begin(alice, bob, seed=f"casual {number}"))
        call_off(browser_of(charlie), begin(bob, charlie, rated=True, seed=f"other {number}"))
    call_off(browser, begin(alice, bob, rated=True, seed="yesterday"))
    call_off(browser, begin(alice, bob, rated=True, seed="yesterday too"))
    Move.objects.update(at=timezone.now() - timedelta(days=1))

    assert call_off(browser, begin(alice, bob, rated=True)) == "aborted"


def test_abort_after_first_play_is_refused(alice, bob, browser_of):
    for number in range(2):
        call_off(browser_of(alice), begin(alice, bob, rated=True, seed=f"{number}"))
    match = play(begin(alice, bob, rated=True))
    mover = match.moves.get().seat

    call_off(browser_of([alice, bob][mover]), match)

    assert match.playing


def test_others_play_on_after_abort_at_table_of_three(alice, bob, charlie, browser_of):
    browser = browser_of(alice)
    for number in range(2):
        call_off(browser, begin(alice, bob, rated=True, seed=f"{number}"))
    match = begin(alice, bob, charlie, preset="draw", rated=True)

    call_off(browser, match)
    assert match.playing
    play_to_the_end(match)

    match.refresh_from_db()
    assert match.rating_order is not None
    assert Rating.objects.get(user=alice, pool=match.pool).value < 1500
