"""What a computer's plays could tell its partner, in its own words."""

from collections.abc import Mapping

from boneyard.analysis.partner_plays import Sign, SignKind

from .language_cache import gettext as _
from .language_cache import ngettext


def sign_sentence(sign: Sign) -> str:
    """Return what a play showed, said by the seat that made it."""
    numbers = {"suit": sign.suit, "n": sign.more}
    if sign.kind == "led":
        text = ngettext(
            "I led %(suit)d and held %(n)d more.", "I led %(suit)d and held %(n)d more.", sign.more
        )
    elif sign.kind == "repeated":
        text = ngettext(
            "I opened %(suit)d again and held %(n)d more.",
            "I opened %(suit)d again and held %(n)d more.",
            sign.more,
        )
    elif sign.kind == "opened":
        text = ngettext(
            "I opened %(suit)d and held %(n)d more.", "I opened %(suit)d and held %(n)d more.", sign.more
        )
    else:
        text = _plain_sentences()[sign.kind]
    return text % numbers


def _plain_sentences() -> Mapping[SignKind, str]:
    return {
        "covered": _("Nothing else fitted, so I covered your %(suit)d."),
        "forced": _("Nothing else fitted."),
        "shut": _("The next player had passed on every open end."),
        "returned": _("I opened %(suit)d again for you."),
        "double": _("I held no other %(suit)d, so I got rid of the double."),
        "heavy": _("It was the heaviest tile that fitted."),
    }
