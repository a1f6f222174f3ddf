"""The engine's values in sentences, in the reader's language. Everything here goes through gettext."""

from .moves import end_name, move_line, move_sentence, outcome, round_sentence
from .refusals import refused, reported, unsaid
from .rules import Sentence, house_rules, option_name, preset_title, rules_in_words, rules_sentence

__all__ = [
    "Sentence",
    "end_name",
    "house_rules",
    "move_line",
    "move_sentence",
    "option_name",
    "outcome",
    "preset_title",
    "refused",
    "reported",
    "round_sentence",
    "rules_in_words",
    "rules_sentence",
    "unsaid",
]
