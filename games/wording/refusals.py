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
from .option_words import SHARED_REFUSALS
from .options import OPTION_WORDS, option_name


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
    # rules; the conflicts between options have theirs in `OptionWords` or `SHARED_REFUSALS`
    "not_an_object": lambda p: _("The rules are not an object of options."),
    "unknown_option": lambda p: _("there is no such option"),
    "missing_option": lambda p: _("this option is missing"),
    "invalid_value": lambda p: _("%(value)s is not one of its values") % p,
    "seats_not_allowed": lambda p: _("not played with so many seats"),
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
    "no_such_match": lambda: _("There is no match with this code."),
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
    words = allowed(option) if option and allowed else _fault(error)
    return _("%(option)s: %(fault)s.") % {"option": option_name(error.option), "fault": words.rstrip(".")}


def _fault(error: InvalidRules) -> str:
    if error.code in _CODES:
        return _CODES[error.code](error.params)
    own = OPTION_WORDS[error.option].refusals
    return str(own[error.code] if error.code in own else SHARED_REFUSALS[error.code])


def message_refusal(code: str) -> str:
    return _MESSAGE_REFUSALS[code]()


def report_confirmation() -> str:
    return _("Thank you. A moderator will look at it.")
