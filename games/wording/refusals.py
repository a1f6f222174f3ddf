"""Sentences for refused moves, rules and messages."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boneyard.engine.errors import InvalidRules
from boneyard.engine.option_kinds import MAX_NUMBER, Option, OptionKind
from boneyard.engine.rules import OPTION
from operators.site_settings import get_maintenance_sentence

from .language_cache import cached_by_language
from .moves import end_name
from .options import option_name


@cached_by_language
def _can_play(move: str) -> str:
    if move == "draw":
        return _("You can play, so you cannot draw.")
    return _("You can play, so you cannot pass.")


_REASONS: dict[str, Callable[[], str]] = {
    "malformed": lambda: _("This is not a move."),
    "not_seated": lambda: _("You have no seat in this match."),
    "stale": lambda: _("The match has moved on. Look again before you play."),
    "over": lambda: _("This match is over."),
    "not_your_turn": lambda: _("It is not your turn."),
    "wait": lambda: _("Wait a moment: the last play can still be called."),
    "illegal": lambda: _("The rules do not allow this."),
    "unavailable": lambda: _("This could not be stored just now. Try again in a moment."),
}

_CODES: dict[str, Callable[[dict[str, Any]], str]] = {
    "repeated": lambda p: _REASONS["stale"](),
    "late": lambda p: _("That was not sent. Play it again."),
    "over": lambda p: _REASONS["over"](),
    "not_your_turn": lambda p: _REASONS["not_your_turn"](),
    "no_such_seat": lambda p: _("There is no such seat."),
    "has_left": lambda p: _("You have left this match."),
    "not_held": lambda p: _("You do not hold %(tile)s.") % p,
    "no_fit": lambda p: _no_fit(p["tile"], p["end"]),
    "not_open": lambda p: _not_open(p["end"]),
    "needs_end": lambda p: _("Say which end %(tile)s goes to.") % p,
    "lead_has_no_end": lambda p: _("The lead is one tile, and joins no end."),
    "must_lead": lambda p: _("This round is led with %(tile)s.") % p,
    "lead_must_score": lambda p: _("Lead a tile that scores; you hold one."),
    "one_tile_only": lambda p: _("One tile a turn is played here."),
    # Never with the count: where points are claimed players must find it themselves.
    "not_a_multiple": lambda p: _("Together these tiles do not make a multiple of five."),
    "two_doubles_only": lambda p: _("Only two doubles are laid in one turn here."),
    "cross_first": lambda p: _("First a tile must lie on each of the spinner's four sides."),
    "cannot_draw_lead": lambda p: _("You lead, so you cannot draw."),
    "cannot_pass_lead": lambda p: _("You lead, so you cannot pass."),
    "can_play": lambda p: _can_play(p["move"]),
    "must_draw": lambda p: _("You can draw, so you cannot pass."),
    "no_drawing": lambda p: _("There is no drawing in this game."),
    "boneyard_empty": lambda p: _("The boneyard is empty."),
    "boneyard_reserved": lambda p: _("The last tiles of the boneyard are never drawn."),
    "claims_off": lambda p: _("At this table points are scored automatically."),
    "claim_needs_play": lambda p: _("Only a play can be claimed for."),
    "bad_claim": lambda p: _("This is not a number of points."),
    "nothing_to_call": lambda p: _("Nothing to call."),
    "nothing_to_close": lambda p: _("There is no time for calls to end."),
    "own_side": lambda p: _("You cannot call the points of your own side."),
    "too_late_to_abort": lambda p: _(
        "You have played, so the match can no longer be called off. You can resign."
    ),
    "deals_open": lambda p: _(
        "Everybody gets these deals once. Play on, or leave the rest until the day ends."
    ),
    "own_pace": lambda p: _("%(name)s may take days for a move: only the clock decides.") % p,
    "not_absent": lambda p: _("%(name)s is here.") % p,
    "own_turn": lambda p: _("It is your own turn."),
    "no_need_to_prod": lambda p: _("There is no need to ask: %(name)s is a computer, or has a clock.") % p,
    "grace": lambda p: (
        ngettext(
            "%(name)s has %(seconds)s second to come back.",
            "%(name)s has %(seconds)s seconds to come back.",
            p["seconds"],
        )
        % p
    ),
    "prodded": lambda p: (
        ngettext(
            "%(name)s is here and has %(seconds)s second to move.",
            "%(name)s is here and has %(seconds)s seconds to move.",
            p["seconds"],
        )
        % p
    ),
    "halted": lambda p: get_maintenance_sentence(),
    "choosing": lambda p: (
        _("%(name)s has left. The others are deciding whether a computer takes the seat.") % p
    ),
    "rated_takeover": lambda p: _("In a rated match no computer takes over. You can claim the match."),
    "not_a_tile": lambda p: _("%(text)s is not a tile.") % p,
    "not_a_move": lambda p: _REASONS["malformed"](),
    "not_entropy": lambda p: _("Use letters from a to z and digits."),
    # rules
    "not_an_object": lambda p: _("The rules are not an object of options."),
    "unknown_option": lambda p: _("there is no such option"),
    "missing_option": lambda p: _("this option is missing"),
    "invalid_value": lambda p: _("%(value)s is not one of its values") % p,
    "seats_not_allowed": lambda p: _("not played with so many seats"),
    "too_many_tiles": lambda p: _("the hands do not fit the set"),
    "larger_than_boneyard": lambda p: _("more tiles than the boneyard has"),
    "needs_first_lead_tile": lambda p: _("only where a named tile leads first"),
    "missing_lead_tile": lambda p: _("name the tile that leads"),
    "not_in_the_set": lambda p: _("this tile is not in the set"),
    "named_by_lot": lambda p: _("a lead drawn by lot names no tile"),
    "cross_needs_a_named_double": lambda p: _("a cross needs a double that is found and led in every round"),
    "needs_a_count": lambda p: _("only in a game in which the ends are counted"),
    "not_with_fives_threes": lambda p: _("not together with fives and threes"),
    "not_with_round_end": lambda p: _("only where the match ends at once"),
    "not_with_bonus_ceiling": lambda p: _("not together with a ceiling for bonuses"),
    "not_with_exact": lambda p: _("not together with an exact target"),
    "not_at_once": lambda p: _("only where the match ends with a round"),
    "needs_partners": lambda p: _("only in pairs"),
    "needs_four_players": lambda p: _("only for tables of four alone"),
    "hands_too_large": lambda p: _("not with hands of more than nine tiles"),
    "nobody_can_score": lambda p: _("by these rules nobody could ever score"),
    "average_hand_has_more": lambda p: _("an average hand has more doubles, so a deal might never come"),
    "matching_needs_two_ends": lambda p: _("matching ends need a line of two ends: no spinner"),
    "not_with_matching": lambda p: _("not where matching ends score"),
    "not_with_every": lambda p: _("not where every double branches"),
    "needs_two_ends": lambda p: _("only with a line of two ends: no spinner"),
    "not_with_a_count": lambda p: _("only where plays score nothing"),
    "capicua_needs_two_ends": lambda p: _("a capicúa needs a line of two ends: no spinner"),
    "passes_need_no_choice": lambda p: _("passes bring points only where nobody draws or passes by choice"),
    "own_needs_both": lambda p: _(
        "going out and winning a block must be treated alike: both times the others write their own pips"
    ),
    "own_or_none": lambda p: _(
        "where the losers write their pips after a block, they do so after going out, too, or it brings nothing"
    ),
    "own_needs_lowest_wins": lambda p: _("where the losers write their own pips the lowest score must win"),
    "own_not_with_a_count": lambda p: _("where the losers write their own pips plays score nothing"),
    "own_not_with_extras": lambda p: _("where the losers write their own pips there are no other points"),
    "own_not_with_out_points": lambda p: _(
        "where the losers write their own pips the last tile scores nothing"
    ),
    "own_not_with_bonus_unit": lambda p: _("where the losers write their own pips these are not rounded"),
    "one_not_with_chain": lambda p: _("a round is not worth one where each scores over each heavier hand"),
    "not_with_lightest_tile": lambda p: _("not where the lightest tile breaks a tie"),
    "nothing_to_carry": lambda p: _("only a bonus for a block can be kept, and not one of each over each"),
    "above_the_target": lambda p: _("more than the target"),
    "not_with_team_difference": lambda p: _("not where pairs score only the difference"),
    "not_with_bonus_unit_one": lambda p: _("not where a round is worth one"),
    "needs_claims": lambda p: _("only where points are claimed"),
    "needs_opponents": lambda p: _("only where going out brings the pips of the others, less the partner's"),
    "needs_exact": lambda p: _("only where the target must be hit exactly"),
    "no_bonus_to_count": lambda p: _("only where a block brings a bonus to whoever wins it"),
    "carry_in_two_units": lambda p: _(
        "a tied block is not kept where one bonus is worth one and the other is not"
    ),
    "not_with_opening": lambda p: _("not where points are needed to open"),
    "not_with_partners_out": lambda p: _("not where a pair is out only when both partners are"),
    "needed_without_rounds": lambda p: _("give a target, or a number of rounds"),
    "needed_by_exact": lambda p: _("an exact target needs a number"),
    "needed_by_bonus_ceiling": lambda p: _("a ceiling for bonuses needs a target"),
    "needed_by_opening": lambda p: _("points to open with need a target"),
    "needed_at_once": lambda p: _("without a target the match cannot end at once"),
    "kept_not_called": lambda p: _("what is kept could not be called: not where points are claimed"),
}

# Valid values of free-text options, for the sentence about an invalid one.
_ALLOWED: dict[OptionKind, Callable[[Option], str]] = {
    "number": lambda option: _number_from(option.minimum),
    "optional_number": lambda option: _number_from(option.minimum),
    "by_seats": lambda option: _number_from(option.minimum),
    "opening": lambda option: _number_from(1),
    "extras": lambda option: _number_from(0),
    "tile": lambda option: _("a tile such as 6-6"),
    "lone_pips": lambda option: _("tiles and what each counts, such as 0-0 25, 6-6 50"),
}


def _number_from(least: int) -> str:
    return _("a whole number from %(least)d to %(most)d") % {"least": least, "most": MAX_NUMBER}


def _no_fit(tile: str, end: str) -> str:
    plain = {
        "L": _("%(tile)s does not fit the left end."),
        "R": _("%(tile)s does not fit the right end."),
        "U": _("%(tile)s does not fit the upper end."),
        "D": _("%(tile)s does not fit the lower end."),
    }
    text = plain.get(end) or _("%(tile)s does not fit here: %(end)s.")
    return text % {"tile": tile, "end": end_name(end)}


def _not_open(end: str) -> str:
    plain = {
        "L": _("The left end is not open."),
        "R": _("The right end is not open."),
        "U": _("The upper end is not open yet."),
        "D": _("The lower end is not open yet."),
    }
    return plain.get(end) or _("Not open yet: %(end)s.") % {"end": end_name(end)}


_MESSAGE_REFUSALS: dict[str, Callable[[], str]] = {
    "empty": lambda: _("There is nothing to send."),
    "talk_off": lambda: _("Talk is switched off on this site."),
    "muted": lambda: _("You cannot talk for now: a moderator has muted you."),
    "flood": lambda: _("Not so fast. Wait a few seconds."),
    "no_name": lambda: _("Play as a guest or log in first."),
    "not_seated": lambda: _("You are not seated at this table."),
    "no_reason": lambda: _("Say what is wrong."),
    "too_many_reports": lambda: _("You have reported a lot today. The moderators will look at it."),
    "yourself": lambda: _("This is you."),
    "reported_already": lambda: _("You have reported this already."),
}


def refusal_sentence(reason: str, code: str = "", params: Mapping[str, object] | None = None) -> str:
    """Return the sentence of a refusal: that of its code if given, else that of its reason.

    Raise `KeyError` for a code without a sentence.
    """
    return _CODES[code](dict(params or {})) if code else _REASONS[reason]()


def invalid_rules_sentence(error: InvalidRules) -> str:
    """Return the option's name with its fault or, for a free-text option, its valid values."""
    option = OPTION.get(error.option)
    allowed = _ALLOWED.get(option.kind) if option and error.code == "invalid_value" else None
    words = allowed(option) if option and allowed else _CODES[error.code](error.params)
    return _("%(option)s: %(fault)s.") % {"option": option_name(error.option), "fault": words.rstrip(".")}


def message_refusal(code: str) -> str:
    return _MESSAGE_REFUSALS[code]()


def report_confirmation() -> str:
    return _("Thank you. A moderator will look at it.")
