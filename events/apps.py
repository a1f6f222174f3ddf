from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EventsConfig(AppConfig):
    name = "events"
    verbose_name = _("Daily Deal")

    def ready(self) -> None:
        import accounts.personal
        import games.services
        import games.table.outcome
        import lobbies.daily_card
        from events import field, lobby_card, personal, services

        games.services.register_round_end(services.record_round)
        games.table.outcome.register_shared_result(field.describe_own_result)
        lobbies.daily_card.register(lobby_card.build)
        accounts.personal.register("events", personal.export, personal.forget)
