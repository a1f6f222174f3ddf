"""Admin log-in, and the admin of second factors."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.admin import EmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.admin import UserSessionAdmin
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts import conduct
from accounts.admin import library_labels
from accounts.models import User
from core.admin_rights import WithoutAdd, WithoutChange


class AdminLogin(AdminAuthenticationForm):
    """The admin's log-in form, with the site's limit on attempts; refuses accounts with a second factor."""

    def clean(self) -> dict[str, Any]:
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if name is not None and password:
            self.user_cache = get_adapter().authenticate(self.request, username=name, password=password)
            if self.user_cache is None:
                raise self.get_invalid_login_error()
            self.confirm_login_allowed(self.user_cache)
        return self.cleaned_data

    def confirm_login_allowed(self, user: User) -> None:
        super().confirm_login_allowed(user)
        if user.banned:
            raise ValidationError(conduct.sentence(user))
        if is_mfa_enabled(user):
            raise ValidationError(_("This account has a second factor: log in at the site, then come back."))


admin.site.login_form = AdminLogin


library_labels.apply()
admin.site.unregister(Authenticator)


@admin.register(Authenticator)
class AuthenticatorAdmin(WithoutAdd, WithoutChange, admin.ModelAdmin):
    """Second factors, to delete when a phone was lost. Their secrets are not shown."""

    list_display = ["user", "type", "created_at", "last_used_at"]
    list_filter = ["type"]
    list_select_related = ["user"]
    search_fields = ["user__username"]
    exclude = ["data"]


# Only their owners make these rows.
admin.site.unregister([UserSession, EmailAddress])
admin.site.register(UserSession, type("UserSessionAdmin", (WithoutAdd, UserSessionAdmin), {}))
admin.site.register(EmailAddress, type("EmailAddressAdmin", (WithoutAdd, EmailAddressAdmin), {}))
