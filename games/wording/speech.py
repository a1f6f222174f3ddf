"""Regional vocabulary of presets: words for a block, a win, a match to nil and extra points."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from .language_cache import in_language

# Region of a preset, so that a translation can use regional words.
_REGIONS = {
    "dominican": "Antilles",
    "puerto-rico-500": "Antilles",
    "puerto-rico-200": "Antilles",
    "cuban": "Antilles",
    "venezuelan": "Venezuela",
    "pairs-spain": "Spain",
    "brazilian-pairs": "Brazil",
    "jamaican-partner": "Jamaica",
    "jamaican-cutthroat": "Jamaica",
    "six-love-partner": "Jamaica",
    "six-love-cutthroat": "Jamaica",
    "kozel": "Kozel",
    "kozel-pairs": "Kozel",
    "sea-kozel": "Kozel",
}

# Regional Spanish catalogues; they contain only the differences from locale/es.
_SPANISH_CATALOGUES = {"Antilles": "es-do", "Venezuela": "es-ve"}

_TO_NIL = {
    "Spain": pgettext_lazy("Spain", "Skunk!"),
    "Jamaica": pgettext_lazy("Jamaica", "Six love!"),
}
_CARRIED_TIE = {
    "Kozel": pgettext_lazy("Kozel", "%(block)s, a tie: the pips wait for the next winner"),
    "Jamaica": pgettext_lazy("Jamaica", "%(block)s, a tie: the next win is worth one more"),
    "Brazil": pgettext_lazy("Brazil", "%(block)s, a tie: the next win is worth one more"),
}
_EXTRAS: Mapping[str, Promise] = {
    "capicua": _("Capicúa"),
    "capicua_blank": _("Capicúa"),
    "capicua_double": _("Double capicúa"),
    "double": pgettext_lazy("extra points", "Double"),
    "chucha": _("Chuchazo"),
    "pass_lead": _("Pase de salida"),
    "pass_round": _("Pase corrido"),
    "block": pgettext_lazy("extra points", "Block"),
    "rounds": pgettext_lazy("extra points", "Round won"),
}


class Speech(NamedTuple):
    """The vocabulary of a table; `region` is "" for international games and for house rules."""

    region: str = ""

    @contextmanager
    def in_region(self) -> Iterator[None]:
        """Translate with the regional catalogue, if the reader's language has one."""
        if get_language() != "es" or self.region not in _SPANISH_CATALOGUES:
            yield
            return
        with in_language(_SPANISH_CATALOGUES[self.region]):
            yield

    @property
    def blocked(self) -> str:
        """Return the heading of a blocked round."""
        with self.in_region():
            return str(_("Blocked"))

    @property
    def blocked_call(self) -> str:
        """Return what is called out when a round is blocked."""
        return pgettext("called out", "%(word)s!") % {"word": self.blocked}

    @property
    def domino(self) -> str:
        """Return what is called out with the last tile."""
        with self.in_region():
            return str(_("Domino!"))

    @property
    def went_out(self) -> str:
        """Return the sentence with %(name)s for who laid the last tile."""
        with self.in_region():
            return str(_("%(name)s went out"))

    @property
    def you_went_out(self) -> str:
        with self.in_region():
            return str(_("You went out"))

    @property
    def to_nil(self) -> str:
        """Return the call for a match whose losers have no points."""
        with self.in_region():
            return str(_TO_NIL.get(self.region, _("Skunk!")))

    @property
    def carried_tie(self) -> str:
        """Return the sentence with %(block)s for a block whose points the next winner gets."""
        return str(_CARRIED_TIE.get(self.region, _("%(block)s, a tie: the pips wait for the next winner")))

    @property
    def goat(self) -> str:
        """Return the sentence with %(names)s for the losers; "" where losers have no name."""
        return str(_("The goat: %(names)s.")) if self.region == "Kozel" else ""

    @property
    def you_are_the_goat(self) -> str:
        return str(_("You are the goat.")) if self.region == "Kozel" else ""


DEFAULT_SPEECH = Speech()


def speech_of(preset: str | None) -> Speech:
    """Return the vocabulary of a match by its preset."""
    return Speech(_REGIONS.get(preset or "", ""))


def extra_word(extra: str) -> str:
    """Return the name of an extra: *Capicúa*."""
    return str(_EXTRAS[extra])


def extra_of_award(kind: str) -> str:
    """Return the extra that a move of this kind completes when it earns points for passes."""
    return "pass_round" if kind == "pass" else "pass_lead"


def extra_announcement(extra: str, points: int) -> str:
    """Return an extra as an announcement, with its points: *Capicúa! +25*."""
    announcement = gettext("%(extra)s!") % {"extra": extra_word(extra)}
    return f"{announcement} +{points}" if points else announcement
