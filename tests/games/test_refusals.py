"""Every refusal of docs/http.md: sentence, status, and nothing stored."""

from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Move, Talk
from tests.games.playing import begin, legal, on_turn, play, play_to_the_end

pytestmark = pytest.mark.django_db

JSON = {"HTTP_ACCEPT": "application/json"}


@pytest.fixture
def match(alice, bob):
    return begin(alice, bob)


@pytest.fixture
def mover(match, browser_of):
    return browser_of(on_turn(match).user)


def send(browser, match, address="match-move", **fields):
    return browser.post(reverse(address, args=[match.code]), fields, **JSON)


def assert_refused(answer, status, reason):
    assert answer.status_code == status, answer.content
    body = answer.json()
    assert set(body) == {"error", "reason"}
    assert body["reason"] == reason
    assert body["error"].strip()


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"move": "6-4"},
        {"version": "0"},
        {"move": "", "version": "0"},
        {"move": "domino", "version": "0"},
        {"move": "4-6", "version": "0"},
        {"move": "6-4@Q", "version": "0"},
        {"move": "6-4" * 40, "version": "0"},
        {"move": "6-4\x00", "version": "0"},
        {"move": "time", "version": "0"},
        {"move": "takeover", "version": "0"},
        {"move": "6-4", "version": "-1"},
        {"move": "6-4", "version": "one"},
        {"move": "6-4", "version": "٣"},
        {"move": "6-4", "version": "9" * 40},
        {"move": "6-4", "version": "0", "claim": "many"},
        {"move": "6-4", "version": "0", "claim": "-5"},
        {"move": "6-4", "version": "0", "claim": "32768"},
        {"move": " draw", "version": "0"},
        {"move": "draw", "version": " 0"},
        {"move": "draw", "version": "0.0"},
    ],
)
def test_invalid_move_is_malformed(mover, match, fields):
    assert_refused(send(mover, match, **fields), 400, "malformed")
    assert not Move.objects.exists()


def test_spectator_is_not_seated(browser_of, match, charlie):
    assert_refused(send(browser_of(charlie), match, move=legal(match)[0], version=0), 403, "not_seated")
    assert_refused(send(browser_of(), match, move=legal(match)[0], version=0), 403, "not_seated")
    assert not Move.objects.exists()


def test_stale_version(mover, match):
    move = legal(match)[0]
    assert send(mover, match, move=move, version=0).status_code == 200
    assert_refused(send(mover, match, move=move, version=0), 409, "stale")
    assert Move.objects.count() == 1


def test_move_sent_again_is_no_refusal_on_the_page(mover, match):
    move = legal(match)[0]
    send(mover, match, move=move, version=0)
    url, htmx = f"/games/{match.code}/move", {"HX-Request": "true"}

    again = mover.post(url, {"move": move, "version": "0"}, headers=htmx)
    other = mover.post(url, {"move": "draw", "version": "0"}, headers=htmx)

    assert (again.status_code, other.status_code) == (409, 409)
    assert 'id="sync"' in again.text and 'id="refusal"' not in again.text
    assert "The match has moved on." in other.text


def test_not_your_turn(browser_of, match):
    other = match.seats.exclude(pk=on_turn(match).pk).get()
    assert_refused(send(browser_of(other.user), match, move="pass", version=0), 422, "not_your_turn")


def test_tile_not_held_and_end_not_matching(browser_of, match):
    assert_refused(send(browser_of(on_turn(match).user), match, move="draw", version=0), 422, "illegal")
    play(match)
    match.refresh_from_db()
    seat = on_turn(match)
    view = send(browser_of(seat.user), match, move="6-6@U", version=1)
    assert_refused(view, 422, "illegal")
    assert Move.objects.count() == 1


def test_finished_match(browser_of, match, alice):
    match = play_to_the_end(match)
    answer = send(browser_of(alice), match, move="pass", version=match.version)
    assert_refused(answer, 422, "over")


def test_muggins_without_open_points(mover, match):
    assert_refused(send(mover, match, move="muggins", version=0), 422, "illegal")


def test_order_of_refusals(browser_of, match, charlie):
    play(match)
    assert_refused(send(browser_of(charlie), match, move="nonsense", version=0), 400, "malformed")
    assert_refused(send(browser_of(charlie), match, move="pass", version=0), 403, "not_seated")


def test_unknown_code(mover):
    for address in ("match", "match-state", "match-record", "match-replay", "match-sync"):
        assert mover.get(reverse(address, args=["0" * 10])).status_code == 404
    assert (
        mover.post(reverse("match-move", args=["0" * 10]), {"move": "pass", "version": 0}).status_code == 404
    )


def test_missing_csrf_token(match, alice):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)
    address = reverse("match-move", args=[match.code])
    answer = strict.post(address, {"move": "pass", "version": 0}, headers={"accept": "application/json"})
    assert_refused(answer, 403, "csrf")
    assert "Load it again" in answer.json()["error"]
    assert not Move.objects.exists()


def test_move_requires_post(mover, match):
    assert mover.get(reverse("match-move", args=[match.code])).status_code == 405


def test_accepted_move_returns_new_state(mover, match):
    state = send(mover, match, move=legal(match)[0], version=0).json()
    assert state["version"] == 1
    assert state["layout"]


def test_move_without_scripts_redirects_to_page(mover, match):
    answer = mover.post(reverse("match-move", args=[match.code]), {"move": "draw", "version": 0})
    assert (answer.status_code, answer["Location"]) == (303, match.get_absolute_url())
    page = mover.get(answer["Location"])
    refused = send(mover, match, move="draw", version=0).json()["error"]
    assert refused in unescape(page.content.decode())


def test_record_of_running_match_is_not_found(mover, match):
    assert mover.get(reverse("match-record", args=[match.code])).status_code == 404


def test_talk_without_login_is_refused(browser_of, match):
    assert send(browser_of(), match, "match-say", text="hello").status_code == 422
    assert not Talk.objects.exists()
