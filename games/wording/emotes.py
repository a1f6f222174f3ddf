"""The names of the emotes, for screen readers and as hints; the pictures need no words."""

from django.utils.translation import pgettext_lazy

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
