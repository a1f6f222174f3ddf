"""Sign-up with a passkey instead of a password; allauth has the rest.

allauth's own sign-up with a passkey needs an e-mail address that is confirmed first. Here the account is made of a
guest, whose row exists before the passkey: the browser stores its key with it.
"""

from typing import Any

from allauth.account import signals
from allauth.account.adapter import get_adapter
from allauth.account.models import Login
from allauth.account.utils import get_next_redirect_url, passthrough_next_redirect_url
from allauth.core import ratelimit
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal import auth, flows  # public ones need an e-mail address
from allauth.mfa.webauthn.views import AddWebAuthnView, remove_webauthn
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.db import transaction
from django.http import HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import guests, passkey_states, ways_in
from accounts.forms import PasskeySignUpForm
from accounts.http import AuthenticatedHttpRequest
from core.http import see_other, wants_json

NAME_KEY = "name"  # in the state of a ceremony: the name that the passkey is made for


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: AuthenticatedHttpRequest) -> HttpResponse:
    """Show the form; a POST that wants JSON checks the name and returns what the browser needs to make a passkey."""
    if not get_adapter().is_open_for_signup(request):
        return render(request, "account/signup_closed.html")
    if request.method != "POST":
        return _render(request, PasskeySignUpForm())
    if not ratelimit.consume(request, action="signup"):
        return ratelimit.respond_429(request)
    state = passkey_states.restore(request)
    form = PasskeySignUpForm(request.POST)
    if not form.is_valid():
        return _render(request, form, 422)
    if wants_json(request):
        return _begin(request, form)
    if not form.cleaned_data["credential"] or not request.user.is_authenticated or not request.user.is_guest:
        form.add_error("credential", _("That did not work. Try again."))
        return _render(request, form, 422)
    if state is None or state.get(NAME_KEY) != form.cleaned_data["username"]:
        form.add_error("username", _("The passkey was made for another name. Press the button once more."))
        return _render(request, form, 422)
    return _complete(request, form)


class AddPasskeyView(AddWebAuthnView):
    """allauth's view, which would validate a refused form once more, with the state of the next ceremony."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data() | kwargs


def remove(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Show or process allauth's form that removes a passkey, unless it is the last way into the account."""
    if not request.user.is_authenticated:
        return remove_webauthn(request, pk=pk)
    with ways_in.locked(request.user):
        passkey = Authenticator.objects.filter(pk=pk, user=request.user).first()
        if passkey is not None and not ways_in.has_another(request.user, passkey=passkey):
            messages.error(
                request,
                _("This is the only way into your account. Set a password or add another passkey first."),
            )
            return see_other("mfa_list_webauthn")
        return remove_webauthn(request, pk=pk)


def _begin(request: AuthenticatedHttpRequest, form: PasskeySignUpForm) -> HttpResponse:
    try:
        guest = request.user if request.user.is_authenticated else guests.become_guest(request, signs_up=True)
    except guests.TooManyGuests:
        return ratelimit.respond_429(request)
    if not guest.is_guest:
        return JsonResponse({"error": _("You have an account.")}, status=422)
    guest.username = form.cleaned_data[
        "username"
    ]  # not saved: the name under which the browser stores the key
    options = auth.begin_registration(guest, passwordless=True)
    request.session[auth.STATE_SESSION_KEY] |= {NAME_KEY: guest.username}
    passkey_states.remember(request)
    return JsonResponse({"creation_options": options, "csrf": get_token(request)})


def _complete(request: AuthenticatedHttpRequest, form: PasskeySignUpForm) -> HttpResponse:
    adapter = get_adapter()
    with transaction.atomic():
        user = adapter.save_user(request, adapter.new_user(request), form)
        passkey = flows.signup_authenticator(
            request, user, user.username, credential=form.cleaned_data["credential"]
        )
    signals.user_signed_up.send(sender=type(user), request=request, user=user)
    messages.info(
        request, _("Add a second passkey or an e-mail address, lest you lose the account with this device.")
    )
    return flows.perform_passwordless_login(request, passkey, Login(user=user, signup=True))


def _render(request: AuthenticatedHttpRequest, form: PasskeySignUpForm, status: int = 200) -> HttpResponse:
    if status != 200 and wants_json(request):
        return JsonResponse({"errors": form.errors}, status=status)
    context = {
        "form": form,
        "next": get_next_redirect_url(request) or "",
        "signup_url": passthrough_next_redirect_url(request, reverse("account_signup"), REDIRECT_FIELD_NAME),
    }
    return render(request, "accounts/passkey_signup.html", context, status=status)
