from django.apps import AppConfig


class LobbiesConfig(AppConfig):
    name = "lobbies"

    def ready(self) -> None:
        from games import outage
        from live import notices
        from lobbies import context
        from lobbies.services.outage import shift

        outage.contribute(shift)
        notices.contribute(context.notices)
