from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LobbiesConfig(AppConfig):
    name = "lobbies"
    verbose_name = _("Tables")

    def ready(self) -> None:
        from games import outages
        from live import notices
        from lobbies import context
        from lobbies.services.outage import shift

        outages.contribute(shift)
        notices.contribute(context.notices)
