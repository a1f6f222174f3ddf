from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EventsConfig(AppConfig):
    name = "events"
    verbose_name = _("Daily Deal")

    def ready(self) -> None:
        import accounts.personal
        import games.services
        from events import personal, services

        games.services.register_round_end(services.record_round)
        accounts.personal.register("events", personal.export, personal.forget)
