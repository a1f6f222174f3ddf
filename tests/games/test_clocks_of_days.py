"""Clocks of days: a time for each move, a bank, vacations, forced moves; nobody is away."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import Rating
from games import repository, services
from games.models import Match, Vacation
from games.referee import process_due_matches
from games.services import MoveRefused, absence, connections, turns
from games.time import outages
from games.time.clocks import describe_clock, format_clock
from games.time.day_clocks import DAY_SECONDS
from lobbies import strip
from tests.games.playing import begin, legal, on_turn, play, play_and_resign, under_way
from tests.times import later

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
THREE_DAYS = (3 * DAY_SECONDS, 0)


@pytest.fixture(autouse=True)
def new_year():
    """Freeze the clock early in a year, so that no vacation of the test reaches into another one."""
    with time_machine.travel(datetime(2027, 3, 1, 12, tzinfo=UTC), tick=False):
        yield


@pytest.fixture
def match(alice, bob):
    return begin(alice, bob, rated=True, clock=THREE_DAYS)


def play_later(match: Match, wait: timedelta) -> int:
    """Play for the seat on turn after this wait; return the days on its clock afterwards, rounded down."""
    seat = on_turn(match)
    with time_machine.travel(match.turn_began_at + wait, tick=False):
        play(match, next(move for move in legal(match) if move not in ("draw", "pass")))
    seat.refresh_from_db()
    return timedelta(milliseconds=seat.clock_ms) // DAY


def run_referee(match: Match, moment: datetime) -> Match:
    with time_machine.travel(moment, tick=False):
        process_due_matches()
    match.refresh_from_db()
    return match


def read_state(match: Match, browser) -> dict:
    return browser.get(f"/games/{match.code}/state.json").json()


def test_first_turn_has_the_time_of_any_turn(match, browser_of, alice):
    state = read_state(match, browser_of(alice))
    assert [seat["clock"] for seat in state["seats"]] == [6 * DAY_SECONDS] * 2
    assert match.next_action_at == match.started_at + 6 * DAY
    assert state["deadline"] == repository.format_utc(match.next_action_at)


@pytest.mark.parametrize(("wait", "left"), [(2, 6), (3, 6), (4, 5), (5, 4)])
def test_bank_pays_only_what_exceeds_the_time_of_a_move(match, wait, left):
    assert play_later(match, wait * DAY) == left


def test_match_is_called_off_if_nobody_has_moved(match, browser_of):
    slow = on_turn(match).user
    run_referee(match, match.started_at + 6 * DAY - timedelta(seconds=1))
    assert match.playing
    run_referee(match, match.started_at + 6 * DAY + timedelta(seconds=1))
    assert match.result_how == "aborted"
    page = browser_of(slow).get(match.get_absolute_url()).content.decode()
    assert "Your time for the first turn ran out." in page


def test_clock_that_runs_out_loses(match):
    match = under_way(match)
    loser = on_turn(match)
    run_referee(match, match.turn_began_at + 7 * DAY)
    assert (match.result_how, loser.position in match.winners) == ("time", False)
    assert Rating.objects.get(user=loser.user).pool == "muggins-days"


def test_result_says_how_many_days_the_match_lasted(match, browser_of):
    match = under_way(match)
    person = on_turn(match).user
    match = run_referee(match, match.turn_began_at + 7 * DAY)
    page = browser_of(person).get(f"/games/{match.code}/").content.decode()
    assert "1 round, 6 days." in page


def test_nothing_ends_the_match_before_its_clock(match):
    match = under_way(match)
    with later(days=5):
        services.end_abandoned(match)
        assert not absence.find_abandoned(Match.objects.all(), timezone.now()).exists()
        match.refresh_from_db()
    assert match.playing


def test_nobody_can_claim_or_prod(match, alice, bob):
    match = under_way(match)
    other = match.seats.exclude(pk=on_turn(match).pk).get()
    with later(hours=12):
        with pytest.raises(MoveRefused) as claimed:
            services.answer_absence(match=match, seat=other, take="win")
        with pytest.raises(MoveRefused) as prodded:
            services.prod(match=match, seat=other)
    assert (claimed.value.code, prodded.value.code) == ("own_pace", "no_need_to_prod")


def test_page_calls_nobody_away(match, browser_of, alice):
    match = under_way(match)
    with later(hours=12):
        page = browser_of(alice).get(f"/games/{match.code}/").content.decode()
    assert "is-away" not in page and "Ask " not in page
    assert "3 days a move, and 3 days in the bank" in page
    assert "5 d 12 h" in page


def test_first_waits_say_that_the_page_may_be_closed(match, browser_of, charlie):
    play(match)
    turn = on_turn(match)
    mover, waiting = turn.user, match.seats.exclude(pk=turn.pk).get().user
    says = {who: says_that_one_may_leave(match, browser_of(who)) for who in (mover, waiting, charlie)}
    assert says == {mover: False, waiting: True, charlie: False}
    while match.version < 6:
        play(match)
    assert not any(says_that_one_may_leave(match, browser_of(who)) for who in (mover, waiting))


def test_live_match_asks_nobody_to_close_the_page(alice, bob, browser_of):
    match = begin(alice, bob, clock=(300, 5))
    assert not any(says_that_one_may_leave(match, browser_of(who)) for who in (alice, bob))


def says_that_one_may_leave(match: Match, browser) -> bool:
    return "You may close this page" in browser.get(match.get_absolute_url()).content.decode()


def test_days_count_as_slow_for_nobody(match):
    seat = on_turn(match)
    play_later(match, 5 * DAY)
    seat.refresh_from_db()
    assert seat.slow_turns == 0


def test_pools_are_apart_from_those_of_live_matches(alice, bob, charlie):
    play_and_resign(begin(alice, bob, rated=True, clock=(300, 5)))
    play_and_resign(begin(alice, bob, rated=True, clock=THREE_DAYS))
    pools = Rating.objects.filter(user=alice).order_by("pool").values_list("pool", "matches")
    assert list(pools) == [("muggins", 1), ("muggins-days", 1)]
    assert begin(alice, bob, charlie, clock=THREE_DAYS).pool == "muggins-free-days"


def test_leaderboard_of_days(alice, bob, browser_of):
    play_and_resign(begin(alice, bob, rated=True, clock=THREE_DAYS))
    board = browser_of(alice).get("/leaderboard/muggins-days/").content.decode()
    assert "All Fives, days a move" in board and "bob" in board
    index = browser_of(alice).get("/leaderboard/").content.decode()
    assert "/leaderboard/muggins-days/" in index and "/leaderboard/draw-days/" not in index


@pytest.mark.parametrize("preset", ["draw", "block"])
def test_forced_draws_and_passes_are_played_at_once(alice, bob, preset):
    """Play whole rounds: nobody is ever left with a draw or a pass alone."""
    match = begin(alice, bob, preset=preset, clock=THREE_DAYS)
    for _ in range(60):
        assert legal(match) not in (["draw"], ["pass"])
        match = play(match)
        if not match.playing:
            break
        match.refresh_from_db()
    kinds = set(match.moves.values_list("text", flat=True)) & {"draw", "pass"}
    assert kinds, "some were forced"
    forced = match.moves.filter(text__in=kinds).first()
    assert forced.at == match.moves.get(number=forced.number - 1).at


def test_live_match_waits_for_the_player_to_draw(alice, bob):
    match = begin(alice, bob, preset="draw", clock=(300, 5))
    found = False
    for _ in range(60):
        found |= legal(match) in (["draw"], ["pass"])
        match = play(match)
        if not match.playing or found:
            break
    assert found


# Vacations


def test_vacation_stops_the_clock_on_ones_own_turn(match):
    match = under_way(match)
    seat = on_turn(match)
    with time_machine.travel(match.turn_began_at + 2 * DAY, tick=False):
        assert services.begin_vacation(seat.user)
    with time_machine.travel(match.turn_began_at + 9 * DAY, tick=False):
        process_due_matches()
        services.end_vacation(seat.user)
    match.refresh_from_db()
    assert match.playing
    began_at = match.turn_began_at
    assert match.next_action_at == began_at + 4 * DAY, "two days of the six had passed before"
    assert play_later(match, timedelta(hours=12)) == 6, "two and a half days are less than those of a move"


def test_vacation_ends_by_itself(match):
    match = under_way(match)
    seat = on_turn(match)
    services.begin_vacation(seat.user)
    run_referee(match, timezone.now() + 19 * DAY)
    assert match.playing and match.next_action_at == timezone.now() + 20 * DAY
    run_referee(match, timezone.now() + 21 * DAY)
    assert match.result_how == "time"


def test_turn_that_comes_during_a_vacation_waits(match, browser_of):
    match = under_way(match)
    resting = match.seats.exclude(pk=on_turn(match).pk).get()
    services.begin_vacation(resting.user)
    while match.playing and on_turn(match).pk != resting.pk:
        match = play(match)
    assert match.turn_began_at == Vacation.objects.get().ends_at
    opponent = match.seats.exclude(pk=resting.pk).get()
    state = read_state(match, browser_of(opponent.user))
    assert (state["turn"], state["deadline"]) == (resting.position, None)
    page = browser_of(opponent.user).get(f"/games/{match.code}/").content.decode()
    assert "on vacation until 15 Mar" in page and "15 March" not in page


def test_vacation_is_on_the_front_page_and_in_the_strip(match, browser_of):
    resting, other = on_turn(match).user, match.seats.exclude(pk=on_turn(match).pk).get().user
    services.begin_vacation(resting)
    assert "on vacation until 15 Mar" in browser_of(other).get("/").content.decode()
    mine = browser_of(resting).get("/").content.decode()
    assert '<b>Your turn</b><span class="vacation">, on vacation until 15 Mar</span>' in mine
    mine = browser_of(resting).get("/", headers={"Accept-Language": "ru"}).content.decode()
    assert "в отпуске до 15 мар" in mine


def test_playing_on_vacation_costs_what_was_taken_before(match):
    match = under_way(match)
    seat = on_turn(match)
    with time_machine.travel(match.turn_began_at + 5 * DAY, tick=False):
        services.begin_vacation(seat.user)
        match.refresh_from_db()
        play(match, next(move for move in legal(match) if move not in ("draw", "pass")))
    seat.refresh_from_db()
    assert timedelta(milliseconds=seat.clock_ms) == 4 * DAY


def test_vacations_of_a_year_are_limited(alice):
    services.begin_vacation(alice)
    with later(days=10):
        services.end_vacation(alice)
    with later(days=30):
        services.begin_vacation(alice)
    with later(days=40):
        assert not services.begin_vacation(alice), "10 + 4 days are over"
    with later(days=310):
        assert services.begin_vacation(alice), "in the next year"


def test_vacation_does_not_stop_live_clocks(alice, bob):
    match = under_way(begin(alice, bob, rated=True, clock=(60, 5)))
    services.begin_vacation(on_turn(match).user)
    run_referee(match, timezone.now() + timedelta(minutes=5))
    assert match.result_how == "time"


def test_vacation_form(browser_of, alice, client):
    browser = browser_of(alice)
    assert "14 days are left this year" in browser.get("/preferences/").content.decode()
    assert browser.post("/vacation/", {"on": "1"}).status_code == 303
    page = browser.get("/preferences/").content.decode()
    assert "You are on vacation, until 15 March at the latest." in page
    assert "You are on vacation" in browser.get("/").content.decode()
    browser.post("/vacation/", {"on": "0"})
    assert not Vacation.objects.at(timezone.now()).exists()
    assert client.post("/vacation/", {"on": "1"}).status_code == 302


# Outages and time changes


def test_outage_of_the_site_gives_its_time_back(match):
    match = under_way(match)
    outages.record_beat()
    due = match.next_action_at
    with later(days=2):
        outages.clear_cache()
        outages.record_beat()
        match.refresh_from_db()
        assert match.next_action_at == due + 2 * DAY


# What other pages say


def test_all_pages_of_both_people_are_notified_of_a_turn(match, monkeypatch):
    notified = []
    monkeypatch.setattr(turns, "broadcast_page_changed", lambda group, topic: notified.append((group, topic)))
    before = on_turn(match).user_id
    play(match)
    assert {(f"user.{key}", "mine") for key in (before, on_turn(match).user_id)} <= set(notified)


def test_presence_elsewhere_is_not_recorded(match, alice):
    state = strip.update(alice, "channel", "")
    assert state.groups == frozenset()
    assert not match.connections.exists()
    connections.record_close(channel="channel", clean=True)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(86_400, "1 d 0 h"), (2 * 86_400 + 5 * 3600 + 59, "2 d 5 h"), (86_399, "23:59:59")],
)
def test_clock_from_a_day_on_is_in_days_and_hours(seconds, text):
    assert format_clock(seconds) == text


def test_clock_in_words():
    assert describe_clock((86_400, 0)) == "1 day a move, and 3 days in the bank"


def test_other_pages_of_both_learn_of_the_end_and_of_a_vacation(match, monkeypatch):
    told: list[str] = []
    monkeypatch.setattr(turns, "broadcast_page_changed", lambda group, _topic: told.append(group))
    first = on_turn(match)
    groups = {f"user.{seat.user_id}" for seat in match.seats.all()}
    services.begin_vacation(first.user)
    services.end_vacation(first.user)
    assert told == [f"user.{first.user_id}"] * 2
    match = play(match, next(move for move in legal(match) if move not in ("draw", "pass")))
    told.clear()
    play(match, "resign")
    assert set(told) == groups
