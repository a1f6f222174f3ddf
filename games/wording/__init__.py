"""The engine's values in sentences, in the reader's language. Everything here goes through gettext."""

from .bonus import bonus_sum, extras_called, no_bonus
from .cast import CAST, WINS, Figure, figure_of, strength
from .house import game_title, house_chips, house_rules, rules_sentence
from .leads import lead_sentence
from .moves import (
    award_called,
    bonuses,
    bonuses_told,
    end_name,
    ended_by,
    is_past_target,
    move_sentence,
    open_ends,
    outcome,
    round_end,
    round_sentence,
    side_names,
    spot_name,
    told_to,
    unclaimed,
)
from .options import (
    choice_name,
    extra_name,
    level_name,
    option_name,
    preset_title,
)
from .refusals import invalid_rules, refused, reported, unsaid
from .remembered import remembered, speaking, spoken
from .rules import part_name, rules_in_words
from .scope import Sentence
from .speech import PLAIN, Speech, extra_word, speech_of

__all__ = [
    "CAST",
    "PLAIN",
    "WINS",
    "Figure",
    "Sentence",
    "Speech",
    "award_called",
    "bonus_sum",
    "bonuses",
    "bonuses_told",
    "choice_name",
    "end_name",
    "ended_by",
    "extra_name",
    "extra_word",
    "figure_of",
    "extras_called",
    "game_title",
    "house_chips",
    "house_rules",
    "invalid_rules",
    "is_past_target",
    "lead_sentence",
    "level_name",
    "move_sentence",
    "no_bonus",
    "open_ends",
    "option_name",
    "outcome",
    "part_name",
    "preset_title",
    "refused",
    "remembered",
    "reported",
    "round_end",
    "round_sentence",
    "rules_in_words",
    "rules_sentence",
    "side_names",
    "speech_of",
    "speaking",
    "spoken",
    "spot_name",
    "strength",
    "told_to",
    "unclaimed",
    "unsaid",
]
