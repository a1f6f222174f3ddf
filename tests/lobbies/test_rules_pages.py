"""The rules of every preset in words."""

import re

import pytest
from django.utils import translation

from boneyard.engine.presets import PRESETS
from boneyard.engine.tiles import NAMES
from games.wording import about, describe_rules, preset_title, sources, speech_of
from games.wording.example import example_round


def test_all_presets_are_listed(client, db):
    shown = client.get("/rules/").content.decode()
    for preset in PRESETS:
        assert f'href="/rules/{preset}/"' in shown
        assert preset_title(preset) in shown


@pytest.mark.parametrize(
    ("preset", "seats"), [(name, seats) for name, preset in PRESETS.items() for seats in preset.rules.players]
)
def test_each_preset_page_has_rules_by_seats(client, db, preset, seats):
    shown = client.get(f"/rules/{preset}/?seats={seats}").content.decode().replace("&#x27;", "'")
    for sentence in describe_rules(PRESETS[preset].rules, seats):
        assert sentence.text in shown
    assert f'action="/play/{preset}/"' in shown


def test_seats_default_to_smallest(client, db):
    for query in ("", "?seats=9", "?seats=x"):
        assert "Each hand is dealt 7 tiles." in client.get(f"/rules/all-fives/{query}").content.decode()


def test_unknown_preset_is_404(client, db):
    assert client.get("/rules/chess/").status_code == 404


def test_page_starts_with_summary_and_example(client, db):
    shown = client.get("/rules/all-fives/").content.decode()
    assert "you score that sum. The first double is the spinner" in shown
    assert shown.count('class="felt"') == 6
    assert "<em>+15</em>" in shown
    assert "rated to any target from 20 to 500" in " ".join(shown.split())


def test_page_names_direction_and_local_words(client, db):
    shown = client.get("/rules/kozel/").content.decode()
    assert "called Козёл by its players" in shown
    at_home = client.get("/rules/kozel/", headers={"Accept-Language": "ru"}).content.decode()
    assert "игроки говорят" not in at_home  # its title says it already
    assert "turns go to the right" in client.get("/rules/dominican/").content.decode()


@pytest.mark.parametrize(
    ("preset", "word"), [("dominican", "tranque"), ("venezuelan", "tranca"), ("bones", "cierre")]
)
def test_page_uses_local_word_for_block(client, db, preset, word):
    shown = client.get(f"/rules/{preset}/", headers={"Accept-Language": "es"}).content.decode().lower()
    article = shown[shown.index("<article>") : shown.index("</aside>")]
    family = article[article.index("<aside>") : article.index("<dl>")]
    said = set(re.findall(r"\b(?:un|una|el|la) (cierre|tranque|tranca)\b", article.replace(family, "")))
    with translation.override("es"):
        assert said == {speech_of(preset).blocked.lower()} == {word}


def test_page_uses_local_words_of_its_game(client, db):
    shown = client.get("/rules/dominican/", headers={"Accept-Language": "es"}).content.decode()
    assert "y pegarse con una ficha que encaje" in shown
    assert "y dominar con una ficha que" not in shown


@pytest.mark.parametrize("preset", PRESETS)
def test_example_round_is_legal(preset):
    rules = PRESETS[preset].rules
    for seats in rules.players:
        steps = example_round(rules, seats)
        assert 5 <= len(steps) <= 6
        assert all(step.text for step in steps)


def test_example_begins_with_the_tile_that_must_be_led():
    for preset in PRESETS.values():
        if preset.rules.first_lead == "tile":
            first = example_round(preset.rules, preset.rules.players[0])[0]
            assert first.text.startswith(NAMES[preset.rules.lead_tile] + " "), preset.id


@pytest.mark.parametrize(("preset", "rated"), [("all-fives", True), ("gaple", False)])
def test_choices_are_rated_only_where_the_game_is(client, db, preset, rated):
    page = " ".join(client.get(f"/rules/{preset}/").content.decode().split())
    assert "the game is still played as written" in page
    assert ("played as written, and can be rated." in page) == rated


def test_choice_says_what_it_does(client, db):
    page = client.get("/rules/gaple/").content.decode()
    assert "The lightest hand wins a block, in pairs both hands together" in page
    page = client.get("/rules/sea-kozel/").content.decode()
    assert "0-0 alone counts 25, any other its pips." in page
    page = client.get("/rules/brazilian-pairs/").content.decode()
    assert "Capicúa 2, Capicúa with a blank 2, Double capicúa 5" in page


def test_only_counting_games_explain_count():
    told = {
        preset: [word.word for word in about.glossary(PRESETS[preset].rules, 2, speech_of(preset))]
        for preset in ("all-fives", "bergen", "draw")
    }
    assert {preset: "count" in words for preset, words in told.items()} == {
        "all-fives": True,
        "bergen": False,
        "draw": False,
    }


def test_capicua_sentence_matches_blank_rule(client, db):
    shown = client.get("/rules/puerto-rico-500/").content.decode()
    assert "A double does not count." in shown and "A double does not count, nor" not in shown
    assert "A double does not count, nor a blank." in client.get("/rules/dominican/").content.decode()


def test_example_tiles_fill_their_picture(client, db):
    for preset in ("all-fives", "five-up", "dominican"):
        shown = client.get(f"/rules/{preset}/").content.decode()
        widths = [float(seen.split()[2]) for seen in re.findall(r'class="mini" viewBox="([^"]+)"', shown)]
        assert len(widths) == 6 and max(widths) <= 12 * 40  # of half a tile


def test_elo_page_names_inventor(client, db):
    shown = client.get("/rules/elo/").content.decode()
    assert "Arpad Elo" in shown
    assert "76" in shown


@pytest.mark.parametrize(
    ("language", "said"),
    [("ru", "две программы для игры в козла"), ("es", "dos programas"), ("pt", "dois programas")],
)
def test_source_quotes_are_translated(language, said):
    with translation.override(language):
        told = sources.source_text(PRESETS["kozel"])
    assert told.startswith("play.livegames.ru/domino.html; ") and said in told and "open-source" not in told
