from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NightsConfig(AppConfig):
    name = "nights"
    verbose_name = _("Nights")

    def ready(self) -> None:
        import accounts.personal
        from nights import personal

        accounts.personal.register("nights", personal.export, personal.forget)
