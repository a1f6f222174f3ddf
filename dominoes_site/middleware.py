from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import BadRequest
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


def well_formed(get_response: Handler) -> Handler:
    """Refuse what no page of ours sends: NUL where no form looks at it first, which PostgreSQL does not take, and forms
    in no known encoding."""

    def middleware(request: HttpRequest) -> HttpResponse:
        try:
            request.POST  # noqa: B018  decoded here, once
        except (LookupError, ValueError) as error:
            raise BadRequest from error
        texts = [request.path, *request.COOKIES.values()]
        if request.path.startswith("/admin/"):
            texts += [value for values in dict(request.GET.lists()).values() for value in values]
        if any("\0" in text for text in texts):
            raise BadRequest
        return get_response(request)

    return middleware


def health_is_nobodys(get_response: Handler) -> Handler:
    """Ask how the site is for nobody in particular: looking up who a cookie is fails, or hangs, with the database."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path == "/healthz":
            request.COOKIES.clear()
        return get_response(request)

    return middleware
