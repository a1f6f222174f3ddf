"""Sentences and figures of the balance of luck and play. Everything here goes through gettext."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from study import wording


def signed_points(figure: float, digits: int = 0) -> str:
    """Format points with their sign: +19, −12, 0."""
    sign = "" if not round(figure, digits) else "+" if figure > 0 else "−"
    return f"{sign}{wording.format_number(abs(figure), digits)}"


def signed_tenths(figure: float) -> str:
    """Format a chance with its sign in per cent with one digit, without the per cent sign: +31.4, −0.2, 0."""
    return signed_points(100 * figure, 1) if round(figure, 3) else "0"


def balance_part(name: str, who: str, mistakes: int) -> str:
    """Return the label of a part of a result: luck, or what somebody's decisions gave or cost."""
    labels = {
        "luck": _("The tiles"),
        "mistakes": _("Mistakes, %(who)s: %(n)d"),
        "rest": _("Other decisions, %(who)s"),
        "left": _("Leaving, %(who)s"),
    }
    return labels[name.rpartition(" ")[2]] % {"who": who, "n": mistakes}


def balance_sentence(
    name: str, *, alone: bool, mistakes: int, worth: float, luck: float, in_points: bool
) -> str:
    """Say what decided a match for a side: *You made 5 mistakes worth 12 points; the tiles gave you 19.*

    An empty name is the reader's side, `alone` or a pair. Figures are points, or else chances.
    """
    values = {
        "name": name,
        "n": mistakes,
        "worth": _points(worth) if in_points else f"{wording.percent(worth)}\N{NO-BREAK SPACE}%",
        "luck": wording.format_number(abs(luck), 0)
        if in_points
        else f"{wording.percent(abs(luck))}\N{NO-BREAK SPACE}%",
    }
    made = _mistakes_in_words(name, alone, mistakes) % values
    return _("%(mistakes)s; %(tiles)s.") % {"mistakes": made, "tiles": _tiles_in_words(name, luck) % values}


def _points(figure: float) -> str:
    return ngettext("%(n)s point", "%(n)s points", round(figure)) % {"n": wording.format_number(figure, 0)}


def _mistakes_in_words(name: str, alone: bool, mistakes: int) -> str:
    if name:
        none = _("%(name)s: no mistake")
        some = ngettext(
            "%(name)s: %(n)d mistake worth %(worth)s", "%(name)s: %(n)d mistakes worth %(worth)s", mistakes
        )
    elif alone:
        none = _("You made no mistake")
        some = ngettext(
            "You made %(n)d mistake worth %(worth)s", "You made %(n)d mistakes worth %(worth)s", mistakes
        )
    else:
        none = _("Your pair made no mistake")
        some = ngettext(
            "Your pair made %(n)d mistake worth %(worth)s",
            "Your pair made %(n)d mistakes worth %(worth)s",
            mistakes,
        )
    return some if mistakes else none


def _tiles_in_words(name: str, luck: float) -> str:
    if not luck:
        return _("the tiles were even")
    if name:
        return _("the tiles gave %(luck)s") if luck > 0 else _("the tiles took %(luck)s")
    return _("the tiles gave you %(luck)s") if luck > 0 else _("the tiles took %(luck)s from you")
