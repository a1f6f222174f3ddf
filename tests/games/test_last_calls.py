"""The pause in which the play that ends a round can be called (`call_last`)."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from accounts.pauses import Pauses
from games import referee, repository, services
from games.models import Match
from games.services import MoveRefused
from games.table.state_json import build_state
from tests.games.playing import begin, play

ONE_EACH = {"2": 1, "3": 1, "4": 1}
# The leader lays its only tile: the round is over with it.
GAME = {"preset": "muggins-200", "hand_size": ONE_EACH}


def in_pause(*people, scoring=True, leader=None, **about) -> Match:
    """Return a match whose first lead, worth points or not, by this seat or any, has just ended the round."""
    for number in range(60):
        match = begin(*people, seed=f"last call {number}", **(GAME | about))
        value = repository.get_value(match)
        (lead,) = value.legal(value.turn)
        if leader in (None, value.turn) and bool(value.terms.points[value.round.pips[value.turn]]) == scoring:
            return play(match, str(lead))
    raise AssertionError("no such lead")


def expire(match: Match) -> None:
    past = timezone.now() - timedelta(seconds=0.1)
    Match.objects.filter(pk=match.pk).update(wait_until=past, next_action_at=past)
    match.refresh_from_db()


def value_of(match: Match):
    match.refresh_from_db()
    return repository.get_value(match)


@pytest.mark.parametrize("scoring", [True, False])
@pytest.mark.parametrize("seconds", [2, 8])
def test_pause_follows_whatever_the_play_is_worth(alice, bob, scoring, seconds):
    match = in_pause(alice, bob, scoring=scoring, pauses=Pauses(call=seconds))
    left = match.wait_until - timezone.now()
    assert timedelta(seconds=max(4, seconds) - 1) < left <= timedelta(seconds=max(4, seconds))
    assert match.next_action_at == match.wait_until
    value = value_of(match)
    assert value.turn is None and value.result is None and not value.ended


def test_state_json_names_no_end_before_the_pause_is_over(alice, bob):
    match = in_pause(alice, bob)
    told = build_state(match, None, timezone.now())["wait_until"]
    assert told is not None
    assert timedelta(0) <= datetime.fromisoformat(told) - match.wait_until < timedelta(seconds=1)


def test_state_json_shows_the_pause_and_hides_the_rest(alice, bob):
    match = in_pause(alice, bob)
    for seat in [*match.seats.all(), None]:
        state = build_state(match, seat, timezone.now())
        assert (state["turn"], state["last_round"], state["legal"]) == (None, None, [])
        assert state["wait_until"] and state["count"] is None and state["open_points"] is None
        assert sum(row["tiles"] for row in state["seats"]) == 1


def test_referee_closes_the_round_when_the_pause_is_over(alice, bob):
    match = in_pause(alice, bob)
    services.advance(match, timezone.now())
    assert not value_of(match).ended, "not before"
    expire(match)
    referee.process_match(match, timezone.now())
    value = value_of(match)
    assert str(value.ended[0].log[-1].move) == "close" and value.ended[0].end.how == "out"
    assert value.turn is not None and match.wait_until is None
    assert match.moves.last().text == "close"


def test_page_closes_it_without_a_referee(alice, bob, browser_of):
    match = in_pause(alice, bob)
    expire(match)
    browser_of(alice).get(f"/games/{match.code}/")
    assert value_of(match).ended


@pytest.mark.parametrize("who", [0, 1])
def test_close_from_outside_is_malformed(alice, bob, browser_of, who):
    match = in_pause(alice, bob)
    answer = browser_of((alice, bob)[who]).post(
        f"/games/{match.code}/move",
        {"move": "close", "version": match.version},
        headers={"Accept": "application/json"},
    )
    assert (answer.status_code, answer.json()["reason"]) == (400, "malformed")
    assert not value_of(match).ended


@pytest.mark.parametrize("move", ["6-6", "draw", "pass"])
def test_nobody_is_on_turn_in_the_pause(alice, bob, move):
    match = in_pause(alice, bob)
    for seat in match.seats.all():
        with pytest.raises(MoveRefused) as refusal:
            services.play(match=match, seat=seat, move=move, seen_version=match.version)
        assert refusal.value.reason == "not_your_turn"


def test_call_ends_the_round_at_once(alice, bob):
    match = in_pause(alice, bob)
    layer = value_of(match).round.closer
    caller, own = match.seats.get(position=1 - layer), match.seats.get(position=layer)
    with pytest.raises(MoveRefused):
        services.play(match=match, seat=own, move="muggins", seen_version=match.version)
    match = services.play(match=match, seat=caller, move="muggins", seen_version=match.version)
    value = value_of(match)
    assert value.ended[0].end.how == "out" and value.scores[1 - layer] > 0
    assert match.wait_until is None, "the next round may be led at once"


def test_claimed_points_leave_a_pause_too(alice, bob):
    for number in range(60):
        match = begin(alice, bob, seed=f"claimed {number}", **GAME)
        value = repository.get_value(match)
        if worth := value.terms.points[value.round.pips[value.turn]]:
            break
    match = play(match, claim=worth)
    assert value_of(match).turn is None and max(value_of(match).scores) == worth


def test_computer_calls_in_the_pause(alice):
    match = in_pause(alice, "master", leader=0)
    assert match.next_action_at < match.wait_until
    task = referee.process_match(match, timezone.now())
    assert task is not None
    _match, views, is_call = task
    assert is_call and [seat for seat, *_ in views] == [1]
    services.decline_call(match, match.version)
    match.refresh_from_db()
    assert match.next_action_at == match.wait_until


def test_pause_goes_on_when_a_seat_leaves(alice, bob, charlie):
    match = in_pause(alice, bob, charlie)
    value = value_of(match)
    layer = value.round.closer
    seats = list(match.seats.all())
    match = services.play(match=match, seat=seats[layer], move="resign", seen_version=match.version)
    value = value_of(match)
    assert value.turn is None and value.closing_seat == (layer + 1) % 3
    expire(match)
    services.advance(match, timezone.now())
    assert value_of(match).ended[0].end.winner is None


def test_nobody_is_prodded_or_claimed_against_in_the_pause(alice, bob, browser_of):
    match = in_pause(alice, bob)
    for action in ("prod", "absent"):
        answer = browser_of(alice).post(
            f"/games/{match.code}/{action}", {"take": "win"}, headers={"Accept": "application/json"}
        )
        assert answer.status_code == 422


def test_page_asks_for_calls(alice, bob, browser_of):
    match = in_pause(alice, bob, scoring=False)
    for user in (alice, bob):
        page = browser_of(user).get(f"/games/{match.code}/").content.decode()
        assert "<b>Any calls?</b>" in page
        assert f'data-until="{match.wait_until.isoformat()}"' in page
    expire(match)
    services.advance(match, timezone.now())
    assert "<b>Any calls?</b>" not in browser_of(alice).get(f"/games/{match.code}/").content.decode()
