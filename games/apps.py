from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Matches, talk and reports")

    def ready(self) -> None:
        import accounts.moderators
        import accounts.personal
        from accounts import leaderboard
        from games import seats
        from games.models import Report
        from games.past import own_cases
        from games.services import personal
        from operators import site_settings

        site_settings.register_choices(
            "categories", lambda: [(str(v), str(n)) for v, n in Report.Category.choices]
        )
        accounts.personal.register("games", personal.export, personal.forget, personal.rename)
        accounts.moderators.register_conflict(own_cases.have_played_recently)
        leaderboard.register_tables(seats.find_tables)
