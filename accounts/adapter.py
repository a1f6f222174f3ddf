"""allauth adapters: allowed names, guests who sign up, log-in limits, and the wording."""

from collections.abc import Iterable
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit  # the public module returns no usage to take back
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import address_counts, conduct, known, personal, retired_names, ways_in
from accounts.addresses import hash_address, normalize_address
from accounts.models import User
from accounts.names import is_reserved, look_of
from accounts.passkey_site import get_passkey_host
from accounts.preferences import session_preferences
from core.http import see_other
from live.broadcast import broadcast_session_ended
from operators import invitations, mails
from operators.site_settings import get_site

NOT_THEIR_PASSWORD = gettext_lazy("The name and the password do not match.")


# Notices mailed to the owner of an account, by allauth's template prefix.
MAIL_NOTICES = {
    "account/email/email_added": gettext_lazy("The address %(added_email)s was added."),
    "account/email/email_changed": gettext_lazy(
        "The main address was %(from_email)s and is now %(to_email)s."
    ),
    "account/email/email_deleted": gettext_lazy("The address %(deleted_email)s was taken out."),
    "account/email/password_changed": gettext_lazy("The password was changed."),
    "account/email/password_set": gettext_lazy("A password was set."),
    "account/email/password_reset": gettext_lazy("A new password was set through a link sent by mail."),
    "mfa/email/totp_activated": gettext_lazy("A second factor was set up."),
    "mfa/email/totp_deactivated": gettext_lazy("The second factor was taken out."),
    "mfa/email/recovery_codes_generated": gettext_lazy("New recovery codes were made."),
    "mfa/email/webauthn_added": gettext_lazy("A passkey was added."),
    "mfa/email/webauthn_removed": gettext_lazy("A passkey was removed."),
}


class AccountAdapter(DefaultAccountAdapter):
    """allauth's account adapter for this site."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": NOT_THEIR_PASSWORD,
        "email_password_mismatch": NOT_THEIR_PASSWORD,
        "too_many_login_attempts": gettext_lazy("Too many attempts. Try again in five minutes."),
        "too_many_attempts_at_name": gettext_lazy(
            "Too many attempts at this name. Log in with a browser that you have used before, or in an hour."
        ),
        "rate_limited": gettext_lazy("Too many attempts. Try again in a minute."),
        "incorrect_password": gettext_lazy("This is not your password."),
        "enter_current_password": gettext_lazy("This is not your password."),
        "username_taken": gettext_lazy("This name is taken."),
        "username_blacklisted": gettext_lazy("This name is reserved. Choose another."),
        "email_taken": gettext_lazy("There is already an account with this e-mail address."),
        "duplicate_email": gettext_lazy("This address is already one of yours."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return invitations.may_sign_up(request)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        username = super().clean_username(username, shallow=True)
        guest = _guest(self.request)
        if is_reserved(username) and (guest is None or guest.username != username):
            raise self.validation_error("username_blacklisted")
        if not shallow and retired_names.is_retired(username):
            raise self.validation_error("username_taken")
        others = User.objects.exclude(pk=guest.pk) if guest else User.objects.all()
        if not shallow and others.filter(username__iexact=username).exists():
            raise self.validation_error("username_taken")
        if not shallow and (like := others.filter(look=look_of(username)).first()):
            looks = _("This name looks like %(name)s, which is taken.")
            raise ValidationError(looks, code="username_alike", params={"name": like.username})
        return username

    def new_user(self, request: HttpRequest) -> User:
        """Return the row to sign up with: the guest's own, so that they keep their matches, or a new one."""
        if guest := _guest(request):
            return User.objects.get(pk=guest.pk)
        return User(**session_preferences(request))

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        if _exceeds_account_limit(request):
            messages.error(request, _("Too many accounts have come from your address today. Try tomorrow."))
            raise ImmediateHttpResponse(see_other("account_signup"))
        was_guest, user.is_guest = user.is_guest, False
        user.date_joined = timezone.now()  # an account is new, however old its guest
        try:
            with transaction.atomic():
                if not invitations.use(request):
                    raise ImmediateHttpResponse(see_other("account_signup"))
                saved = super().save_user(request, user, form, commit)
                if was_guest:
                    personal.rename_everywhere(saved)
                return saved
        except IntegrityError as error:
            # The name was taken after the form was validated.
            messages.error(request, self.error_messages["username_taken"])
            raise ImmediateHttpResponse(see_other("account_signup")) from error

    def pre_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse | None:
        if user.banned:
            messages.error(request, conduct.sentence(user))
            return see_other("account_login")
        return super().pre_login(request, user, **kwargs)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt by name and address, and by name.

        A browser in which this person has logged in before has a limit of its own: strangers who guess the
        password do not lock them out.
        """
        login = (credentials.get("username") or credentials.get("email") or "").lower()
        if browser := known.known_as(request, login):
            limits = [("login_failed_known", f"{browser}:{login}", "too_many_login_attempts")]
        else:
            address = self._get_login_attempts_cache_key(request, username=login)
            limits = [
                ("login_failed", address, "too_many_login_attempts"),
                ("login_failed_name", login, "too_many_attempts_at_name"),
            ]
        self._login_failed_rl_usage = ratelimit.RateLimitUsage(usage=[])
        for action, key, refusal in limits:
            used = ratelimit.consume(request, app="allauth.account", action=action, key=key)
            if used is None:
                raise self.validation_error(refusal)
            self._login_failed_rl_usage.usage += used.usage

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        return f"{super()._get_login_attempts_cache_key(request, **credentials)}@{ratelimit.get_ip(request)}"

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        response = super().post_login(request, user, **kwargs)
        known.remember(request, response, user)
        return response

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the hashed address: rate limits and the device list only compare addresses."""
        return hash_address(normalize_address(super().get_client_ip(request)))

    def set_password(self, user: User, password: str) -> None:
        """Set the password and end all other sessions."""
        super().set_password(user, password)
        broadcast_session_ended(user.pk)

    def can_delete_email(self, email_address: EmailAddress) -> bool:
        if not super().can_delete_email(email_address):
            return False
        return not email_address.verified or ways_in.has_another(email_address.user, address=email_address)

    def format_email_subject(self, subject: str) -> str:
        return f"[{_site_name(self.request)}] {subject}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail whose links lead to the configured address, whatever the request's Host says."""
        own = self.request.build_absolute_uri("/")
        links = {
            name: f"{settings.SITE_URL}/{value.removeprefix(own)}"
            for name, value in context.items()
            if settings.SITE_URL and isinstance(value, str) and value.startswith(own)
        }
        site = {"current_site": {"domain": _site_name(self.request), "name": get_site().name}}
        super().send_mail(template_prefix, email, context | links | site)

    def render_mail(
        self, template_prefix: str, email: str, context: dict[str, Any], headers: dict[str, str] | None = None
    ) -> EmailMessage:
        """Render the operator's text of the mail, else the template."""
        message = super().render_mail(template_prefix, email, context, headers)
        user = context.get("user")
        links = (context.get(name) for name in ("activate_url", "password_reset_url", "signup_url"))
        values = {
            "name": user.username if user else "",
            "site": context["current_site"]["domain"],
            "link": next(filter(None, links), ""),
            "notice": str(context.get("notice", "")),
        }
        mail = mails.render_mail(template_prefix.rpartition("/")[2], values)
        if mail is not None:
            message.body = mail.body
            message.subject = self.format_email_subject(mail.subject) if mail.subject else message.subject
        return message

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        notice = MAIL_NOTICES[template_prefix] % (context or {})
        super().send_notification_mail("account/email/notice", user, {"notice": notice, "user": user}, email)

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:
        logout(request)
        messages.error(request, _("This account is closed."))
        return see_other("account_login")


