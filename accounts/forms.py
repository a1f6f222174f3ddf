from typing import Any

from allauth.account import forms as allauth
from allauth.account.models import EmailAddress
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User


class DeleteForm(forms.Form):
    """A confirmation with the password, if the account has one."""

    password = forms.CharField(
        label=gettext_lazy("Password"), widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if not user.has_usable_password():
            del self.fields["password"]

    def clean_password(self) -> str:
        if not self.user.check_password(self.cleaned_data["password"]):
            raise forms.ValidationError(_("This is not your password."))
        return self.cleaned_data["password"]


class ResetPasswordForm(allauth.ResetPasswordForm):
    """allauth's form, restricted to verified addresses: an address may be somebody else's until it is."""

    users: list[User]

    def clean_email(self) -> str:
        email = super().clean_email()
        verified = EmailAddress.objects.filter(email=email.lower(), verified=True).values("user")
        self.users = list(User.objects.filter(pk__in=verified, is_active=True))
        return email
