"""Variants as written: choices on the form that keep a table rated, with the sentence of the source."""

import json

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from boneyard.computer.selfplay import play_match
from boneyard.engine.errors import InvalidRules
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import OPTIONS, Rules
from games import repository
from games.models import Match
from games.past.results import build_match_row
from games.table.table_view import build_table_view
from games.wording import affects_play, game_title, rules_sentence, sources
from games.wording.variants import choices_of
from lobbies.lists import build_open_table
from lobbies.models import Table
from tests.games.playing import begin
from tests.html import collapse_whitespace
from tests.lobbies.test_form import fields_of, preview

ALL = [
    (preset, seats, choice.key)
    for preset in PRESETS
    for seats in PRESETS[preset].rules.players
    for choice in choices_of(PRESETS[preset], seats)
]


def made(browser, preset: str, seats: int = 2, **fields) -> Table:
    fields = {"preset": preset, "seats": str(seats), "clock": "300+5", "rated": "on"} | fields
    answer = browser.post("/tables/new", fields)
    assert answer.status_code == 303, collapse_whitespace(answer.content.decode())
    return Table.objects.latest("pk")


@pytest.mark.parametrize(("preset", "seats", "key"), ALL)
def test_each_variant_stays_rated(alice, browser_of, preset, seats, key):
    # A lead by lot names no tile to lead with.
    keys = [key, "first_lead=highest_double"] if key == "lead_with=named" else [key]
    row = made(browser_of(alice), preset, seats, variant=keys)
    assert (row.changed, row.rated) == (False, PRESETS[preset].rated)
    rules = Rules.from_dict(row.rules)
    assert rules != PRESETS[preset].rules and PRESETS[preset].is_played_by(rules)
    assert rules.players == PRESETS[preset].rules.players


@pytest.mark.parametrize(
    ("preset", "seats", "fields"),
    [
        ("muggins-200", 3, {"rule-hand_size": "7", "rule-set": "9", "target": "137"}),
        ("muggins-200", 3, {"rule-hand_size": "6"}),
        ("muggins-200", 3, {"rule-hand_size": '{"2": 7, "3": 7, "4": 7}'}),
        ("muggins-200", 2, {"rule-first_lead": "highest_double", "rule-lead_with": "named"}),
        ("muggins-200", 2, {"rule-reserve": "2"}),
        ("all-fives", 2, {"rule-spinner": "first_open", "target": "77"}),
        ("all-fives", 2, {"variant": "spinner=first_open", "target": "500"}),
        ("draw-free", 3, {"rule-lead_with": "named", "rule-first_lead": "highest_double"}),
    ],
)
def test_options_that_make_a_variant_stay_rated(alice, browser_of, preset, seats, fields):
    row = made(browser_of(alice), preset, seats, **fields)
    assert (row.changed, row.rated) == (False, True)


@pytest.mark.parametrize(
    ("preset", "seats", "fields"),
    [
        ("muggins-200", 2, {"rule-first_lead": "highest_double"}),
        ("muggins-200", 2, {"rule-next_lead": "first"}),
        ("muggins-200", 2, {"rule-lowest_wins": "true"}),
        ("muggins-200", 2, {"rule-call_last": "false"}),
        ("all-fives", 2, {"rule-spinner": "every"}),
        ("all-fives", 2, {"variant": "spinner=first_open", "rule-draw": "free"}),
        ("all-fives", 2, {"target": "19"}),
        ("draw", 2, {"rule-pass": "always"}),
        ("draw", 2, {"rule-rounds": "8"}),
        ("draw", 2, {"rule-rounds": "8", "target": "null", "rule-goal": "reach"}),
    ],
)
def test_anything_else_is_house_rules(alice, browser_of, preset, seats, fields):
    row = made(browser_of(alice), preset, seats, **fields)
    assert (row.changed, row.rated) == (True, False)


@pytest.mark.parametrize(
    ("preset", "seats", "fields"),
    [
        ("block", 2, {"rule-partners": "true"}),
        ("block", 2, {"rule-reserve": "2"}),
        ("all-fives", 2, {"rule-team_difference": "false"}),
        ("muggins-200", 2, {"rule-hand_size": "7"}),
        ("bones", 2, {"rule-extra_rounds": "players"}),
        ("block", 3, {"rule-blocked_winner": "hand", "rule-blocked_tie": "lightest_tile"}),
        # Without partners the winner's side holds no tiles, so these awards are equal.
        ("block", 3, {"rule-out_bonus": "losers"}),
        ("draw", 4, {"rule-out_bonus": "table"}),
        ("block", 2, {"rule-blocked_unit": "pips"}),
        ("muggins-exact-61", 3, {"rule-blocked_unit": "fifths_nearest"}),
        # A chain of two sides is a difference.
        ("muggins-200", 2, {"rule-blocked_bonus": "difference"}),
        ("jamaican-partner", 4, {"rule-blocked_bonus": "table"}),
        ("muggins-200", 2, {"rule-blocked_winner": "closer"}),
        ("block", 2, {"rule-extras-pass_lead": "5"}),
        # Points come with the end of a round only, and to one side: nobody ties at the target.
        ("block", 2, {"rule-finish": "at_once"}),
        ("block", 4, {"rule-extra_rounds": "players"}),
        ("puerto-rico-200", 4, {"rule-team_difference": "true"}),
    ],
)
def test_change_without_effect_is_no_change(alice, browser_of, preset, seats, fields):
    browser = browser_of(alice)
    if "rule-blocked_tie" in fields:
        # Refused as entered: what does not go together is not silently dropped.
        answer = browser.post(
            "/tables/new", {"preset": preset, "seats": str(seats), "clock": "300+5"} | fields
        )
        assert answer.status_code == 422
        return
    row = made(browser, preset, seats, **fields)
    assert (row.changed, row.rated) == (False, True)
    assert row.rules == PRESETS[preset].rules.written()