class SecondFactorAdapter(DefaultMFAAdapter):
    """allauth's adapter for passkeys and second factors: they belong to the configured address."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "unverified_email": gettext_lazy("Confirm your e-mail address first, or take it out."),
    }

    def _get_site_name(self) -> str:
        return _site_name(context.request)

    def _get_user_identifier(self, user: User) -> str:
        return user.username

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {"id": get_passkey_host(), "name": get_site().name}

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:
        return _("Passkey %(n)s") % {"n": Authenticator.objects.filter(user=user, type=type).count() + 1}


class DevicesAdapter(DefaultUserSessionsAdapter):
    """allauth's sessions adapter for this site."""

    def end_sessions(self, sessions: Iterable[UserSession]) -> None:
        ended = list(sessions)
        super().end_sessions(ended)
        for person in {session.user_id for session in ended}:
            broadcast_session_ended(person)


def notify_previous_address(
    request: HttpRequest, user: User, email_address: EmailAddress, **kwargs: Any
) -> None:
    """Mail the previous address when one is added. A receiver of allauth's `email_added`."""
    if not email_address.primary:
        context = {"added_email": email_address.email}
        AccountAdapter(request).send_notification_mail("account/email/email_added", user, context)


def _site_name(request: HttpRequest) -> str:
    """Return the site's configured host, or the request's on a developer's machine."""
    return settings.SITE_URL.partition("://")[2] or request.get_host()


def _exceeds_account_limit(request: HttpRequest) -> bool:
    """Count a new account from this address; return whether that exceeds the day's limit."""
    if not settings.LIMITS:
        return False
    return address_counts.count(request, "accounts", address_counts.DAY_SECONDS) > get_site().accounts_limit


def _guest(request: HttpRequest) -> User | None:
    return request.user if request.user.is_authenticated and request.user.is_guest else None
