from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsConfig(AppConfig):
    name = "notifications"
    verbose_name = _("Notifications")

    def ready(self) -> None:
        import accounts.personal
        import accounts.sessions
        from games.time import outages
        from notifications import devices, personal, services

        outages.register_deadline_shift(services.shift)
        accounts.personal.register("notifications", personal.export, personal.forget)
        accounts.sessions.register(devices.follow_session)
