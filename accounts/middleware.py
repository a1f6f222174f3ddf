from collections.abc import Callable
from datetime import timedelta

from django.contrib.auth import logout
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.urls import get_resolver
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from accounts import conduct
from accounts.models import User

Handler = Callable[[HttpRequest], HttpResponse]
SEEN_EVERY = timedelta(minutes=1)


def _note_seen(user: User) -> None:
    now = timezone.now()
    if user.seen_at is None or user.seen_at < now - SEEN_EVERY:
        try:
            User.objects.filter(pk=user.pk).update(seen_at=now)
        except OperationalError:
            pass  # a busy database must not refuse a read


def preferred_language(get_response: Handler) -> Handler:
    """The person's own language, else the one of the cookie, else the browser's. Banned people are shown out."""

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        preferred = getattr(user, "language", "")
        language = preferred or translation.get_language_from_request(request)
        with translation.override(language):
            request.LANGUAGE_CODE = language
            if user.is_authenticated and user.banned:
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
