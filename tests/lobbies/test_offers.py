"""The tiles of *Play now*: by language, one's own last games first."""

import re

import pytest

from games.engine.presets import PRESETS
from lobbies.offers import QUICK

PLAY = re.compile(r'action="/play/([a-z0-9-]+)/"')


def tiles(page: str) -> list[str]:
    return PLAY.findall(page[: page.index('class="more-games"')])


def others(page: str) -> list[str]:
    return PLAY.findall(page[page.index('class="more-games"') :])


@pytest.mark.parametrize(
    ("language", "first", "title"),
    [
        ("en", "all-fives", "All Fives"),
        ("es", "pairs-international", "Dominó internacional por parejas"),
        ("ru", "kozel", "Козёл"),
    ],
)
def test_each_language_starts_with_its_game(client, db, language, first, title):
    page = client.get("/", headers={"Accept-Language": language}).content.decode()
    assert tiles(page) == [game.preset for game in QUICK[language]]
    assert tiles(page)[0] == first
    assert title in page


def test_other_games_are_under_more_games(client, db):
    page = client.get("/").content.decode()
    assert sorted([*tiles(page), *others(page)]) == sorted(PRESETS)


@pytest.mark.parametrize("language", QUICK)
def test_every_tile_is_playable(language):
    assert len(QUICK[language]) == 8
    for game in QUICK[language]:
        assert game.seats in PRESETS[game.preset].rules.players


def test_last_played_games_come_first(alice, browser_of):
    browser = browser_of(alice)
    browser.post("/play/bergen/", {"seats": "2", "clock": "180+3", "computer": "club"})
    page = browser.get("/").content.decode()
    assert tiles(page)[:2] == ["bergen", "all-fives"]
    assert len(tiles(page)) == 8
    assert 'value="180+3"' in page
