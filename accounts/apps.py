from django.apps import AppConfig
from django.utils.translation import gettext_lazy


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = gettext_lazy("People and ratings")

    def ready(self) -> None:
        from allauth.account.signals import email_added

        from accounts.adapter import notify_previous_address

        email_added.connect(notify_previous_address)
