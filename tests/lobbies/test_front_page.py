"""The parts of the front page that are rendered once for all readers, and those that are each reader's own."""

import re

import pytest
from django.test import Client

from games.time.day_clocks import DAY_SECONDS
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
    chosen = 'formaction="/play/kozel/"'
    assert chosen not in client.get("/").content.decode()
    assert chosen in client.get("/?preset=kozel").content.decode()
    assert chosen not in client.get("/").content.decode()


def test_invitation_is_to_the_chosen_game(client):
    page = client.get("/?preset=bergen").content.decode()
    (friend,) = re.findall(r'<section[^>]* id="friend".*?</section>', page, re.DOTALL)
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', friend))
    assert fields | {"csrfmiddlewaretoken": ""} == {
        "csrfmiddlewaretoken": "",
        "private": "on",
        "preset": "bergen",
        "seats": "2",
        "clock": "none",
    }
    assert 'href="/tables/new?preset=bergen&amp;private=on"' in friend


def test_invitation_to_a_match_of_days(alice, browser_of):
    browser_of(alice).post("/tables/new", {"private": "on", "preset": "draw", "clock": "3d"})
    table = Table.objects.get()
    assert (table.private, table.clock_seconds) == (True, 3 * DAY_SECONDS)


def test_parts_are_in_the_readers_language(client):
    for language, words in (("en", "All games"), ("ru", "Все игры"), ("en", "All games")):
        page = client.get("/", headers={"accept-language": language}).content.decode()
        assert words in page


@pytest.mark.parametrize(("preset", "said"), [("gaple", "casual"), ("block", "rated")])
def test_felt_says_whether_a_press_is_rated(alice, browser_of, preset, said):
    page = browser_of(alice).get(f"/?preset={preset}").content.decode()
    (felt,) = re.findall(r'<section[^>]* id="felt".*?</section>', page, re.DOTALL)
    assert re.findall(r"players, .*?(rated|casual)", felt)[:1] == [said]