@pytest.mark.parametrize("preset", PRESETS)
def test_idle_changes_are_played_the_same(preset):
    base = PRESETS[preset].rules
    seats = base.players[0]
    own = _played(base, seats)
    for option in OPTIONS:
        for value in [*option.choices, *([True, False] if option.kind == "flag" else [])]:
            try:
                rules = base.replace(**{option.name: value})
            except InvalidRules:
                continue
            if not affects_play(option.name, rules, base, seats):
                assert _played(rules, seats) == own, (option.name, value)


def _played(rules: Rules, seats: int) -> list:
    """Return the moves, bonuses and scores of a match, without who is named the winner of a round, and the sums."""
    match = play_match(rules, ["random"] * seats, "idle")
    return [(ended.log, ended.end._replace(winner=None, sums=()), ended.scores) for ended in match.ended]


def test_reserve_of_the_whole_boneyard_is_a_change(alice, browser_of):
    row = made(browser_of(alice), "draw", 2, **{"rule-reserve": "14"})
    assert row.changed and row.rules["reserve"]["2"] == 14


@pytest.mark.parametrize("fields", [{}, {"rule-players": "[2]"}])
def test_changes_that_hide_each_other_are_house_rules(alice, browser_of, fields):
    row = made(browser_of(alice), "draw", 2, **{"rule-draw": "none", "rule-reserve": "14"} | fields)
    assert row.changed and not row.rated
    assert rules_sentence(Rules.from_dict(row.rules), 2, "draw") != "Draw, as written."
    assert build_open_table(row).differences.startswith("House rules: ")


@pytest.mark.parametrize(
    ("variant", "sentence"),
    [
        (["set=9", "set=12"], "Set: 9, 12 is not one of its values."),
        (["spinner=every"], "Spinner: every is not one of its values."),
        (["jokers=2"], "jokers"),
    ],
)
def test_wrong_variant_is_refused(alice, browser_of, variant, sentence):
    answer = browser_of(alice).post(
        "/tables/new", {"preset": "muggins-200", "clock": "300+5", "variant": variant}
    )
    assert answer.status_code == 422
    assert sentence in collapse_whitespace(answer.content.decode())


def test_form_offers_variants_with_their_sentences(alice, browser_of):
    page = collapse_whitespace(browser_of(alice).get("/tables/new?preset=muggins-200").content.decode())
    assert "Choices that the source allows" in page.partition("House rules")[2]
    assert "Игра может вестись без спиннеров (ответвлений)" in page
    assert 'lang="ru"' in page
    assert page.count('name="variant"') == len(
        {key.partition("=")[0] for p, s, key in ALL if (p, s) == ("muggins-200", 2)}
    )
    assert (
        "Choices that the source allows"
        not in browser_of(alice).get("/tables/new?preset=block").content.decode()
    )


@pytest.mark.parametrize(("preset", "rated"), [("muggins-200", True), ("gaple", False)])
def test_form_says_rated_only_where_the_game_is(alice, browser_of, preset, rated):
    page = collapse_whitespace(browser_of(alice).get(f"/tables/new?preset={preset}").content.decode())
    assert ("played as written, and can be rated." in page) == rated
    assert ("still played as written." in page) == (not rated)


def test_house_rules_start_from_the_chosen_variants(alice, browser_of):
    browser = browser_of(alice)
    told = preview(browser, preset="muggins-200", variant="spinner=none", rated="on")
    assert "as written in a Russian page on Muggins, with this choice: there is no spinner." in told
    assert "casual." not in told
    page = browser.get("/tables/new?preset=muggins-200&variant=spinner%3Dnone").content.decode()
    assert fields_of(page)["rule-spinner"] == "none"


def test_sentence_names_source_and_choices():
    preset = PRESETS["muggins-200"]
    rules = preset.rules.replace(hand_size={"2": 7, "3": 7, "4": 7})
    assert rules_sentence(rules, 3, "muggins-200") == (
        "Muggins (call your points), as written in a Russian page on Muggins, with this choice:"
        " each hand is dealt 7 tiles."
    )


