from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EventsConfig(AppConfig):
    name = "events"
    verbose_name = _("Daily Deal")

    def ready(self) -> None:
        import accounts.personal
        import games.services
        import games.table.closing
        import games.table.outcome
        import lobbies.daily_card
        import study.achievements
        from core import broken_rows
        from events import field, lobby_card, personal, services, streaks
        from events.broken_rows import find_broken_rows
        from games.time import outages

        games.services.register_round_end(services.record_round)
        games.services.register_network_handler(services.record_network)
        outages.register_deadline_shift(services.record_outage)
        broken_rows.register(find_broken_rows)
        study.achievements.register_lost_days(streaks.find_lost_days)
        games.table.outcome.register_shared_result(field.describe_own_result)
        games.table.closing.register_closing_time(field.find_closing_time)
        lobbies.daily_card.register(lobby_card.build)
        accounts.personal.register("events", personal.export, personal.forget)
