"""How the players of a game speak at its table: a block, a win, a match to nil, by the preset they sit down to."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

# Where a preset is at home, so that a translation may use the words of that place.
_HOMES = {
    "dominican": "Antilles",
    "puerto-rico-500": "Antilles",
    "puerto-rico-200": "Antilles",
    "cuban": "Antilles",
    "venezuelan": "Venezuela",
    "pairs-spain": "Spain",
    "jamaican-partner": "Jamaica",
    "jamaican-cutthroat": "Jamaica",
    "kozel": "Kozel",
    "kozel-pairs": "Kozel",
}

_BLOCKED = {
    "Antilles": pgettext_lazy("Antilles", "Blocked"),
    "Venezuela": pgettext_lazy("Venezuela", "Blocked"),
}
_WENT_OUT = {
    "Antilles": pgettext_lazy("Antilles", "%(name)s went out"),
    "Spain": pgettext_lazy("Spain", "%(name)s went out"),
}
_TO_NIL = {
    "Antilles": pgettext_lazy("Antilles", "Skunk!"),
    "Spain": pgettext_lazy("Spain", "Skunk!"),
    "Jamaica": pgettext_lazy("Jamaica", "Six love!"),
}
_KEPT = {
    "Kozel": pgettext_lazy("Kozel", "%(block)s, a tie: the pips wait for the next winner"),
    "Jamaica": pgettext_lazy("Jamaica", "%(block)s, a tie: the next win is worth one more"),
}
_EXTRAS: Mapping[str, Promise] = {
    "capicua": _("Capicúa"),
    "capicua_blank": _("Capicúa"),
    "chucha": _("Chuchazo"),
    "pass_lead": _("Pase de salida"),
    "pass_round": _("Pase corrido"),
    "block": pgettext_lazy("extra points", "Block"),
    "rounds": pgettext_lazy("extra points", "Round won"),
}


class Speech(NamedTuple):
    """The words of one table; `home` is "" for games that are at home everywhere, and for house rules."""

    home: str = ""

    @property
    def blocked(self) -> str:
        """A blocked round, as a heading."""
        return str(_BLOCKED.get(self.home, _("Blocked")))

    @property
    def went_out(self) -> str:
        """Of %(name)s, who laid the last tile."""
        return str(_WENT_OUT.get(self.home, _("%(name)s went out")))

    @property
    def to_nil(self) -> str:
        """A match whose losers have nothing."""
        return str(_TO_NIL.get(self.home, _("Skunk!")))

    @property
    def kept(self) -> str:
        """A block that nobody won and the next winner is given; with %(block)s."""
        return str(_KEPT.get(self.home, _("%(block)s, a tie: the pips wait for the next winner")))

    @property
    def goat(self) -> str:
        """Of %(names)s, who lost; "" where losers have no name."""
        return str(_("The goat: %(names)s.")) if self.home == "Kozel" else ""


PLAIN = Speech()


def speech_of(preset: str | None) -> Speech:
    """The words of a match's table by its preset."""
    return Speech(_HOMES.get(preset or "", ""))


def extra_word(extra: str) -> str:
    """A name of the option `extras` as it is called out: *Capicúa*."""
    return str(_EXTRAS[extra])
