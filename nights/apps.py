from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NightsConfig(AppConfig):
    name = "nights"
    verbose_name = _("Nights")

    def ready(self) -> None:
        import accounts.personal
        import lobbies.nights
        import lobbies.strip
        import study.hints
        from games.table.evening import register_evening
        from games.time import outages
        from lobbies.services import starting
        from nights import evening, personal, seat_entry, tonight
        from nights import phones as phone_games
        from nights.services import phones

        study.hints.register_refuser(phone_games.is_of_a_night)
        lobbies.nights.register(tonight)
        lobbies.strip.register_night_entry(seat_entry.build)
        starting.register_night_names(evening.find_names)
        register_evening(evening.find)
        outages.register_deadline_shift(phones.shift)
        accounts.personal.register("nights", personal.export, personal.forget)
