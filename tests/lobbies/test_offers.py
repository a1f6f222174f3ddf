"""The games of quick play: by language, one's own last games first."""

import re

import pytest

from accounts.models import User
from boneyard.engine.presets import PRESETS
from games.wording.taglines import tagline
from lobbies import services
from lobbies.models import Table
from lobbies.offers import QUICK
from tests.games.playing import begin
from tests.lobbies.tables import game, guest

CHIP = re.compile(r'id="games".*?</div>', re.DOTALL)
VALUE = re.compile(r'value="([a-z0-9-]+)"')


def chips(page: str) -> list[str]:
    return VALUE.findall(CHIP.search(page)[0])


def listed(page: str) -> list[str]:
    return VALUE.findall(page[page.index('class="game-list"') : page.index('class="cards"')])


@pytest.mark.parametrize(
    ("language", "first", "title"),
    [
        ("en", "all-fives", "All Fives"),
        ("es", "pairs-international", "Dominó internacional por parejas"),
        ("ru", "kozel", "Козёл"),
        ("pt", "brazilian-pairs", "Dominó em duplas"),
        ("pt-pt", "brazilian-pairs", "Dominó em duplas"),
    ],
)
def test_each_language_starts_with_its_game(client, db, language, first, title):
    page = client.get("/", headers={"Accept-Language": language}).content.decode()
    assert chips(page) == [game.preset for game in QUICK[language[:2]]][:5]
    assert chips(page)[0] == first
    assert title in page


def test_all_games_are_in_one_list_with_what_they_are_like(client, db):
    page = client.get("/").content.decode()
    assert listed(page) == list(PRESETS)
    assert "players: 2, 3, 4" in page
    assert page.count(tagline("sebastopol")) == 1


@pytest.mark.parametrize("language", QUICK)
def test_every_tile_is_playable(language):
    assert len(QUICK[language]) == 8
    for offer in QUICK[language]:
        assert offer.seats in PRESETS[offer.preset].rules.players


def test_last_played_games_come_first(alice, browser_of):
    browser = browser_of(alice)
    browser.post("/play/bergen/", {"seats": "2", "clock": "180+3", "computer": "club"})
    page = browser.get("/").content.decode()
    assert chips(page)[:2] == ["bergen", "all-fives"]
    assert len(chips(page)) == 5
    assert 'value="180+3"' in page


def test_chosen_game_is_a_chip_and_on_the_felt(client, db):
    page = client.get("/?preset=kozel").content.decode()
    assert chips(page) == [*[game.preset for game in QUICK["en"][:4]], "kozel"]
    assert (
        'formaction="/play/kozel/"' in page and "Nobody is waiting to play Kozel (the Goat) right now" in page
    )


def play_anything(browser) -> Table:
    return Table.objects.get(code=browser.post("/play/").url.split("/")[2])


def test_play_somebody_joins_what_most_people_wait_for(alice, bob, browser_of):
    draw = services.quick_play(guest("one"), game("draw", clock=(180, 3)))
    block = services.quick_play(guest("two"), game("block", 3, clock=(180, 3)))
    services.sit(block, bob)
    visitor = browser_of()
    assert play_anything(visitor).sittings.count() == 2
    assert play_anything(browser_of()) == block
    assert draw.sittings.count() == 2


def test_play_somebody_without_anybody_waits_in_the_usual_game(browser_of, db):
    assert play_anything(browser_of()).preset == "all-fives"
    spanish = browser_of()
    spanish.cookies["django_language"] = "es"
    assert play_anything(spanish).preset == "all-fives"


def test_play_somebody_prefers_ones_own_last_game(alice, bob, charlie, browser_of):
    begin(alice, charlie, preset="bones", clock=(300, 5))
    for name in ("one", "two"):
        services.quick_play(User.objects.create_user(name), game("all-fives", 3, rated=True))
    bones = services.quick_play(bob, game("bones", rated=True))
    assert play_anything(browser_of(alice)) == bones


def test_play_somebody_joins_other_shapes_where_nobody_waits_as_usual(bob, browser_of):
    fours = services.quick_play(guest("one"), game("draw", 4, clock=(600, 5)))
    assert play_anything(browser_of()) == fours
