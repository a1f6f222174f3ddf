"""Requests and responses that the views of all apps use."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse, QueryDict
from django.shortcuts import resolve_url
from django.utils.cache import get_conditional_response, set_response_etag
from django_htmx.middleware import HtmxDetails

Answer = TypeVar("Answer")


class HtmxHttpRequest(HttpRequest):
    """A request that has passed django-htmx's middleware."""

    htmx: HtmxDetails


def is_loopback(address: str) -> bool:
    """Return whether this is an IP address of the machine itself."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def get_text(fields: QueryDict, name: str) -> str:
    """Return a value without NUL, which PostgreSQL accepts in no text; "" if it is missing."""
    return fields.get(name, "").replace("\0", "")


def read_once(request: HttpRequest, read: Callable[[Any], Answer]) -> Answer:
    """Return `read(request.user)`, called once a request, so that all parts of a page show one moment."""
    # Cache: key the function and the user, who may log in meanwhile; bound the functions that are passed; dropped with
    # the request.
    answers: dict[tuple[Callable[[Any], Any], object], Any] = vars(request).setdefault("_read_once", {})
    key = read, request.user.pk
    if key not in answers:
        answers[key] = read(request.user)
    answer: Answer = answers[key]
    return answer


def read_bearer_token(header: str) -> str:
    """Return the token of an `Authorization` header, or "" for another scheme."""
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


PREFLIGHT_MAX_AGE_SECONDS = 86_400


def shared_with_other_sites(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let the pages of other sites read this view's JSON, and answer 304 to those who have it already.

    Browsers send such pages no cookies for it, and withhold an answer to a request with cookies: it has `*`.
    """

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "OPTIONS":
            response = HttpResponse(status=204)
            response["Access-Control-Allow-Methods"] = "GET, HEAD"
            response["Access-Control-Allow-Headers"] = "Authorization, If-None-Match"
            response["Access-Control-Max-Age"] = str(PREFLIGHT_MAX_AGE_SECONDS)
        else:
            response = view(request, *args, **kwargs)
            if response.status_code == 200 and "ETag" not in response:
                set_response_etag(response)
                etag = response["ETag"]
                response = get_conditional_response(request, etag=etag, response=response) or response
        response["Access-Control-Allow-Origin"] = "*"
        return response

    return wrapped


CSV_TYPE = "text/csv; charset=utf-8"
CSV_BOM = "\ufeff"  # without it, spreadsheets read letters beyond ASCII wrongly
RETRY_AFTER_SECONDS = 60  # of a limit that does not know when it ends


class Refusal(Exception):
    """Raised for a refused request: a `reason` for programs, an HTTP `status`, and a translated `sentence`."""

    def __init__(self, reason: str, status: int = 422) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status

    @property
    def sentence(self) -> str:
        raise NotImplementedError

    @property
    def retry_after(self) -> int:
        """Return after how many seconds it is worth asking again, if the refusal is one of a limit."""
        return RETRY_AFTER_SECONDS

    def as_json(self) -> JsonResponse:
        response = JsonResponse({"error": self.sentence, "reason": self.reason}, status=self.status)
        if self.status == HTTPStatus.TOO_MANY_REQUESTS:
            response["Retry-After"] = str(self.retry_after)
        return response


class SeeOther(HttpResponseRedirect):
    """A redirect after a POST, with status 303."""

    status_code = 303


def see_other(to: Any, *args: Any, **kwargs: Any) -> SeeOther:
    """Redirect with status 303; the arguments are those of Django's `redirect`."""
    return SeeOther(resolve_url(to, *args, **kwargs))


def wants_json(request: HttpRequest) -> bool:
    """Return whether the client prefers JSON to HTML, by its Accept header or by an address that ends with .json."""
    preferred = request.get_preferred_type(["text/html", "application/json"])
    return preferred == "application/json" or request.path.endswith(".json")
