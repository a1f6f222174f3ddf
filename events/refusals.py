"""The refusals of this app."""

from django.utils.translation import gettext as _

from core.http import Refusal


class EventRefused(Refusal):
    """A refusal to start a match of a set of deals."""

    @property
    def sentence(self) -> str:
        return {
            "not_open": _("These deals cannot be played now: they open and close at midnight UTC."),
            "not_closed": _("These deals can be practised once the day is over."),
            "bots": _("The Daily Deal is for people: bots do not play it."),
            "closed": _("These deals are closed or cancelled already."),
            "opened": _("These deals have opened: cancel them instead."),
        }[self.reason]
