"""What cannot be found out about a match, in sentences."""

from django.utils.translation import gettext as _

from accounts.http import Refusal
from games import wording


class StudyRefused(Refusal):
    @property
    def sentence(self) -> str:
        own = {
            "nobody": _("Log in or play as a guest to have a match analysed."),
            "limit": _("You have had as many matches analysed today as a day allows. Try again tomorrow."),
            "playing": _("Only matches that have ended are analysed."),
            "rated": _("There are no hints in rated matches."),
            "people": _("There are hints against computers only."),
        }
        return own[self.reason] if self.reason in own else wording.refused(self.reason)
