"""The engine's values in sentences, in the reader's language. Everything here goes through gettext."""

from .house import house_rules, rules_sentence
from .moves import (
    bonuses,
    end_name,
    move_sentence,
    open_ends,
    outcome,
    round_end,
    round_sentence,
    side_names,
    spot_name,
)
from .options import choice_name, game_title, level_name, option_name, preset_title
from .refusals import invalid_rules, refused, reported, unsaid
from .rules import part_name, rules_in_words
from .scope import Sentence

__all__ = [
    "Sentence",
    "bonuses",
    "choice_name",
    "end_name",
    "game_title",
    "house_rules",
    "invalid_rules",
    "level_name",
    "move_sentence",
    "open_ends",
    "option_name",
    "outcome",
    "part_name",
    "preset_title",
    "refused",
    "reported",
    "round_end",
    "round_sentence",
    "rules_in_words",
    "rules_sentence",
    "side_names",
    "spot_name",
    "unsaid",
]
