"""Answers to the forms of a night: a page, or JSON for scripts and programs."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import resolve_url
from django.views.decorators.http import require_POST

from core.http import HtmxHttpRequest, Refusal, see_other, wants_json
from nights.models import Night
from nights.requests import get_drawn_night, get_night, get_open_night, get_visible_night


def answer(request: HtmxHttpRequest, to: Any, **fields: Any) -> HttpResponse:
    """Redirect to a page; as JSON, `fields`."""
    if wants_json(request):
        return JsonResponse({"address": resolve_url(to), **fields})
    return see_other(to)


def refuse(request: HtmxHttpRequest, refusal: Refusal, to: Any) -> HttpResponse:
    """Show a refusal on the page `to`; as JSON, its reason and sentence."""
    if wants_json(request):
        return refusal.as_json()
    messages.error(request, refusal.sentence)
    return see_other(to)


Act = Callable[[HtmxHttpRequest, Night], Any]


def changes_night(view: Act) -> Callable[..., HttpResponse]:
    """Wrap the view of an act: it takes the night, and its refusals lead back to the night's page.

    A night of format `open` has no such addresses.
    """
    return _wrap(view, get_drawn_night)


def changes_any_night(view: Act) -> Callable[..., HttpResponse]:
    """Wrap the view of an act of nights of every format in the same way."""
    return _wrap(view, get_visible_night)


def changes_open_night(view: Act) -> Callable[..., HttpResponse]:
    """Wrap the view of an act of nights of format `open` in the same way."""
    return _wrap(view, get_open_night)


def sends_result(view: Act) -> Callable[..., HttpResponse]:
    """Wrap the view of a result in the same way; its sender may have nothing but a personal link or a table's code."""
    return _wrap(view, lambda _request, code: get_night(code))


def _wrap(view: Act, find_night: Callable[[HtmxHttpRequest, str], Night]) -> Callable[..., HttpResponse]:
    @require_POST
    @wraps(view)
    def wrapped(request: HtmxHttpRequest, code: str) -> HttpResponse:
        night = find_night(request, code)
        try:
            response = view(request, night)
        except Refusal as refusal:
            return refuse(request, refusal, night)
        return response if isinstance(response, HttpResponse) else answer(request, night)

    return wrapped
