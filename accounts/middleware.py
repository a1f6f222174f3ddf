from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.contrib.auth import logout
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import get_resolver
from django.utils import timezone, translation
from django.utils.cache import add_never_cache_headers, patch_vary_headers

from accounts import conduct
from accounts.models import User
from core.database import NOT_WRITTEN
from core.languages import offered
from live.broadcast import broadcast_session_ended

Handler = Callable[[HttpRequest], HttpResponse]
SEEN_EVERY = timedelta(minutes=1)


def _note_seen(user: User) -> None:
    now = timezone.now()
    if user.seen_at is None or user.seen_at < now - SEEN_EVERY:
        try:
            User.objects.filter(pk=user.pk).update(seen_at=now)
        except NOT_WRITTEN:
            pass  # a busy database must not refuse a read


def uncached(get_response: Handler) -> Handler:
    """What is under /accounts/ (devices, second factors, addresses) stays in nobody's cache."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.path.startswith("/accounts/"):
            add_never_cache_headers(response)
        return response

    return middleware


def dead_sessions(get_response: Handler) -> Handler:
    """A request that comes with a session that has ended takes no cookie away. SessionMiddleware would, and its answer
    may reach the browser after the one that brought a new session there: a new password, set in another tab."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.user.is_anonymous and request.session.is_empty():
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        return get_response(request)

    return middleware


def ended_sessions(get_response: Handler) -> Handler:
    """Tell a person's open pages at once when a request has ended its session (a log-out, a ban) or changed its key
    (a new password, somebody else's log-in): each page looks whether it may stay."""

    def middleware(request: HttpRequest) -> HttpResponse:
        person, key = request.user.pk, request.session.session_key
        response = get_response(request)
        if person is not None and request.session.session_key != key:
            broadcast_session_ended(person)
        return response

    return middleware


def preferred_language(get_response: Handler) -> Handler:
    """The person's own language, else the one of the cookie, else the browser's; for a part of a page that of the page,
    which its reader may have changed since in another tab. Banned people are shown out."""

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        preferred = getattr(user, "language", "")
        of_page = offered(request.headers.get("Page-Language", ""))
        language = of_page or preferred or translation.get_language_from_request(request)
        with translation.override(language):
            request.LANGUAGE_CODE = language
            if user.is_authenticated and user.banned:
                if "HX-Request" in request.headers:  # a part of a page: the whole of it is to say why
                    return HttpResponse(status=403, headers={"HX-Refresh": "true"})
                logout(request)
                refuse: Callable[..., HttpResponse] = get_resolver().resolve_error_handler(403)
                return refuse(request, exception=PermissionDenied(conduct.sentence(user)))
            if user.is_authenticated:
                _note_seen(user)
            response = get_response(request)
        response.headers.setdefault("Content-Language", language)
        if not preferred:
            patch_vary_headers(response, ["Accept-Language", "Cookie"])
        return response

    return middleware
