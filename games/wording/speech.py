"""How the players of a game speak at its table: a block, a win, a match to nil, by the preset they sit down to."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from .remembered import in_language

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

# Places with a Spanish of their own: their catalogues hold only what is said otherwise there than in locale/es.
_SPANISH = {"Antilles": "es-do", "Venezuela": "es-ve"}

_TO_NIL = {
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

    @contextmanager
    def at_home(self) -> Iterator[None]:
        """Whatever is translated in here is said as at home, if the reader's language is spoken there."""
        if get_language() != "es" or self.home not in _SPANISH:
            yield
            return
        with in_language(_SPANISH[self.home]):
            yield

    @property
    def blocked(self) -> str:
        """A blocked round, as a heading."""
        with self.at_home():
            return str(_("Blocked"))

    @property
    def went_out(self) -> str:
        """Of %(name)s, who laid the last tile."""
        with self.at_home():
            return str(_("%(name)s went out"))

    @property
    def you_went_out(self) -> str:
        with self.at_home():
            return str(_("You went out"))

    @property
    def to_nil(self) -> str:
        """A match whose losers have nothing."""
        with self.at_home():
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
    """A name of the option `extras`: *Capicúa*."""
    return str(_EXTRAS[extra])


def called_out(extra: str, points: int) -> str:
    """The same as its players call it out when it falls, with what it gave: *Capicúa! +25*."""
    called = gettext("%(extra)s!") % {"extra": extra_word(extra)}
    return f"{called} +{points}" if points else called
