"""A hint: for whoever is on turn in a casual match against computers, and for nobody else."""

import pytest
from django.test import Client

from games import services, values
from games.engine.perspective import perspective
from study.grading.decisions import advice
from tests.games.playing import begin, legal, on_turn, play

pytestmark = pytest.mark.django_db

JSON = {"HTTP_ACCEPT": "application/json"}


def against_the_computer(alice):
    """A match in which alice, at seat 0, is on turn."""
    match = begin(alice, "casual")
    while on_turn(match).position:
        move = values.value_of(match).legal(1)[0]
        services.play_for_computer(match=match, seat=1, move=move, claim=None, seen_version=match.version)
    return match


def ask(client: Client, match, **headers):
    return client.post(f"/games/{match.code}/hint", **headers)


def test_the_hint_is_the_best_move_from_what_one_sees(alice, browser_of):
    match = against_the_computer(alice)
    told = ask(browser_of(alice), match, **JSON)
    assert told.status_code == 200
    assert set(told.json()) == {"move", "claim"}
    assert told.json()["move"] in legal(match)
    view = perspective(values.value_of(match), 0)
    assert told.json()["move"] == str(advice(view)[0])


def test_without_scripts_the_hint_is_a_sentence_on_the_page(alice, browser_of):
    match = against_the_computer(alice)
    client = browser_of(alice)
    answer = ask(client, match)
    assert (answer.status_code, answer.url) == (303, f"/games/{match.code}/")
    assert "Hint: " in client.get(answer.url).content.decode()


def test_the_button_stands_where_there_are_hints_and_is_answered_in_place(alice, bob, browser_of):
    match = against_the_computer(alice)
    client = browser_of(alice)
    assert f"/games/{match.code}/hint" in client.get(f"/games/{match.code}/").content.decode()
    assert f"/games/{match.code}/hint" not in browser_of(bob).get(f"/games/{match.code}/").content.decode()
    told = ask(client, match, headers={"HX-Request": "true"}).content.decode()
    assert told.startswith('<p id="refusal" role="status" hx-swap-oob="morph">Hint: ')
    people = begin(alice, bob, "casual")
    assert "/hint" not in client.get(f"/games/{people.code}/").content.decode()


def test_nobody_is_helped_against_people(alice, bob, browser_of):
    match = begin(alice, bob, "casual")
    client = browser_of(on_turn(match).user or alice)
    refused = ask(client, match, **JSON)
    assert (refused.status_code, refused.json()["reason"]) == (422, "people")


def test_who_has_no_seat_gets_no_hint(alice, bob, browser_of):
    match = against_the_computer(alice)
    assert ask(browser_of(bob), match, **JSON).json()["reason"] == "not_seated"
    assert ask(Client(), match, **JSON).status_code == 403


def test_there_is_none_after_the_end(alice, browser_of):
    match = against_the_computer(alice)
    client = browser_of(alice)
    match = play(match, "resign")
    assert ask(client, match, **JSON).json()["reason"] == "over"
