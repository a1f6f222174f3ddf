from django.apps import AppConfig

from core.library_languages import load_library_locales


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        load_library_locales()
