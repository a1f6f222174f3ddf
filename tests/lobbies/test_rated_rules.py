"""Only the present rules of a preset are rated, in the pool of the table's shape."""

import json

import pytest
from django.http import QueryDict

from boneyard.engine.errors import InvalidRules
from boneyard.engine.lengths import get_base
from boneyard.engine.option_kinds import SEATS
from boneyard.engine.presets import POOLS, PRESETS
from boneyard.engine.rules import OPTIONS
from games.models import Match
from lobbies.forms import TableForm
from lobbies.game import Game
from lobbies.models import Table
from lobbies.offers import QuickGame
from lobbies.services import make_table
from tests.games.playing import begin, play

# An operator who opens a pool takes `rated` from the preset, and its name from here.
NEW = ["gaple", "brazilian-pairs", "latin-individual", "six-love-partner", "six-love-cutthroat", "sea-kozel"]
NUMBERS = (0, 1, 2, 5, 13, 50, 100, 250)


def values_of(option):
    """Return values to try for an option, as in a record."""
    if option.kind == "choice":
        return option.choices
    if option.kind == "optional_choice":
        return (None, *option.choices)
    if option.kind == "flag":
        return (False, True)
    if option.kind == "players":
        return ([2], [3], [4], [2, 3], [2, 4], [3, 4], [2, 3, 4])
    if option.kind == "by_seats":
        same = ({str(seats): number for seats in SEATS} for number in NUMBERS[:6])
        return (*same, {"2": 7, "3": 7, "4": 7}, {"2": 7, "3": 6, "4": 5}, {"2": 2, "3": 1, "4": 0})
    if option.kind in ("number", "optional_number"):
        return NUMBERS
    return {
        "tile": (None, "6-6", "1-1"),
        "extras": ({}, {"capicua": 25}, {"rounds": [5]}),
        "opening": (None, {"points": 10, "kept": True}),
        "lone_pips": ({}, {"0-0": 25}),
    }[option.kind]


def differing(rules, own):
    one, other = rules.as_dict(), own.as_dict()
    return {name for name in one if one[name] != other[name]}


def assert_is_present(preset, rules):
    """Assert that the rules are the preset's present ones apart from its variants and rated targets."""
    written = rules.as_dict()
    for name in differing(rules, preset.rules):
        if name == "target":
            assert preset.rated_targets.includes(rules.target)
        else:
            assert written[name] in preset.variants[name]


@pytest.mark.parametrize("preset", PRESETS)
def test_rated_rules_are_a_present_presets(preset):
    own = PRESETS[preset].rules
    tried = rated = 0
    for option in OPTIONS:
        for value in values_of(option):
            try:
                rules = own.replace(**{option.name: value})
            except InvalidRules:
                continue
            tried += 1
            for seats in set(rules.players):
                if not Game(preset, rules, seats, rated=True).changed:
                    rated += 1
                    assert_is_present(PRESETS[preset], rules)
                    assert seats in own.players
                    assert rules.in_pairs(seats) == PRESETS[preset].pool(seats).endswith("-pairs")
    assert tried > 40 and rated


@pytest.mark.parametrize(
    ("preset", "number"),
    [(preset.id, number) for preset in PRESETS.values() for number in range(len(preset.earlier))],
)
def test_earlier_rules_are_house_rules_of_a_new_table(alice, preset, number):
    earlier = PRESETS[preset].earlier[number]
    assert PRESETS[preset].is_played_by(earlier), "as a stored match"
    for seats in earlier.players:
        table = make_table(alice, Game(preset, earlier, seats, rated=True, clock=(300, 5)))
        assert (table.changed, table.rated) == (True, False)
        table.sittings.all().delete()


def fill_form(host, preset, **fields):
    data = QueryDict(mutable=True)
    data.update({"preset": preset, "rated": "on", "clock": "300+5"} | fields)
    return TableForm(data, host)


def test_sebastopol_without_partners_is_not_rated(alice, browser_of):
    fields = {"preset": "sebastopol", "seats": "4", "rated": "on", "clock": "300+5", "rule-partners": "false"}
    browser_of(alice).post("/tables/new", fields)
    table = Table.objects.get()
    assert (table.changed, table.rated) == (True, False)


@pytest.mark.parametrize("preset", ["block-doublet", "draw-free", "muggins-61", "fives-and-threes"])
@pytest.mark.parametrize("players", [[2, 3, 4], [4], [2]])
def test_crafted_players_are_house_rules(alice, preset, players):
    earlier = PRESETS[preset].earlier[0].as_dict()
    options = {
        f"rule-{name}": json.dumps(value) if isinstance(value, dict | list) else str(value).lower()
        for name, value in earlier.items()
        if value is not None and value != PRESETS[preset].rules.as_dict()[name]
    }
    form = fill_form(alice, preset, seats=str(players[-1]), **options | {"rule-players": json.dumps(players)})
    assert not form.is_valid() or form.game.changed


def test_rematch_of_a_stored_match_under_earlier_rules_is_casual(alice, bob, browser_of):
    match = play(play(begin(alice, bob, preset="muggins-61", rated=True, clock=(300, 5))), "resign")
    Match.objects.filter(pk=match.pk).update(rules=PRESETS["muggins-61"].earlier[0].as_dict())
    browser_of(alice).post(f"/tables/{match.code}/rematch")
    table = Table.objects.get()
    assert (table.changed, table.rated) == (True, False)


@pytest.mark.parametrize("preset", [preset.id for preset in PRESETS.values() if not preset.rated])
def test_new_games_are_casual_until_a_pool_is_opened(alice, browser_of, preset):
    assert preset not in {get_base(pool).id for pool in POOLS}
    for seats in PRESETS[preset].rules.players:
        game = Game(preset, PRESETS[preset].rules, seats, rated=True, clock=(300, 5))
        table = make_table(alice, game)
        assert (table.changed, table.rated) == (False, False)
        table.sittings.all().delete()
        quick = QuickGame(preset, seats).as_game(rated=True)
        assert not quick.rated
    page = browser_of(alice).get(f"/rules/{preset}/").content.decode()
    assert "casual: the game is new here" in page


def test_some_games_are_new():
    assert [preset.id for preset in PRESETS.values() if not preset.rated] == NEW
