from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from accounts import personal as people
        from games.services import personal

        people.contribute("games", personal.export, personal.forget)
