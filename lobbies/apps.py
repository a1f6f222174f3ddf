from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LobbiesConfig(AppConfig):
    name = "lobbies"
    verbose_name = _("Tables")

    def ready(self) -> None:
        import accounts.personal
        from boneyard.engine.presets import PRESETS
        from core import broken_rows
        from games.time import outages
        from games.wording import preset_title, preset_titles
        from live import notices
        from live import strip as live_strip
        from lobbies import clocks, context, personal, site_games, strip
        from lobbies.services.outage import shift
        from operators import site_settings

        outages.register_deadline_shift(shift)
        notices.register(context.notices)
        broken_rows.register(site_games.find_broken_rows)
        live_strip.register(strip.update, strip.record_close)
        accounts.personal.register("lobbies", personal.export, personal.forget)
        preset_titles.register_site_titles(site_games.find_title)
        site_settings.register_choices("games", lambda: [(name, preset_title(name)) for name in PRESETS])
        site_settings.register_choices("clocks", clocks.get_choices)
