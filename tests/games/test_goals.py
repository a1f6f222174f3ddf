"""What ends a match, beside the title of its game."""

import re

import pytest
from django.utils.translation import override

from boneyard.engine.presets import PRESETS
from games.wording import goal_beside, preset_title


@pytest.mark.parametrize("language", ["en", "ru", "es", "pt"])
@pytest.mark.parametrize("short", [True, False])
def test_title_and_goal_say_the_target_once(language, short):
    with override(language):
        said = {
            f"{preset_title(preset.id)}, {goal_beside(preset_title(preset.id), preset.rules, short=short)}": str(
                preset.rules.target
            )
            for preset in PRESETS.values()
            if preset.rules.target is not None
        }
    assert {text for text, target in said.items() if len(re.findall(rf"\b{target}\b", text)) != 1} == set()


def test_goal_stays_beside_a_title_without_it():
    rules = PRESETS["fives-and-threes"].rules
    assert goal_beside("Fives and Threes, 31", rules) == ""
    assert goal_beside("Fives and Threes", rules.replace(target=61)) == "to 61"
    assert goal_beside("Draw 100", rules.replace(target=100, goal="exceed")) == "first past 100"
