"""Requests and answers as the views of every app know them."""

from typing import Any

from django.http import HttpRequest, HttpResponseRedirect, JsonResponse
from django.shortcuts import resolve_url
from django_htmx.middleware import HtmxDetails


class HtmxHttpRequest(HttpRequest):
    """A request that has passed django-htmx's middleware."""

    htmx: HtmxDetails


class Refusal(Exception):
    """What is not done: `reason` for programs, `status` for HTTP, `sentence` for people, in their language."""

    def __init__(self, reason: str, status: int = 422) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status

    @property
    def sentence(self) -> str:
        raise NotImplementedError

    def as_json(self) -> JsonResponse:
        return JsonResponse({"error": self.sentence, "reason": self.reason}, status=self.status)


class SeeOther(HttpResponseRedirect):
    """The answer to a form that was posted: what came of it is read at another address."""

    status_code = 303


def see_other(to: Any, *args: Any, **kwargs: Any) -> SeeOther:
    """303 to a model's page, a view's name or an address, as for `redirect`."""
    return SeeOther(resolve_url(to, *args, **kwargs))


def wants_json(request: HttpRequest) -> bool:
    """Whether the client would rather have JSON than a page: it says so, or asks for an address of JSON."""
    preferred = request.get_preferred_type(["text/html", "application/json"])
    return preferred == "application/json" or request.path.endswith(".json")
