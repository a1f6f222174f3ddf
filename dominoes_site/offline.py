"""The service worker, and what it stores for use without a network (docs/decisions/0012).

It stores pages as an anonymous visitor gets them. Only the reader's last replays are their own; it deletes them when
they log out.
"""

import json
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from accounts.http import AuthenticatedHttpRequest
from boneyard.engine.tiles import NAMES
from core.http import see_other
from core.languages import get_requested_language
from core.latest import LatestDict
from dominoes_site.prefixes import add_prefix
from dominoes_site.version import VERSION
from games import wording
from games.drawing.tiles import draw_hand_tile, draw_symbols
from games.models import Match, Seat
from nights.sheet_kinds import list_kinds
from nights.written_sheet import read_sheet
from study.course import LESSONS, Lesson
from study.learn_pages import build_puzzle_page
from study.models import Puzzle

PUZZLES_PER_DAY = 4  # each is a page for every answer
MAX_PUZZLES = 64
MAX_REPLAYS = 5
PLAN_MAX_AGE_SECONDS = 3600
PAUSE_MS = 1000  # between pages that a worker stores: everybody at an address shares its budget
SCORE_SHEET_SUIT = 6
SCORE_SHEET_TILES = 28
WORKER_FILES = ("js/offline/notices-worker.js", "js/service-worker.js")
PAGES = ("offline", "score", "verify", "learn")


# The values of the buttons of a puzzle, which took 5 ms to find: the plan is free of budgets.py.
# Cache: key the name of the puzzle; bound MAX_PUZZLES; invalidated by nothing, since positions do not change.
_answers: LatestDict[str, list[str]] = LatestDict(MAX_PUZZLES)


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """Send the worker. Browsers update it when its first line changes: with the release or any static file."""
    build = {
        "release": f"{VERSION} {getattr(staticfiles_storage, 'manifest_hash', '')}",
        "static": settings.STATIC_URL,
        "languages": [code for code, _name in settings.LANGUAGES],
        "icon": static("img/icon-192.png"),
        "badge": static("img/icon-mono.png"),
        "logout": reverse("account_logout"),
        "share": reverse("verify-share"),
        "pause": PAUSE_MS,
    }
    text = f"self.BUILD = {json.dumps(build)};\n{_read_worker()}"
    return HttpResponse(text, content_type="text/javascript; charset=utf-8")


@cache
def _read_worker() -> str:
    return "".join(_read_script(name) for name in WORKER_FILES)


def _read_script(name: str) -> str:
    path = finders.find(name)
    if not isinstance(path, str):
        raise FileNotFoundError(name)
    return Path(path).read_text()


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show what works without a network; the page's script lists what the worker has stored."""
    return render(request, "offline.html")


@require_safe
def score(request: HttpRequest) -> HttpResponse:
    """Show the score sheet for games at a real table."""
    tiles = [
        (NAMES[tile], sum(map(int, NAMES[tile].split("-"))), draw_hand_tile(tile))
        for tile in range(SCORE_SHEET_TILES)
    ]
    known = list_kinds()
    kinds = [{"name": kind.name, "title": kind.title, "data": json.dumps(kind.to_json())} for kind in known]
    context = {
        "tiles": tiles,
        "symbols": draw_symbols(SCORE_SHEET_SUIT),
        "kinds": kinds,
        "sheet": read_sheet(request.GET, known),
    }
    return render(request, "score.html", context)


@require_safe
@cache_control(max_age=PLAN_MAX_AGE_SECONDS, public=True)
def plan(request: HttpRequest) -> HttpResponse:
    """List what the worker stores for every reader of `?lang=`."""
    language = get_requested_language(request)
    with translation.override(language):
        puzzles = [_plan_puzzle(puzzle, language) for puzzle in _choose_puzzles(timezone.now().date())]
        data: dict[str, Any] = {
            "pages": [add_prefix(reverse(name), language) for name in PAGES],
            "lessons": [_plan_lesson(lesson, language) for lesson in LESSONS],
            "puzzles": puzzles,
            "wrong": _("Not that: read again what is asked for."),
        }
    return JsonResponse(data)


def _plan_lesson(lesson: Lesson, language: str) -> dict[str, Any]:
    """Return the title, and the address and right answer of each step. The last page has no question."""
    answers = [*(step.right for step in lesson.steps), ""]
    return {
        "title": str(lesson.title),
        "steps": [
            {"address": add_prefix(reverse("lesson", args=[lesson.slug, number]), language), "right": right}
            for number, right in enumerate(answers, 1)
        ],
    }


def _choose_puzzles(day: date) -> list[Puzzle]:
    """Return the puzzles of a day: the same for everybody, so that caches of proxies can hold their pages."""
    numbers = list(Puzzle.objects.order_by("pk").values_list("pk", flat=True))
    if not numbers:
        return []
    first = day.toordinal() * PUZZLES_PER_DAY
    chosen = {numbers[(first + place) % len(numbers)] for place in range(PUZZLES_PER_DAY)}
    return list(Puzzle.objects.filter(pk__in=chosen).select_related("match").order_by("pk"))


def _plan_puzzle(puzzle: Puzzle, language: str) -> dict[str, Any]:
    """Return the address of a puzzle, and those of the pages that its buttons open."""
    address = reverse("embed-puzzle", args=[puzzle.pk])
    queries = [
        {"lang": language},
        {"show": "1", "lang": language},
        *({"lang": language, "answer": answer} for answer in _list_answers(puzzle)),
    ]
    title = f"{_('Puzzle')} {puzzle.pk}"
    return {"title": title, "addresses": [f"{address}?{urlencode(query)}" for query in queries]}


def _list_answers(puzzle: Puzzle) -> list[str]:
    key = str(puzzle)  # its match or shipped position
    if key not in _answers:
        _answers[key] = [answer.value for answer in build_puzzle_page(puzzle, None, {}).answers]
    return _answers[key]


@login_required
@never_cache
@require_safe
def mine(request: AuthenticatedHttpRequest) -> HttpResponse:
    """List the replays of the reader's last matches, which the worker stores."""
    language = get_requested_language(request)
    with translation.override(language):
        return JsonResponse({"replays": list(_plan_replays(request.user.pk, language))})


def _plan_replays(user: int, language: str) -> Iterator[dict[str, str]]:
    finished = Match.objects.filter(
        pk__in=Seat.objects.filter(user=user).values("match"), status=Match.Status.FINISHED, concealed=False
    )
    for match in finished.filter(version__gt=0).order_by("-ended_at")[:MAX_REPLAYS]:
        names = [seat.display_name for seat in match.seats.select_related("user") if seat.user_id != user]
        game = wording.game_title(match.preset, match.rules, len(names) + 1, match.base_preset)
        day = date_format(match.end, "SHORT_DATE_FORMAT")
        query = f"?lang={language}"
        yield {
            "title": f"{game}: {', '.join(names)}, {day}",
            "address": f"{reverse('embed-replay', args=[match.code])}{query}",
            "frames": f"{reverse('embed-frames', args=[match.code])}{query}",
        }


@csrf_exempt
@require_POST
def share(request: HttpRequest) -> HttpResponse:
    """Redirect to the page that checks records: no worker has taken the shared file."""
    return see_other("verify")
