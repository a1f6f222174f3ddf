from collections.abc import Callable

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.utils import translation

Handler = Callable[[HttpRequest], HttpResponse]


def preferred_language(get_response: Handler) -> Handler:
    """The person's own language, else the one of the cookie, else the browser's. Banned people are signed out."""

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        if user.is_authenticated and user.banned:
            logout(request)
            user = request.user
        preferred = getattr(user, "language", "")
        language = preferred or translation.get_language_from_request(request)
        with translation.override(language):
            request.LANGUAGE_CODE = language
            response = get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response

    return middleware
