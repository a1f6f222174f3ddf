from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ApiConfig(AppConfig):
    name = "api"
    verbose_name = _("API")

    def ready(self) -> None:
        import accounts.personal
        from api import personal

        accounts.personal.register("tokens", personal.export, personal.forget)
