"""Games of this site: house rules that the operator gave a name."""

import json

import pytest
from django.urls import reverse

from boneyard.engine.presets import PRESETS
from games.models import Match
from lobbies import site_games
from lobbies.models import SiteGame, Table
from tests.games.playing import begin

pytestmark = pytest.mark.django_db
LIST = "/admin/lobbies/sitegame/"


@pytest.fixture
def club_game(db):
    rules = PRESETS["all-fives"].rules.replace(players=[2], target=120, hand_size={"2": 5, "3": 5, "4": 5})
    game = SiteGame.objects.create(
        slug="club",
        title={"en": "Club Fives", "ru": "Клубные пятёрки"},
        preset="all-fives",
        seats=2,
        rules=rules.written(),
    )
    site_games.cache({}, 0)
    return game


def test_table_form_becomes_a_game(boss, browser_of):
    browser = browser_of(boss)
    assert reverse("admin:lobbies_sitegame_compose") in browser.get("/tables/new").content.decode()
    sent = {"preset": "all-fives", "seats": "2", "target": "120", "rule-hand_size": "5"}
    form = browser.post(reverse("admin:lobbies_sitegame_compose"), sent, follow=True)
    initial = form.context["adminform"].form.initial
    assert (initial["preset"], initial["rules"]["target"]) == ("all-fives", 120)
    filled = initial | {"slug": "club", "title_en": "Club Fives", "rules": json.dumps(initial["rules"])}
    browser.post(f"{LIST}add/", filled | {"offered": "on"})
    assert str(SiteGame.objects.get()) == "Club Fives"


@pytest.mark.parametrize(
    ("rules", "fault"), [("as written", "These are the rules of"), ("{}", "rules"), ('{"set": 4}', "set")]
)
def test_invalid_rules_are_refused(rules, fault, boss, browser_of):
    if rules == "as written":
        rules = json.dumps(PRESETS["all-fives"].rules.written())
    sent = {"slug": "x", "title_en": "X", "preset": "all-fives", "seats": "2", "rules": rules}
    assert fault in browser_of(boss).post(f"{LIST}add/", sent).content.decode()
    assert not SiteGame.objects.exists()


def test_game_has_a_rules_page_and_a_casual_table(club_game, alice, browser_of):
    browser = browser_of(alice)
    page = browser.get(club_game.get_absolute_url()).content.decode()
    assert "Club Fives" in page and "120" in page
    for address in ("/", "/rules/"):
        assert club_game.get_absolute_url() in browser.get(address).content.decode()
    answer = browser.post(reverse("site-game-play", args=["club"]))
    table = Table.objects.get()
    assert answer["Location"] == table.get_absolute_url()
    assert (table.rated, table.changed, table.rules["target"]) == (False, True, 120)
    waiting = browser.get(answer["Location"]).content.decode()
    assert "<h1>Club Fives</h1>" in waiting, "the waiting table has the game's name"


def test_match_is_named_after_the_game(club_game, alice, bob, browser_of):
    match = begin(alice, bob, players=[2], target=120, hand_size={"2": 5, "3": 5, "4": 5})
    assert Match.objects.get().preset is None
    page = browser_of(alice).get(f"/games/{match.code}/", headers={"accept-language": "ru"})
    assert "Клубные пятёрки" in page.content.decode()


def test_export_is_imported(club_game, boss, browser_of):
    browser = browser_of(boss)
    exported = browser.post(LIST, {"action": "export", "_selected_action": [club_game.pk]}).content.decode()
    club_game.delete()
    browser.post(f"{LIST}import/", {"json": exported})
    imported = SiteGame.objects.get()
    assert (imported.slug, imported.rules, imported.title) == ("club", club_game.rules, club_game.title)


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"format": "boneyard-site-games/1", "games": [{"slug": 1}]}']
)
def test_broken_import_is_refused(text, boss, browser_of):
    assert browser_of(boss).post(f"{LIST}import/", {"json": text}).status_code == 200
    assert not SiteGame.objects.exists()


def test_unchanged_rules_are_refused_before_the_titles(boss, browser_of):
    browser = browser_of(boss)
    answer = browser.post("/admin/lobbies/sitegame/compose/", {"preset": "all-fives"}, follow=True)
    assert answer.request["PATH_INFO"] == "/tables/new"
    assert "These are the rules of All Fives." in answer.content.decode()
