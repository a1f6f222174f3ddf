from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        import accounts.personal
        from games.services import personal

        accounts.personal.contribute("games", personal.export, personal.forget)
