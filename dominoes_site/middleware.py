"""Middleware of the whole site."""

import re
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus

from django.conf import settings
from django.core.exceptions import (
    BadRequest,
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from core.http import wants_json

GetResponse = Callable[[HttpRequest], HttpResponse]


def write_policy(directives: Mapping[str, Sequence[str]]) -> str:
    """Return the value of the header Content-Security-Policy."""
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in directives.items())


def content_security_policy(get_response: GetResponse) -> GetResponse:
    """Add settings.SECURE_CSP to every response without a policy of its own. Django 6 will have its own."""
    policy = write_policy(settings.SECURE_CSP)

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", policy)
        return response

    return middleware


# No form of a table or match has as many, but that of a new table. Decoding a thousand would delay the moves of others.
MAX_TABLE_FIELDS = 50
TABLE_PATH = re.compile(r"/(?:games|tables(?!/new\b))/")
# What separates the fields of a body, by its type.
FIELD_MARKS = {"application/x-www-form-urlencoded": b"&", "multipart/form-data": b"form-data;"}


def _has_too_many_fields(request: HttpRequest) -> bool:
    """Return whether a form of a table or match has too many fields; counted before they are decoded."""
    mark = FIELD_MARKS.get(request.content_type or "")
    if mark is None or not TABLE_PATH.match(request.path):
        return False
    return request.body.count(mark) > MAX_TABLE_FIELDS


def reject_malformed(get_response: GetResponse) -> GetResponse:
    """Answer 400 to forms in an unknown encoding, and to NUL, which PostgreSQL does not accept; 413 to many fields.

    Programs that use a method which the address does not have get the 405 as JSON.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        try:
            if _has_too_many_fields(request):
                raise TooManyFieldsSent
            request.POST  # noqa: B018  decodes the form
        except (LookupError, ValueError) as error:
            raise BadRequest from error
        except (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent):
            from dominoes_site.views import too_large  # with 20 packages that a start does not need

            return too_large(request)
        texts = [request.path, *request.COOKIES.values()]
        if request.path.startswith("/admin/"):
            texts += [value for values in dict(request.GET.lists()).values() for value in values]
        if any("\0" in text for text in texts):
            raise BadRequest
        response = get_response(request)
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED and wants_json(request):
            return _refuse_method(request, response)
        return response

    return middleware


def _refuse_method(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return a refusal of this method for a program."""
    sentence = _("%(method)s does nothing here.") % {"method": request.method}
    refusal = JsonResponse({"error": sentence, "reason": "method"}, status=response.status_code)
    refusal["Allow"] = response["Allow"]
    return refusal


def drop_cookies_of_health_checks(get_response: GetResponse) -> GetResponse:
    """Remove the cookies of a request for /healthz: reading its session would fail or hang with the database."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path == "/healthz":
            request.COOKIES.clear()
        return get_response(request)

    return middleware
