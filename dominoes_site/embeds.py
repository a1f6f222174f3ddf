"""Replays and puzzles to embed in other sites: the only pages that may be framed. They need no cookie."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import translation
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from boneyard.engine.rules import Rules
from core.languages import get_page_language
from core.numbers import parse_whole_number
from dominoes_site.middleware import write_policy
from dominoes_site.page_meta import get_base
from games import wording
from games.drawing.line import draw_cropped_line
from games.drawing.tiles import draw_symbols
from games.past.frames import build_frames
from games.seats import get_ended_match
from games.views.match import forbid_indexing
from study.learn_pages import build_puzzle_page
from study.models import Puzzle

MAX_AGE_SECONDS = 3600
POLICY = write_policy(settings.SECURE_CSP | {"frame-ancestors": ["*"]})

View = Callable[..., HttpResponse]


def framable(view: View) -> View:
    """Let other sites frame the pages of this view. They are in the language of `?lang=` or of the browser."""

    @wraps(view)
    def wrapped(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        language = get_page_language(request.GET) or translation.get_language_from_request(request)
        with translation.override(language):
            response = view(request, **kwargs)
        response["Content-Security-Policy"] = POLICY
        response["Cache-Control"] = f"public, max-age={MAX_AGE_SECONDS}"
        return response

    return xframe_options_exempt(require_safe(wrapped))


@framable
def replay(request: HttpRequest, code: str) -> HttpResponse:
    """Show the line of play after `?move=N` moves, or else at the end."""
    match = get_ended_match(code)
    given = parse_whole_number(request.GET.get("move", ""))
    number = match.version if given is None else min(given, match.version)
    (frame,) = build_frames(match, number, number)
    names = [seat.display_name for seat in match.seats.select_related("user")]
    rules = Rules.from_dict(match.rules)
    context = {
        "match": match,
        "number": number,
        "frame": frame,
        "symbols": draw_symbols(rules.set),
        "names": ", ".join(names),
        "game": wording.game_title(match.preset, match.rules, len(names), match.base_preset),
        "lang": translation.get_language(),
        "page": get_base(request) + reverse("match-replay", args=[code]),
    }
    return forbid_indexing(render(request, "embed/replay.html", context), match)


@framable
def replay_frames(request: HttpRequest, code: str) -> HttpResponse:
    """Send all positions at once, for stepping through them without the network."""
    match = get_ended_match(code)
    frames = [frame._asdict() for frame in build_frames(match)]
    return forbid_indexing(JsonResponse({"frames": frames}), match)


@framable
def puzzle(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a puzzle; grade `?answer=MOVE`, reveal the solution with `?show=1`. Nothing is stored."""
    row = get_object_or_404(Puzzle.objects.select_related("match"), pk=pk)
    answer = request.GET.get("answer", "")
    page = build_puzzle_page(row, None, {}, answer)
    page = build_puzzle_page(row, None, {}, answer, revealed="show" in request.GET or page.is_solved)
    context = {
        "page": page,
        "line": draw_cropped_line(page.view),
        "lang": translation.get_language(),
        "address": get_base(request) + reverse("puzzle", args=[pk]),
    }
    return render(request, "embed/puzzle.html", context)


@require_safe
@cache_control(max_age=MAX_AGE_SECONDS, public=True)
def script(request: HttpRequest) -> HttpResponseBase:
    """Send the script that gives frames on pages of other sites their height; its address stays the same."""
    found = finders.find("js/embed.js")
    if not isinstance(found, str):
        raise Http404
    return FileResponse(open(found, "rb"), content_type="text/javascript; charset=utf-8")
