"""The faults of a record in sentences: for `verify_record`, the admin and, by key, the verification page."""

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from boneyard.engine.verification import Fault


def describe_fault(fault: Fault) -> str:
    """Return the place and the sentence of a fault: "Round 2, move 4: It was not this seat’s turn." """
    sentences = fault_sentences()
    places = (("round", fault.round), ("move", fault.move))
    where = ", ".join(sentences[what].format(n=number) for what, number in places if number is not None)
    sentence = sentences[fault.kind].format(**fault.details)
    return f"{capfirst(where)}: {sentence}" if where else sentence


def fault_sentences() -> dict[str, str]:
    """Return the sentences by the kind of fault, with {placeholders} for its details."""
    return {"round": _("round {n}"), "move": _("move {n}"), **_format_sentences(), **_play_sentences()}


def _format_sentences() -> dict[str, str]:
    """Return the sentences for faults in the format of a record."""
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
        "parts": _(
            "The entropy must have one part for each seat, each of at most 64 lowercase letters and digits."
        ),
        "times": _("Either the start, the end and every move have a time, or none of them has."),
        "backwards": _("{name} is {told}, before {due}."),
        "set": _("A match of a set of deals has no preset and is not rated."),
        "rated": _("A match is rated only with a preset, and if every seat is a player."),
    }


def _play_sentences() -> dict[str, str]:
    """Return the sentences for faults in deals and moves."""
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
