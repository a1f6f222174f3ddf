"""What the page that checks records says, by name: {…} is filled in by its script."""

from django.utils.translation import gettext as _


def sentences() -> dict[str, str]:
    return {
        "sound": _("{match}: sound. {rounds} rounds and {moves} moves checked, scores {scores}."),
        "all_sound": _(
            "Every record is sound: deals, moves, counts and scores follow from the seal and the rules."
        ),
        "not_sound": _("Not everything is sound: {good} of {all}."),
        "progress": _("{done} of {all} checked…"),
        "no_json": _("This file holds no JSON."),
        "no_crypto": _("This browser only checks over a secure connection, or from a saved file."),
        "round": _("round {n}"),
        "move": _("move {n}"),
        # Faults of a record.
        "format": _("This is no record in a format that is known."),
        "shape": _("This is not as a record is written: {name}."),
        "missing": _("{name} is missing."),
        "unknown": _("{name} does not belong there."),
        "differs": _("{name} is {told}, but should be {due}."),
        "key": _("The key does not lead back to the seal."),
        "seats": _("The rules do not allow so many seats."),
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
        "abort": _("The match could no longer be called off."),
        "over": _("It was over before this."),
        "round_goes_on": _("The round is not over after its last move."),
        "goes_on": _("The match goes on after its last round."),
    }
