"""The refusals of this app."""

from django.utils.translation import gettext as _

from core.http import Refusal
from games import wording


class StudyRefused(Refusal):
    @property
    def sentence(self) -> str:
        sentences = {
            "nobody": _("Log in or play as a guest to have a match analysed."),
            "limit": _("You have had as many matches analysed today as a day allows. Try again tomorrow."),
            "playing": _("Only matches that have ended are analysed."),
            "rated": _("There are no hints in rated matches."),
            "deals_open": _("There are no hints while others can still get these deals."),
            "night": _("There are no hints at a night."),
            "people": _("There are hints against computers only."),
            "hint_waits": _("Your last hint is still being worked out."),
            "many_hints": _("That was a lot of hints. Try again in a minute."),
        }
        return sentences[self.reason] if self.reason in sentences else wording.refusal_sentence(self.reason)
