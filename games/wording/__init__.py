"""Translated sentences for the engine's values; all of them go through gettext."""

from .blocks import comparison_sentence
from .bonus import bonus_sum, extras_sentence, no_bonus_reason
from .by_ear import draws_phrase, ends_now, fit_sentence, scores_sentence, short_move
from .effects import affects_play, drop_idle_changes
from .emotes import emote_name
from .gains import explain_gain, last_tile_points, last_tile_sentence
from .house import game_title, house_chips, house_rules, rules_sentence, variant_clause
from .language_cache import (
    active_language,
    cached_by_language,
    gettext,
    in_language,
    ngettext,
    pgettext,
    pinned_language,
)
from .leads import lead_instruction, lead_sentence, next_lead_sentence
from .moves import (
    award_sentence,
    bonuses,
    bonuses_sentence,
    draws_sentence,
    end_name,
    ending_name,
    is_past_target,
    move_sentence,
    names_for_seat,
    open_ends,
    outcome,
    play_phrase,
    round_end,
    round_sentence,
    side_names,
    spot_name,
    unclaimed_sentence,
)
from .options import (
    choice_name,
    extra_name,
    goal_name,
    level_name,
    option_name,
    preset_title,
    short_goal_name,
)
from .personas import MEASURED_COMMIT, METHODS, PERSONAS, WIN_PERCENTAGES, Persona, level_number, persona_of
from .reaching import reached_sentence
from .refusals import invalid_rules_sentence, message_refusal, refusal_sentence, report_confirmation
from .rules import describe_rules, part_name
from .scope import Sentence
from .speech import DEFAULT_SPEECH, Speech, extra_word, speech_of

__all__ = [
    "METHODS",
    "PERSONAS",
    "DEFAULT_SPEECH",
    "MEASURED_COMMIT",
    "WIN_PERCENTAGES",
    "Persona",
    "Sentence",
    "Speech",
    "affects_play",
    "drop_idle_changes",
    "award_sentence",
    "bonus_sum",
    "bonuses",
    "bonuses_sentence",
    "choice_name",
    "comparison_sentence",
    "emote_name",
    "end_name",
    "ending_name",
    "explain_gain",
    "extra_name",
    "extra_word",
    "persona_of",
    "extras_sentence",
    "game_title",
    "goal_name",
    "house_chips",
    "house_rules",
    "invalid_rules_sentence",
    "is_past_target",
    "lead_instruction",
    "lead_sentence",
    "next_lead_sentence",
    "last_tile_points",
    "last_tile_sentence",
    "level_name",
    "draws_phrase",
    "draws_sentence",
    "ends_now",
    "fit_sentence",
    "scores_sentence",
    "short_move",
    "move_sentence",
    "no_bonus_reason",
    "open_ends",
    "option_name",
    "outcome",
    "play_phrase",
    "part_name",
    "preset_title",
    "refusal_sentence",
    "cached_by_language",
    "reached_sentence",
    "report_confirmation",
    "round_end",
    "round_sentence",
    "short_goal_name",
    "describe_rules",
    "rules_sentence",
    "side_names",
    "speech_of",
    "in_language",
    "gettext",
    "ngettext",
    "pgettext",
    "pinned_language",
    "active_language",
    "spot_name",
    "level_number",
    "names_for_seat",
    "unclaimed_sentence",
    "variant_clause",
    "message_refusal",
]
