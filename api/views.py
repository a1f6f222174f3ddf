"""The page of the API, the file that describes it, and the page of one's tokens."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from api import tokens
from api.bots import BotRefused, become_bot, has_taken_part
from api.forms import TokenForm
from api.models import Token
from api.openapi import build_document, list_addresses
from api.scopes import SCOPE_NAMES, Scope
from core.http import see_other, shared_with_other_sites, wants_json
from operators.site_settings import get_site


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Say what programs may do here, and list the addresses by the scopes that open them."""
    public = [each for each in list_addresses() if each.operation.is_public]
    others = [each for each in list_addresses() if not each.operation.is_public]
    by_scope = [
        (str(scope), SCOPE_NAMES[scope], [each for each in others if scope in each.scopes]) for scope in Scope
    ]
    address = request.build_absolute_uri("/").rstrip("/")
    context = {"public": public, "by_scope": by_scope, "site_address": address}
    return render(request, "api/api.html", context)


@shared_with_other_sites
@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """Send the OpenAPI file."""
    address = request.build_absolute_uri("/").rstrip("/")
    return JsonResponse(build_document(get_site().name, address), json_dumps_params={"indent": 1})


View = Callable[..., HttpResponse]


def _confirmed(view: View) -> View:
    """Let allauth ask who has an account to confirm that it is them, as for their password; guests have nothing to."""
    asked = reauthentication_required(view)

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        is_guest = cast(User, request.user).is_guest
        response: HttpResponse = (view if is_guest else asked)(request, *args, **kwargs)
        return response

    return wrapped


@never_cache
@login_required
@_confirmed
@require_http_methods(["GET", "HEAD", "POST"])
def token_list(request: HttpRequest) -> HttpResponse:
    """List the tokens of the reader, and make one. Its text is shown in the answer, once."""
    user = cast(User, request.user)
    form, text = TokenForm(request.POST or None), ""
    if request.method == "POST" and form.is_valid():
        fields = form.cleaned_data
        try:
            text = tokens.make(user, fields["name"], map(Scope, fields["scopes"]), form.ends_at)
            form = TokenForm()
        except tokens.TokenRefused as refusal:
            form.add_error(None, refusal.sentence)
    now = timezone.now()
    rows = [(row, _name_scopes(row), row.is_valid(now)) for row in user.api_tokens.all()]
    status = 422 if form.errors else 200
    may_become_bot = not (user.is_guest or user.is_bot or user.is_staff or has_taken_part(user))
    context = {"form": form, "text": text, "rows": rows, "may_become_bot": may_become_bot}
    return render(request, "api/tokens.html", context, status=status)


def _name_scopes(token: Token) -> list[str]:
    return [str(SCOPE_NAMES[scope]) for scope in Scope if scope in token.scopes]


@require_POST
def bot(request: HttpRequest) -> HttpResponse:
    """Make the account a bot, for good: by the form of the tokens' page, which asks whether one is sure, or as JSON."""
    try:
        if not isinstance(request.user, User):
            raise BotRefused("no_account", 403)
        if not wants_json(request) and "sure" not in request.POST:
            raise BotRefused("not_sure")
        become_bot(request.user)
    except BotRefused as refusal:
        if wants_json(request):
            return refusal.as_json()
        messages.error(request, refusal.sentence)
        return see_other("tokens")
    if wants_json(request):
        return JsonResponse({"name": request.user.username, "bot": True})
    messages.success(request, _("Your account is a bot now."))
    return see_other("tokens")


@login_required
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke one of the reader's tokens."""
    tokens.revoke(get_object_or_404(Token, pk=pk, user=cast(User, request.user)))
    messages.success(request, _("The token works no more."))
    return see_other("tokens")
