import struct
from typing import Any

from allauth.account import forms as allauth
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms as mfa
from allauth.mfa.webauthn.internal import auth as webauthn  # the public form needs an account first
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from fido2.utils import websafe_encode

from accounts.models import User
from accounts.names import MAX_NAME_LENGTH


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


class CheckedCredential(forms.Form):
    """A form that refuses a malformed credential; fido2 raises all kinds of errors for it."""

    def full_clean(self) -> None:
        try:
            super().full_clean()
        except (AttributeError, IndexError, KeyError, TypeError, ValueError, struct.error):
            self.add_error("credential", _("That did not work. Try again."))


class LoginForm(allauth.LoginForm):
    """allauth's form; the browser may offer passkeys in the field of the name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autocomplete"] = "username webauthn"


def refuse_known_passkey(credential: dict[str, Any], user: User | None = None) -> None:
    """Raise `ValidationError` if an account has the passkey already.

    What the authenticator attests counts, and must be what the browser names: by that it is found.
    """
    response = webauthn.parse_registration_response(credential).response
    attested = response.attestation_object.auth_data.credential_data
    credential_id = websafe_encode(attested.credential_id) if attested else ""
    if not credential_id or credential.get("id") != credential_id:
        raise forms.ValidationError(_("That did not work. Try again."))
    known = Authenticator.objects.filter(
        type=Authenticator.Type.WEBAUTHN, data__credential__id=credential_id
    ).first()
    if known is not None and user is not None and known.user_id == user.pk:
        raise forms.ValidationError(_("This device has a passkey of this account already."))
    if known is not None:
        raise forms.ValidationError(_("This passkey belongs to another account."))


class AddPasskeyForm(CheckedCredential, mfa.AddWebAuthnForm):
    user: User

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if credential := cleaned.get("credential"):
            try:
                refuse_known_passkey(credential, self.user)
            except forms.ValidationError as error:
                self.add_error("credential", error)
        return cleaned


class LogInPasskeyForm(CheckedCredential, mfa.LoginWebAuthnForm):
    pass


class AuthenticatePasskeyForm(CheckedCredential, mfa.AuthenticateWebAuthnForm):
    pass


class ReauthenticatePasskeyForm(CheckedCredential, mfa.ReauthenticateWebAuthnForm):
    pass


class PasskeySignUpForm(CheckedCredential):
    """A name, and in the second step the passkey that the browser made for it."""

    username = forms.CharField(
        max_length=MAX_NAME_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "username webauthn"})
    )
    credential = forms.JSONField(required=False, widget=forms.HiddenInput)

    def clean_username(self) -> str:
        return get_adapter().clean_username(self.cleaned_data["username"])

    def clean_credential(self) -> dict[str, Any] | None:
        credential = self.cleaned_data["credential"]
        if credential is not None:
            webauthn.parse_registration_response(credential)
            if not webauthn.complete_registration(credential).is_user_verified():
                raise forms.ValidationError(_("That did not work. Try again."))
            refuse_known_passkey(credential)
        return credential


class ResetPasswordForm(allauth.ResetPasswordForm):
    """allauth's form, restricted to verified addresses: an address may be somebody else's until it is."""

    users: list[User]

    def clean_email(self) -> str:
        email = super().clean_email()
        verified = EmailAddress.objects.filter(email=email.lower(), verified=True).values("user")
        self.users = list(User.objects.filter(pk__in=verified, is_active=True))
        return email
