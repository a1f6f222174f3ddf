"""What players say with one press: the names of the emotes, for screen readers and as hints, and quick replies."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from .language_cache import cached_by_language

_NAMES = {
    "smile": pgettext_lazy("emote", "Smile"),
    "laugh": pgettext_lazy("emote", "Laugh"),
    "wink": pgettext_lazy("emote", "Wink"),
    "surprise": pgettext_lazy("emote", "Surprise"),
    "think": pgettext_lazy("emote", "Thinking"),
    "sad": pgettext_lazy("emote", "Sad"),
    "phew": pgettext_lazy("emote", "Phew"),
    "clap": pgettext_lazy("emote", "Applause"),
    "thumb": pgettext_lazy("emote", "Thumbs up"),
    "heart": pgettext_lazy("emote", "Heart"),
    "hat": pgettext_lazy("emote", "Hats off"),
    "wave": pgettext_lazy("emote", "Wave"),
}


def emote_name(emote: str) -> str:
    """Return the name of an emote: *Thumbs up*."""
    return str(_NAMES[emote])


@cached_by_language
def name_emotes(emotes: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return each emote with its name."""
    return tuple((emote, emote_name(emote)) for emote in emotes)


@cached_by_language
def quick_replies(playing: bool) -> tuple[str, ...]:
    """Return the messages that players can send with one button, during a match or after it."""
    if not playing:
        return _("Well played"), _("Thank you"), _("Another one?")
    return _("Good luck"), _("Nice play"), _("One moment")
