"""Hints: only for the seat on turn in a casual match against computers."""

import pytest
from django.test import Client

from games import repository, services
from games.engine.perspective import perspective
from study.grading.decisions import recommend_move
from tests.games.playing import begin, legal, on_turn, play

pytestmark = pytest.mark.django_db

JSON = {"HTTP_ACCEPT": "application/json"}


def against_the_computer(alice):
    """Return a match with Alice on turn at seat 0."""
    match = begin(alice, "casual")
    while on_turn(match).position:
        move = repository.get_value(match).legal(1)[0]
        services.play_for_computer(match=match, seat=1, move=move, claim=None, seen_version=match.version)
    return match


def request_hint(client: Client, match, **headers):
    return client.post(f"/games/{match.code}/hint", **headers)


def test_hint_is_best_move_of_view(alice, browser_of):
    match = against_the_computer(alice)
    response = request_hint(browser_of(alice), match, **JSON)
    assert response.status_code == 200
    assert set(response.json()) == {"move", "claim"}
    assert response.json()["move"] in legal(match)
    view = perspective(repository.get_value(match), 0)
    assert response.json()["move"] == str(recommend_move(view)[0])


def test_hint_without_htmx_is_a_message(alice, browser_of):
    match = against_the_computer(alice)
    client = browser_of(alice)
    response = request_hint(client, match)
    assert (response.status_code, response.url) == (303, f"/games/{match.code}/")
    assert "Hint: " in client.get(response.url).content.decode()


def test_hint_button_and_htmx_fragment(alice, bob, browser_of):
    match = against_the_computer(alice)
    client = browser_of(alice)
    assert f"/games/{match.code}/hint" in client.get(f"/games/{match.code}/").content.decode()
    assert f"/games/{match.code}/hint" not in browser_of(bob).get(f"/games/{match.code}/").content.decode()
    response = request_hint(client, match, headers={"HX-Request": "true"}).content.decode()
    assert response.startswith('<p id="refusal" role="status" hx-swap-oob="morph">Hint: ')
    people = begin(alice, bob, "casual")
    assert "/hint" not in client.get(f"/games/{people.code}/").content.decode()


def test_no_hint_against_people(alice, bob, browser_of):
    match = begin(alice, bob, "casual")
    client = browser_of(on_turn(match).user or alice)
    refused = request_hint(client, match, **JSON)
    assert (refused.status_code, refused.json()["reason"]) == (422, "people")


def test_no_hint_without_seat(alice, bob, browser_of):
    match = against_the_computer(alice)
    assert request_hint(browser_of(bob), match, **JSON).json()["reason"] == "not_seated"
    assert request_hint(Client(), match, **JSON).status_code == 403


def test_no_hint_after_end(alice, browser_of):
    match = against_the_computer(alice)
    client = browser_of(alice)
    match = play(match, "resign")
    assert request_hint(client, match, **JSON).json()["reason"] == "over"
