"""Requests with a token: no cookie is read, no CSRF token asked, and the scopes of the token decide."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from api import tokens
from api.bots import may_move
from api.models import Token
from api.scopes import SCOPES
from core.http import read_bearer_token

Handler = Callable[[HttpRequest], HttpResponse]
PATHS_WITH_OWN_TOKENS = frozenset({"/metrics"})
# Where a program at a person's account plays (`may_move`).
PLAYING = frozenset({"match-move", "match-hint", "match-absent", "match-prod", "match-continue"})


def get_token_text(request: HttpRequest) -> str:
    """Return the token of a request, or "" without one."""
    if request.path_info in PATHS_WITH_OWN_TOKENS:
        return ""
    return read_bearer_token(request.headers.get("Authorization", ""))


def without_cookies(get_response: Handler) -> Handler:
    """Forget the cookies of a request with a token, before sessions are read."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not get_token_text(request):
            return get_response(request)
        request.COOKIES.clear()
        request.csrf_processing_done = True  # type: ignore[attr-defined]  # no page of another site sends the header
        response = get_response(request)
        response.cookies.clear()
        return response

    return middleware


def authenticate(get_response: Handler) -> Handler:
    """Let a request with a token be of the token's account, at addresses that one of its scopes opens."""

    def middleware(request: HttpRequest) -> HttpResponse:
        text = get_token_text(request)
        if not text:
            return get_response(request)
        token = tokens.find(text)
        if token is None:
            refusal = _refuse(401, "bad_token", _("This token is unknown, has ended or was revoked."))
            refusal["WWW-Authenticate"] = 'Bearer error="invalid_token"'
            return refusal
        refused = _refuse_address(request, token)
        if refused is not None:
            return refused
        request.user = token.user
        response = get_response(request)
        request.session.modified = False  # messages of a refused form are for pages
        if response.status_code == 404:  # the page of this status is one of the account's
            return _not_found()
        return response

    return middleware


def _refuse_address(request: HttpRequest, token: Token) -> HttpResponse | None:
    """Return the refusal of an address that the token does not open, or None."""
    try:
        found = resolve(request.path_info)
    except Resolver404:
        return _not_found()
    scopes = SCOPES.get(found.url_name or "")
    if scopes is None:
        return _refuse(403, "no_tokens_here", _("No token opens this address."))
    if not token.allows(scopes):
        needed = sorted(scopes)
        sentence = _("Your token lacks the scope %(scope)s.") % {"scope": " / ".join(needed)}
        return _refuse(403, "missing_scope", sentence, scopes=needed)
    if found.url_name in PLAYING and not may_move(token.user, found.kwargs["code"]):
        sentence = _("At a person's account programs move only in casual matches against computers.")
        return _refuse(403, "bots_only", sentence)
    return None


def _not_found() -> HttpResponse:
    return _refuse(404, "not_found", _("There is nothing at this address."))


def _refuse(status: int, reason: str, sentence: str, **more: Any) -> HttpResponse:
    return JsonResponse({"error": sentence, "reason": reason, **more}, status=status)
