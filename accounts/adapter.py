"""What allauth leaves to the site: which names are allowed, what becomes of a guest, who may log in, the wording."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib import messages
from django.contrib.auth import logout
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import conduct
from accounts.http import see_other
from accounts.models import User
from accounts.names import is_reserved, look_of
from accounts.preferences import kept_in_session

NOT_THEIR_PASSWORD = gettext_lazy("The name and the password do not match.")


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": NOT_THEIR_PASSWORD,
        "email_password_mismatch": NOT_THEIR_PASSWORD,
        "too_many_login_attempts": gettext_lazy("Too many attempts. Try again in five minutes."),
        "rate_limited": gettext_lazy("Too many attempts. Try again in a minute."),
        "incorrect_password": gettext_lazy("This is not your password."),
        "enter_current_password": gettext_lazy("This is not your password."),
        "username_taken": gettext_lazy("This name is taken."),
        "username_blacklisted": gettext_lazy("This name is reserved. Choose another."),
        "email_taken": gettext_lazy("There is already an account with this e-mail address."),
        "duplicate_email": gettext_lazy("This address is already one of yours."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        username = super().clean_username(username, shallow=True)
        if is_reserved(username):
            raise self.validation_error("username_blacklisted")
        guest = _guest(self.request)
        others = User.objects.exclude(pk=guest.pk) if guest else User.objects.all()
        if not shallow and others.filter(username__iexact=username).exists():
            raise self.validation_error("username_taken")
        if not shallow and (like := others.filter(look=look_of(username)).first()):
            looks = _("This name looks like %(name)s, which is taken.")
            raise ValidationError(looks, code="username_alike", params={"name": like.username})
        return username

    def new_user(self, request: HttpRequest) -> User:
        """Signing up turns a guest into a player in place, so that they keep their matches."""
        if guest := _guest(request):
            return User.objects.get(pk=guest.pk)
        return User(**kept_in_session(request))

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        user.is_guest = False
        try:
            with transaction.atomic():
                return super().save_user(request, user, form, commit)
        except IntegrityError as error:
            # Somebody else took the name after the form was validated.
            messages.error(request, self.error_messages["username_taken"])
            raise ImmediateHttpResponse(see_other("account_signup")) from error

    def pre_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse | None:
        if user.banned:
            messages.error(request, conduct.sentence(user))
            return see_other("account_login")
        return super().pre_login(request, user, **kwargs)

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:
        logout(request)
        messages.error(request, _("This account is closed."))
        return see_other("account_login")


def _guest(request: HttpRequest) -> User | None:
    return request.user if request.user.is_authenticated and request.user.is_guest else None
