"""The messages of the verify page by key. Its script fills in the {placeholders}."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

# A number for each plural category that Intl.PluralRules selects in a language of the site.
_PLURAL_EXAMPLES = {"one": 1, "few": 2, "many": 5, "other": 5}


def messages_by_key() -> dict[str, str]:
    return {
        "sound": _("{match}: sound. Checked: {rounds}, {moves}; scores {scores}."),
        "unsound": _("{match}: not sound. {fault}"),
        **dict(_plural_messages()),
        "all_sound": _(
            "Every record is sound: deals, moves, counts and scores follow from the seal and the rules. Whether a seal "
            "is the one of the table is for you to compare."
        ),
        "not_sound": _("Not everything is sound: {good} of {all}."),
        "progress": _("{done} of {all} checked…"),
        "no_json": _("This file holds no JSON."),
        "twice": _(
            "A key appears twice in this file: one program would read the first value, another the last."
        ),
        "no_records": _("This file holds no record."),
        "no_crypto": _("This browser only checks over a secure connection, or from a saved file."),
        "round": _("round {n}"),
        "move": _("move {n}"),
        **_format_messages(),
        **_play_messages(),
    }


def _plural_messages() -> Iterator[tuple[str, str]]:
    for form, n in _PLURAL_EXAMPLES.items():
        yield f"rounds-{form}", ngettext("{n} round", "{n} rounds", n)
        yield f"moves-{form}", ngettext("{n} move", "{n} moves", n)


def _format_messages() -> dict[str, str]:
    """Return the messages for faults in the format of a record."""
    return {
        "broken": _("This cannot be read as a record."),
        "no_record": _("This is not the record of a match."),
        "no_round": _("This is not a round."),
        "no_player": _("Seat {n} has no proper name, kind or level."),
        "commitment": _("What seat {n} added to the shuffle is not what it committed to."),
        "format": _("This is no record in a format that is known."),
        "shape": _("{name} is not written as records write it."),
        "missing": _("{name} is missing."),
        "unknown": _("{name} does not belong there."),
        "option": _("The option {name} cannot be {told}."),
        "together": _("The option {name} conflicts with the other rules."),
        "no_preset": _("There is no preset {told}."),
        "preset": _("The option {name} is {told}, but the preset {preset} has {due}."),
        "seats": _("The rules do not allow so many seats."),
    }


def _play_messages() -> dict[str, str]:
    """Return the messages for faults in deals and moves."""
    return {
        "differs": _("{name} is {told}, but should be {due}."),
        "key": _("The key does not lead back to the seal."),
        "hand": _("The hand of seat {n} ({player}) has {told} where {due} was dealt."),
        "hand_order": _("The hand of seat {n} ({player}) is not in the order in which it was dealt."),
        "boneyard": _("The boneyard has {told} where {due} was dealt."),
        "boneyard_order": _("The boneyard is not in the order in which it was dealt."),
        "seat": _("There is no such seat."),
        "gone": _("This seat has left the match."),
        "turn": _("It was not this seat’s turn."),
        "not_a_move": _("This is not a move."),
        "not_held": _("The seat does not hold {tile}."),
        "no_fit": _("{tile} does not fit there."),
        "lead": _("The round cannot be led so."),
        "one_tile": _("These tiles cannot be laid together."),
        "draw": _("The seat could not draw."),
        "pass": _("The seat could not pass."),
        "claim": _("This cannot be claimed."),
        "call": _("There was nothing that this seat could call."),
        "close": _("This seat could not end the time for calls."),
        "abort": _("The match could no longer be called off."),
        "over": _("It was over before this."),
        "round_goes_on": _("The round is not over after its last move."),
        "goes_on": _("The match goes on after its last round."),
    }
