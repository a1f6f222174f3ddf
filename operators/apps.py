from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class OperatorsConfig(AppConfig):
    name = "operators"
    verbose_name = gettext_lazy("This site")
