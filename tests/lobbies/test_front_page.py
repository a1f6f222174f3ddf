"""The parts of the front page that are rendered once for all readers, and those that are each reader's own."""

import re

import pytest
from django.test import Client

from games.time.day_clocks import DAY_SECONDS
from lobbies.clocks import get_offered_clocks
from lobbies.models import Table

pytestmark = pytest.mark.django_db

TOKENS = re.compile(r'name="csrfmiddlewaretoken" value="([^"]*)"')


def test_forms_have_the_readers_own_token():
    browsers = [Client(enforce_csrf_checks=True) for _ in range(2)]
    tokens = [set(TOKENS.findall(browser.get("/").content.decode())) for browser in browsers]
    for browser, own, others in zip(browsers, tokens, reversed(tokens), strict=True):
        for token in (*own, *others):
            form = {"csrfmiddlewaretoken": token, "seats": "no number"}
            assert (browser.post("/play/draw/", form).status_code == 403) == (token in others)


def test_proposed_game_is_not_kept_for_others(client):
    chosen = '<option value="draw" selected>'
    assert chosen not in client.get("/").content.decode()
    assert chosen in client.get("/?preset=draw").content.decode()
    assert chosen not in client.get("/").content.decode()


def test_proposed_game_has_the_readers_own_pauses(alice, bob, browser_of):
    alice.call_pause, alice.computer_pause = 8, 4
    alice.save()
    chosen = '<option value="8" selected>'
    proposed = [
        browser_of(person).get("/?preset=muggins-200").content.decode() for person in (bob, alice, bob)
    ]
    assert [chosen in page for page in proposed] == [False, True, False]
    shared = [browser_of(person).get("/").content.decode() for person in (bob, alice, bob)]
    assert not any("form-call_pause" in page or "form-computer_pause" in page for page in shared)


def test_invitation_offers_the_clocks_of_the_table_form(client):
    page = client.get("/").content.decode()
    (friend,) = re.findall(r'<section[^>]* id="friend">.*?</section>', page, re.DOTALL)
    offered = re.findall(r'<option value="([^"]*)"( selected)?', friend.split('name="clock"')[1])
    assert offered == [(clock, " selected" if clock == "none" else "") for clock in get_offered_clocks()]


def test_invitation_to_a_match_of_days(alice, browser_of):
    browser_of(alice).post("/tables/new", {"private": "on", "preset": "draw", "clock": "3d"})
    table = Table.objects.get()
    assert (table.private, table.clock_seconds) == (True, 3 * DAY_SECONDS)


def test_parts_are_in_the_readers_language(client):
    for language, words in (("en", "Create table"), ("ru", "Открыть стол"), ("en", "Create table")):
        page = client.get("/", headers={"accept-language": language}).content.decode()
        assert words in page
