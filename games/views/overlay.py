"""The overlay of a match for streams: a transparent page, as late as asked for, that takes no cookie."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone, translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from core.languages import get_page_language
from core.numbers import parse_whole_number
from games.models import Match
from games.past.overlay import DELAYS_SECONDS, Overlay, build_overlay


class Shown(Protocol):
    """What an overlay shows at a moment. `stamp` changes with all of it but the clocks."""

    @property
    def stamp(self) -> str: ...


def parse_delay(request: HttpRequest) -> timedelta:
    """Return the delay that `?delay=` asks for. Raise `Http404` for another than those of `DELAYS_SECONDS`."""
    seconds = parse_whole_number(request.GET.get("delay", "0"))
    if seconds not in DELAYS_SECONDS:
        raise Http404
    return timedelta(seconds=seconds)


@never_cache
@require_safe
def overlay(request: HttpRequest, code: str) -> HttpResponse:
    """Show a public match, or to htmx what has changed since `?stamp=`."""
    match = get_object_or_404(Match, code=code, private=False, concealed=False)
    return send_overlay(request, match, parse_delay(request))


def send_overlay(
    request: HttpRequest, match: Match, delay: timedelta, names: Sequence[str] = (), table: int | None = None
) -> HttpResponse:
    """Send the overlay of a match. `table` stays in the address that the page asks; `names` as in `build_overlay`."""

    def build(moment: datetime) -> Overlay:
        return build_overlay(match, moment, names)

    return send_shown(request, build, delay, "games/_overlay.html", "games/_overlay_clocks.html", table)


def send_shown(
    request: HttpRequest,
    build: Callable[[datetime], Shown],
    delay: timedelta,
    parts: str,
    clocks: str = "",
    table: int | None = None,
) -> HttpResponse:
    """Send the page; to htmx its parts, or if the page has the same `?stamp=` the clocks alone (without any, 204)."""
    language = get_page_language(request.GET)
    with translation.override(language or translation.get_language_from_request(request)):
        shown = build(timezone.now() - delay)
        context = {
            "overlay": shown,
            "parts": parts,
            "delay": delay.seconds,
            "lang": language,
            "table": table,
            "address": request.path,
        }
        if not request.headers.get("HX-Request"):
            return render(request, "games/overlay.html", context)
        if request.GET.get("stamp") != shown.stamp:
            return render(request, parts, context)
        if not clocks:
            return HttpResponse(status=204)
        response = render(request, clocks, context)
    response["HX-Reswap"] = "none"  # only the clocks, each in its place
    return response
