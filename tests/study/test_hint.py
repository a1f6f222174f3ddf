"""Hints: only for the seat on turn in a casual match against computers."""

import re

import pytest
from django.core.cache import cache
from django.test import Client

from boneyard.computer import players
from boneyard.computer.players import STRATEGIES, recommend_move
from boneyard.computer.pool import NoAnswer, hint_worker
from boneyard.computer.search import SearchPlan, _Position
from boneyard.engine.perspective import perspective
from games import repository, services
from study import hints
from study.wording import reason_of_hint
from tests.games.playing import begin, legal, on_turn, play

pytestmark = pytest.mark.django_db

MASTER = STRATEGIES["master"][:2]
JSON = {"HTTP_ACCEPT": "application/json"}


@pytest.fixture(autouse=True)
def patient_pool(monkeypatch):
    """Give the worker time: on a busy machine it may be late, and a simpler move would be the hint."""
    monkeypatch.setattr("boneyard.computer.pool.TIMEOUT_SECONDS", 60.0)


def against_the_computer(alice):
    """Return a match with Alice on turn at seat 0."""
    match = begin(alice, "casual")
    while on_turn(match).position:
        move = repository.get_value(match).legal(1)[0]
        services.play_for_computer(match=match, seat=1, move=move, claim=None, seen_version=match.version)
    return match


def request_hint(client: Client, match, **headers):
    return client.post(f"/games/{match.code}/hint", **headers)


def test_hint_is_move_of_a_master(alice, browser_of):
    match = against_the_computer(alice)
    response = request_hint(browser_of(alice), match, **JSON)
    assert response.status_code == 200
    assert set(response.json()) == {"move", "claim"}
    assert response.json()["move"] in legal(match)
    view = perspective(repository.get_value(match), 0)
    assert response.json()["move"] == str(recommend_move(view)[0])


def test_no_thread_of_a_request_computes_a_hint(alice, browser_of, monkeypatch):
    monkeypatch.setattr(players, "search", lambda *args: pytest.fail("searched in this process"))
    match = against_the_computer(alice)
    assert request_hint(browser_of(alice), match, **JSON).status_code == 200


def test_second_hint_waits_for_the_first(alice, browser_of, monkeypatch):
    match = against_the_computer(alice)
    client = browser_of(alice)
    answers = []

    def ask_meanwhile(view):
        answers.append(request_hint(client, match, **JSON))
        return legal(match)[0], None

    monkeypatch.setattr(hint_worker, "ask", ask_meanwhile)
    assert request_hint(client, match, **JSON).status_code == 200
    assert [(answer.status_code, answer.json()["reason"]) for answer in answers] == [(429, "hint_waits")]


def test_hints_are_limited_and_the_same_one_is_free(alice, browser_of, monkeypatch):
    match = against_the_computer(alice)
    client = browser_of(alice)
    monkeypatch.setattr(hint_worker, "ask", lambda view: (str(view.legal[0]), None))
    monkeypatch.setattr(hints, "MAX_HINTS_PER_MINUTE", 2)
    statuses = []
    for _ in range(3):
        statuses += [request_hint(client, match, **JSON).status_code for _ in range(2)]
        cache.delete(f"hint:{match.code}:{match.version}:0")
    assert statuses == [200, 200, 200, 200, 429, 429]


def test_pressing_for_the_same_hint_is_bounded_with_a_sentence(alice, browser_of, monkeypatch):
    match, client = against_the_computer(alice), browser_of(alice)
    monkeypatch.setattr(hint_worker, "ask", lambda view: (str(view.legal[0]), None))
    statuses = [
        request_hint(client, match, **JSON).status_code for _ in range(hints.MAX_REQUESTS_PER_MINUTE + 1)
    ]
    assert statuses == [200] * hints.MAX_REQUESTS_PER_MINUTE + [429]
    refused = request_hint(client, match, headers={"HX-Request": "true"})
    assert refused.status_code == 429
    assert "That was a lot of hints. Try again in a minute." in refused.content.decode()


def test_hint_without_worker_is_a_simple_move(alice, browser_of, monkeypatch):
    def fail(view):
        raise NoAnswer

    match = against_the_computer(alice)
    monkeypatch.setattr(hint_worker, "ask", fail)
    assert request_hint(browser_of(alice), match, **JSON).json()["move"] in legal(match)


@pytest.mark.parametrize(
    ("preset", "seats"), [("gomuggins", 4), ("sebastopol", 4), ("draw", 4), ("all-fives", 2)]
)
def test_hint_is_bounded_like_a_computers_move(alice, preset, seats):
    match = begin(alice, *["casual"] * (seats - 1), preset=preset)
    value = repository.get_value(match)
    view = perspective(value, value.turn)
    searches = []

    class Counted(_Position):
        def worth(self, move, deal):
            worth = super().worth(move, deal)
            searches.append(self.work)
            return worth

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("boneyard.computer.search._Position", Counted)
        recommend_move(view)
    assert max(searches, default=0) < 2 * max(plan.work for plan in MASTER if isinstance(plan, SearchPlan))


def test_hint_without_htmx_is_a_message(alice, browser_of):
    match = against_the_computer(alice)
    client = browser_of(alice)
    response = request_hint(client, match)
    assert (response.status_code, response.url.partition("?")[0]) == (303, f"/games/{match.code}/")
    assert "Hint: " in client.get(response.url).content.decode()


def test_hint_button_and_htmx_fragment(alice, bob, browser_of):
    match = against_the_computer(alice)
    client = browser_of(alice)
    assert f"/games/{match.code}/hint" in client.get(f"/games/{match.code}/").content.decode()
    assert f"/games/{match.code}/hint" not in browser_of(bob).get(f"/games/{match.code}/").content.decode()
    response = request_hint(client, match, headers={"HX-Request": "true"}).content.decode()
    assert re.match('<p id="refusal" role="status" data-hint="[^"]+" hx-swap-oob="morph">Hint: ', response)
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


def test_hint_names_its_tile_and_a_reason(alice, browser_of):
    match = against_the_computer(alice)
    fragment = request_hint(browser_of(alice), match, headers={"HX-Request": "true"}).content.decode()
    move = request_hint(browser_of(alice), match, **JSON).json()["move"]
    assert f'data-hint="{move}"' in fragment
    assert re.search(r"Hint: .*: [a-z0-9 ]+\.</p>", re.sub("</?i>", "", fragment))


def test_hint_without_scripts_chooses_the_tile(alice, browser_of):
    match = against_the_computer(alice)
    move = request_hint(browser_of(alice), match, **JSON).json()["move"]
    response = request_hint(browser_of(alice), match)
    assert response["Location"] == f"{match.get_absolute_url()}?tile={move.partition('@')[0]}"


def test_reason_of_a_hint_is_visible_at_the_table(alice):
    match = begin(alice, "casual", seed="reasons")
    reasons = set()
    while not (value := repository.get_value(match)).ended:
        view = perspective(value, value.turn)
        reasons |= {reason_of_hint(view, move).partition(" ")[0] for move in view.legal}
        match = play(match)
    assert {"it", "nothing"} <= reasons | {"nothing"}
    assert "" not in reasons
