"""Games of this site: house rules that the operator gave a name."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.http import QueryDict
from django.urls import reverse

from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from games.models import Match
from lobbies import site_games
from lobbies.form_data import initial_data, propose
from lobbies.forms import TableForm
from lobbies.game import Game
from lobbies.models import SiteGame, Table
from lobbies.services import rows
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
    ("rules", "fault"),
    [
        ("as written", "These are the rules of"),
        ("{}", "rules"),
        ('{"set": 4}', "set"),
        ("[" * 3000, "Choose the rules in the form of a new table."),
        ("[1, 2]", "rules"),
        ("7", "rules"),
    ],
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
    assert "Club Fives ·" in waiting, "the waiting table has the game's name"


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
    "text", ["", "[]", "{", "[" * 3000, '{"format": "boneyard-site-games/1", "games": [{"slug": 1}]}']
)
def test_broken_import_is_refused(text, boss, browser_of):
    assert browser_of(boss).post(f"{LIST}import/", {"json": text}).status_code == 200
    assert not SiteGame.objects.exists()


COMPOSE = "/admin/lobbies/sitegame/compose/"


@pytest.mark.parametrize(
    ("sent", "fault"),
    [
        ({}, "These are the rules of All Fives."),
        ({"target": "120", "rule-hand_size": "5"}, "“Club Fives” has these rules already."),
        ({"target": "120", "rule-hand_size": "99"}, "hand"),
    ],
)
def test_refused_rules_keep_the_choices(sent, fault, club_game, boss, browser_of):
    sent = {"preset": "all-fives", "seats": "2", "clock": "600+5"} | sent
    answer = browser_of(boss).post(COMPOSE, sent)
    page = answer.content.decode()
    assert answer.status_code == 422 and fault in page
    form = answer.context["form"]
    assert form["clock"].value() == "600+5" and form["target"].value() == sent.get("target", "")
    assert SiteGame.objects.count() == 1


def test_adding_begins_in_the_form_of_a_new_table(boss, browser_of):
    answer = browser_of(boss).get(f"{LIST}add/", follow=True)
    assert answer.request["PATH_INFO"] == "/tables/new"
    assert "Make it a game of this site" in answer.content.decode()


def test_rules_are_shown_in_words_and_never_typed(club_game, boss, browser_of):
    page = browser_of(boss).get(f"{LIST}{club_game.pk}/change/").content.decode()
    assert "120" in page and '<textarea name="rules"' not in page
    assert 'type="hidden" name="rules"' in page and "Choose other rules" in page


def test_rules_of_a_game_are_changed_in_the_same_form(club_game, boss, browser_of):
    browser = browser_of(boss)
    page = browser.get(f"{LIST}{club_game.pk}/change/")
    address = page.context["adminform"].form.fields["rules"].widget.address
    form = browser.get(address)
    assert "Change the rules of “club”" in form.content.decode()
    assert form.context["form"].is_valid(), form.context["form"].errors
    assert form.context["form"].game.rules.written() == club_game.rules
    sent = {"preset": "all-fives", "seats": "2", "target": "130", "rule-hand_size": "5", "site_game": "club"}

    answer = browser.post(COMPOSE, sent, follow=True)

    assert "The rules of “Club Fives” are changed." in answer.content.decode()
    club_game.refresh_from_db()
    assert (club_game.rules["target"], club_game.slug) == (130, "club")
    browser.post(COMPOSE, sent | {"target": "100", "rule-hand_size": "7"})
    assert SiteGame.objects.get().rules["target"] == 130, "a preset's own rules are no game of the site"


@pytest.mark.parametrize("who", ["alice", "moderator"])
def test_others_make_no_games(who, club_game, browser_of, request):
    browser = browser_of(request.getfixturevalue(who))
    sent = {"preset": "all-fives", "seats": "2", "target": "130", "site_game": "club"}
    assert browser.post(COMPOSE, sent).status_code in (302, 403)
    assert browser.get(f"{LIST}add/").status_code in (302, 403)
    club_game.refresh_from_db()
    assert club_game.rules["target"] == 120


@pytest.mark.parametrize(
    ("preset", "seats", "changes"),
    [
        ("all-fives", 2, {"target": None, "rounds": 4, "finish": "round_end"}),
        ("draw", 3, {"hand_size": {"2": 7, "3": 6, "4": 5}, "target": 61}),
        ("muggins-200-pairs", 4, {"target": 77}),
        ("cuban", 4, {"target": 77, "blocked_double": True}),
    ],
)
def test_proposed_rules_come_back_from_the_form(preset, seats, changes, alice):
    rules = PRESETS[preset].rules.replace(players=[seats], **changes)
    form = TableForm(initial_data(QueryDict(urlencode(propose(preset, rules, seats)))), alice)
    assert form.is_valid(), form.errors
    assert (form.game.preset, form.game.seats, form.game.rules) == (preset, seats, rules)


def test_second_game_with_the_same_rules_is_refused(club_game, boss, browser_of):
    sent = {"slug": "two", "title_en": "Two", "preset": "all-fives", "seats": "2"}
    browser = browser_of(boss)
    page = browser.post(f"{LIST}add/", sent | {"rules": json.dumps(club_game.rules)}).content.decode()
    assert "“Club Fives” has these rules already." in page and "Club Fives" in page
    exported = json.loads(site_games.export_games([club_game]))
    exported["games"].append(exported["games"][0] | {"slug": "two"})
    page = browser.post(f"{LIST}import/", {"json": json.dumps(exported)}).content.decode()
    assert "“Club Fives” has these rules already." in page
    assert SiteGame.objects.count() == 1
    browser.post(
        f"{LIST}{club_game.pk}/change/", sent | {"slug": "club", "rules": json.dumps(club_game.rules)}
    )
    assert str(SiteGame.objects.get()) == "Two", "the game itself is no other"


def test_another_target_makes_another_game_with_a_name_of_its_own(boss, alice, bob, browser_of):
    target = PRESETS["all-fives"].rated_targets.usual[-1]
    browser = browser_of(boss)
    form = browser.post(COMPOSE, {"preset": "all-fives", "seats": "2", "target": str(target)}, follow=True)
    initial = form.context["adminform"].form.initial
    assert initial["rules"]["target"] == target
    filled = initial | {"slug": "long", "title_en": "Long Fives", "rules": json.dumps(initial["rules"])}
    browser.post(f"{LIST}add/", filled | {"offered": "on"})
    site_games.cache({}, 0)
    rules = Rules.from_dict(SiteGame.objects.get().rules)

    browser_of(alice).post(reverse("site-game-play", args=["long"]))
    table = Table.objects.get()
    assert (str(table.title), table.changed, table.rated) == ("Long Fives", True, False)
    rated = rows.new_table(bob, Game("all-fives", rules, 2, True, (600, 5)), rated=True, private=False)
    assert (str(rated.title), rated.changed, rated.rated) == ("All Fives", False, True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("by", ["form", "import"])
def test_two_operators_who_save_the_same_at_once_get_one_game_and_a_sentence(by, boss, browser_of):
    rules = PRESETS["all-fives"].rules.replace(players=[2], target=120).written()
    browsers = [browser_of(boss), browser_of(boss)]
    together = Barrier(2)

    def save(number: int) -> str:
        slug = f"game{number}"
        together.wait()
        try:
            if by == "import":
                game = {"slug": slug, "title": {"en": slug}, "about": {}, "preset": "all-fives", "seats": 2}
                text = {"format": site_games.FORMAT, "games": [game | {"rules": rules, "offered": True}]}
                return str(browsers[number].post(f"{LIST}import/", {"json": json.dumps(text)}).content)
            sent = {
                "slug": "same",
                "title_en": slug,
                "preset": "all-fives",
                "seats": "2",
                "rules": json.dumps(rules),
            }
            return str(browsers[number].post(f"{LIST}add/", sent).content)
        finally:
            connection.close()

    for _ in range(10):
        SiteGame.objects.all().delete()
        with ThreadPoolExecutor(2) as people:
            answers = list(people.map(save, range(2)))
        assert SiteGame.objects.count() == 1
        assert sum("has these rules already" in answer for answer in answers) == 1