@pytest.mark.parametrize("preset", [preset.id for preset in PRESETS.values() if preset.variants])
def test_every_variant_has_its_sentence(preset):
    for option, values in PRESETS[preset].variants.items():
        for value in values:
            assert sources.quotations(preset, option, value), (option, value)


def test_variants_keep_the_name_in_a_record():
    rules = PRESETS["all-fives"].rules.replace(spinner="first_open", target=77)
    assert PRESETS["all-fives"].is_played_by(rules)
    assert json.loads(json.dumps(rules.as_dict()))["spinner"] == "first_open"


def test_quick_play_pairs_without_variants_only(alice, bob, browser_of):
    made(browser_of(alice), "all-fives", 2, variant="spinner=first_open")
    made(browser_of(alice), "all-fives", 2, target="150")
    browser_of(bob).post("/play/all-fives/", {"seats": "2", "clock": "300+5"})
    assert Table.objects.latest("pk").host == bob


def test_variants_are_named_in_lists_and_at_the_table(alice, browser_of):
    row = made(browser_of(alice), "muggins-200", 2, variant="set=9")
    assert build_open_table(row).differences == "As the source allows: double-nine"
    page = collapse_whitespace(browser_of(alice).get(row.get_absolute_url()).content.decode())
    assert '<span>As the source allows:</span><span class="chip">double-nine</span>' in page
    assert "house rule" not in page.lower()
    lobby = collapse_whitespace(browser_of(alice).get("/").content.decode())
    assert '<small class="differs">As the source allows: double-nine</small>' in lobby


def test_variants_are_named_in_the_match(alice, bob):
    rules = PRESETS["muggins-200"].rules.replace(set=9, target=137)
    assert PRESETS["muggins-200"].is_offered_with(rules)
    match = begin(alice, bob, preset="muggins-200", set=9, target=137)
    match.preset = "muggins-200"
    value = repository.get_value(match)
    view = build_table_view(match, value, seat=None, user=AnonymousUser(), now=timezone.now())
    assert view.differences == (("As the source allows", ("double-nine",)),)


@pytest.mark.parametrize(("preset", "seats", "key"), ALL)
def test_what_a_source_allows_is_never_called_a_house_rule(alice, browser_of, preset, seats, key):
    keys = [key, "first_lead=highest_double"] if key == "lead_with=named" else [key]
    row = made(browser_of(alice), preset, seats, variant=keys)
    assert row.rated == PRESETS[preset].rated
    page = collapse_whitespace(browser_of(alice).get(row.get_absolute_url()).content.decode())
    assert "As the source allows:" in page and "house rule" not in page.lower()


def test_house_rules_and_what_the_source_allows_are_told_apart(alice, browser_of):
    row = made(browser_of(alice), "all-fives", 2, variant="spinner=first_open", **{"rule-draw": "none"})
    assert not row.rated
    assert build_open_table(row).differences == (
        "As the source allows: spinner, open at once. House rules: no drawing"
    )
    page = collapse_whitespace(browser_of(alice).get(row.get_absolute_url()).content.decode())
    assert '<span class="chip">as the source allows</span>' in page
    assert '<span class="chip">house rule</span>' in page


def test_rated_target_is_no_house_rule(alice, browser_of):
    row = made(browser_of(alice), "all-fives", 2, target="150")
    assert row.rated and build_open_table(row).differences == "to 150"
    page = collapse_whitespace(browser_of(alice).get(row.get_absolute_url()).content.decode())
    assert "house rule" not in page.lower() and "another target" in page


def test_link_preview_and_archive_say_what_the_source_allows(alice, bob, browser_of, client):
    row = made(browser_of(alice), "all-fives", 2, variant="spinner=first_open")
    assert (
        "As the source allows: spinner, open at once." in client.get(row.get_absolute_url()).content.decode()
    )
    match = begin(alice, bob, preset="all-fives", spinner="first_open")
    match.preset, match.base_preset = "all-fives", ""
    match.status = Match.Status.FINISHED
    shown = build_match_row(match)
    assert (shown.game, shown.differences) == ("All Fives", "As the source allows: spinner, open at once")


def test_unrated_target_with_a_variant_is_no_house_rule_either():
    rules = PRESETS["all-fives"].rules.replace(spinner="first_open", target=19)
    assert game_title(None, rules, 2, "all-fives") == "All Fives"
    assert game_title(None, rules.replace(draw="none"), 2, "all-fives") == "All Fives, house rules"


def test_pages_of_a_game_and_of_ratings_say_so(client, db):
    page = collapse_whitespace(client.get("/rules/all-fives/").content.decode())
    assert "They are no house rules: a table with one says “As the source allows”." in page
    page = collapse_whitespace(client.get("/rules/elo/").content.decode())
    assert "A choice that the source of a game allows is no house rule" in page
