from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.contrib.auth import logout
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import get_resolver
from django.utils import timezone, translation
from django.utils.cache import add_never_cache_headers, patch_vary_headers

from accounts import conduct, sessions
from accounts.models import User
from accounts.preferences import keep_address_language
from core.database import WRITE_ERRORS
from core.languages import get_supported_language
from live.broadcast import broadcast_session_ended

Handler = Callable[[HttpRequest], HttpResponse]
SEEN_INTERVAL = timedelta(minutes=1)


def _note_seen(request: HttpRequest, user: User) -> None:
    """Store that the person was here. What an open page asks for by itself does not show it."""
    if "HX-Request" in request.headers and request.method != "POST":
        return
    now = timezone.now()
    if user.seen_at is None or user.seen_at < now - SEEN_INTERVAL:
        try:
            User.objects.filter(pk=user.pk).update(seen_at=now)
        except WRITE_ERRORS:
            pass  # a read must not fail because the database is busy


def uncached(get_response: Handler) -> Handler:
    """Forbid caching of everything under /accounts/ (devices, second factors, addresses)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.path.startswith("/accounts/"):
            add_never_cache_headers(response)
        return response

    return middleware


def dead_sessions(get_response: Handler) -> Handler:
    """Keep the cookie of a request whose session has ended.

    SessionMiddleware would delete it, and its response may arrive after one that set a new session, such as a new
    password in another tab.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.user.is_anonymous and request.session.is_empty():
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        return get_response(request)

    return middleware


def ended_sessions(get_response: Handler) -> Handler:
    """Notify a person's open pages when a request ends its session (log-out, ban) or changes its key (new password,
    another log-in): each page checks its own session."""

    def middleware(request: HttpRequest) -> HttpResponse:
        person, key = request.user.pk, request.session.session_key
        response = get_response(request)
        if person is not None and request.session.session_key != key:
            broadcast_session_ended(person)
            sessions.note_change(
                key or "", (request.session.session_key or "") if request.user.pk == person else ""
            )
        return response

    return middleware


def preferred_language(get_response: Handler) -> Handler:
    """Activate the person's language, else the cookie's, else the browser's; log out banned people.

    A fragment keeps the language of its page, even if the reader has changed theirs in another tab.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        preferred = getattr(user, "language", "")
        of_page = get_supported_language(request.headers.get("Page-Language", ""))
        of_address = getattr(request, "prefix_language", "")
        language = of_address or of_page or preferred or translation.get_language_from_request(request)
        with translation.override(language):
            request.LANGUAGE_CODE = language
            if user.is_authenticated and user.banned:
                if "HX-Request" in request.headers:  # a fragment: reload the page, which says why
                    return HttpResponse(status=403, headers={"HX-Refresh": "true"})
                logout(request)
                refuse: Callable[..., HttpResponse] = get_resolver().resolve_error_handler(403)
                return refuse(request, exception=PermissionDenied(conduct.sentence(user)))
            if user.is_authenticated:
                _note_seen(request, user)
            response = get_response(request)
        response.headers.setdefault("Content-Language", language)
        if of_address and not preferred:
            keep_address_language(request, of_address, response)
        if not preferred:
            patch_vary_headers(response, ["Accept-Language", "Cookie"])
        return response

    return middleware
