from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

Handler = Callable[[HttpRequest], HttpResponse]


def content_security_policy(get_response: Handler) -> Handler:
    """Send settings.SECURE_CSP with every answer; goes when Django 6 brings its own."""
    policy = "; ".join(f"{name} {' '.join(sources)}" for name, sources in settings.SECURE_CSP.items())

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", policy)
        return response

    return middleware


def in_one_thread(get_response: Handler) -> Handler:
    """Do nothing but be sync-only, so that Django runs the whole chain in one thread without hopping."""
    return get_response
