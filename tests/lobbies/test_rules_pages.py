"""The rules of every preset in words."""

import pytest

from games.engine.presets import PRESETS
from games.wording import preset_title, rules_in_words


def test_all_presets_are_listed(client, db):
    shown = client.get("/rules/").content.decode()
    for preset in PRESETS:
        assert f'href="/rules/{preset}/"' in shown
        assert preset_title(preset) in shown


@pytest.mark.parametrize(
    ("preset", "seats"), [(name, seats) for name, preset in PRESETS.items() for seats in preset.rules.players]
)
def test_each_has_a_page_with_every_rule_by_the_number_of_players(client, db, preset, seats):
    shown = client.get(f"/rules/{preset}/?seats={seats}").content.decode().replace("&#x27;", "'")
    for sentence in rules_in_words(PRESETS[preset].rules, seats):
        assert sentence.text in shown
    assert f'action="/play/{preset}/"' in shown


def test_without_a_number_it_is_the_smallest(client, db):
    for query in ("", "?seats=9", "?seats=x"):
        assert "Each hand is dealt 7 tiles." in client.get(f"/rules/all-fives/{query}").content.decode()


def test_an_unknown_preset_is_not_found(client, db):
    assert client.get("/rules/chess/").status_code == 404
