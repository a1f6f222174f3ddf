"""Pages about what a match was worth, once it has ended."""

import secrets
import time

from django.contrib import messages
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.figures import whole
from accounts.http import HtmxHttpRequest, see_other, wants_json
from accounts.models import User
from games.models import Match
from games.seats import seat_of
from games.table import shown
from games.views.match import not_indexed
from study import counting, fairness, faults, hints, holding, puzzles, services, wording
from study.grading.decisions import advice
from study.lessons import Taught, cards, lesson_of
from study.models import Analysis, ChainHead, Counted, Puzzle, SealLink
from study.moments import study_of
from study.numbers import Row, rows, together
from study.refusals import StudyRefused
from study.solving import Learner, solving

HEADS = 24  # hours
NUMBERS_FOR = 600  # seconds
# What analysis.json tells of a decision, and of a call; there is more in the row.
_DECISION = ("number", "seat", "move", "claim", "best", "best_claim", "loss", "error", "mark")


def _ended(code: str) -> Match:
    match = get_object_or_404(Match, code=code)
    if match.playing or not match.version:
        raise Http404
    return match


@never_cache
@require_safe
def analysis_page(request: HttpRequest, code: str) -> HttpResponse:
    """The analysis at `?move=N`; with `try`, the position to be tried again, and `answer`, the move tried."""
    match = _ended(code)
    analysis = Analysis.objects.filter(match=match).first()
    study = study_of(
        match,
        analysis,
        seat_of(match, request.user),
        whole(request.GET.get("move", "")),
        "try" in request.GET,
        request.GET.get("answer", ""),
    )
    context = {"study": study, "again": analysis is not None and services.may_be_asked_again(analysis)}
    return not_indexed(render(request, "study/analysis.html", context), match)


@require_http_methods(["GET", "HEAD", "POST"])
def analyse(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Have an ended match analysed; somebody who only looks is led to the page."""
    if request.method != "POST":
        return redirect("analysis", code=code)
    match = get_object_or_404(Match, code=code)
    try:
        analysis = services.ask(match, request.user)
    except StudyRefused as refusal:
        return _refused(request, refusal, reverse("analysis", args=[code]))
    if wants_json(request):
        return JsonResponse(_told(analysis), status=202)
    return see_other("analysis", code=code)


def _refused(request: HtmxHttpRequest, refusal: StudyRefused, page: str) -> HttpResponse:
    """Say why not: beside the table for htmx, otherwise as a message on the page with this address."""
    if wants_json(request):
        return refusal.as_json()
    if refusal.status == 404:
        raise Http404 from refusal
    if request.htmx:
        return HttpResponse(shown.told(refusal=refusal.sentence), status=refusal.status)
    messages.error(request, refusal.sentence)
    return see_other(page)


@never_cache
@require_safe
def analysis_json(request: HttpRequest, code: str) -> HttpResponse:
    match = _ended(code)
    return not_indexed(JsonResponse(_told(get_object_or_404(Analysis, match=match))), match)


def _told(analysis: Analysis) -> dict[str, object]:
    result = analysis.result if analysis.state == Analysis.State.DONE else None
    return {
        "match": analysis.match.code,
        "state": analysis.state,
        "progress": round(analysis.progress, 3),
        "engine": analysis.engine,
        "decisions": []
        if result is None
        else [{name: row[name] for name in _DECISION} for row in result["decisions"]],
        "calls": [] if result is None else result["calls"],
        "skill": None if result is None else result["skill"],
        "luck": None if result is None else result["luck"],
    }


@require_safe
def verify(request: HttpRequest) -> HttpResponse:
    """The page that checks a file of records in the reader's own browser."""
    return render(request, "study/verify.html", _of_verify())


@require_safe
def verify_offline(request: HttpRequest) -> HttpResponse:
    """The same as one file to keep."""
    inside = {"scripts": fairness.scripts(), "styles": fairness.styles()}
    # Saved, its links lead to where it came from.
    context = _of_verify() | inside | {"site": request.build_absolute_uri("/").rstrip("/")}
    response = render(request, "study/verify_offline.html", context)
    # Never shown from here: its scripts are inside, which the site's own policy forbids.
    response["Content-Disposition"] = 'attachment; filename="verify.html"'
    return response


def _of_verify() -> dict[str, object]:
    return {"sentences": faults.sentences(), "presets": fairness.presets(), "signs": fairness.signs()}


@require_safe
def numbers(request: HttpRequest) -> HttpResponse:
    """What chance does at the tables, beside the band it allows."""
    found = cache.get_or_set("study.numbers.rows", _numbers, NUMBERS_FOR) or []
    context = {
        "rows": [(wording.number_name(row.name), row) for row in found],
        "heads": ChainHead.objects.order_by("-at")[:HEADS],
    }
    return render(request, "study/numbers.html", context)


def _numbers() -> list[Row]:
    return rows(together(Counted.objects.values_list("counts", flat=True).iterator(chunk_size=500)))


@require_safe
def chain(request: HttpRequest) -> StreamingHttpResponse:
    """The chain of all seals as text: a line for each, with its number, seal and hash."""
    links = (
        SealLink.objects.order_by("number").values_list("number", "seal", "hash").iterator(chunk_size=2_000)
    )
    lines = (f"{number} {seal} {hashed}\n" for number, seal, hashed in links)
    return StreamingHttpResponse(lines, content_type="text/plain; charset=utf-8")


@require_POST
def hint(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """The best move for whoever is on turn in a casual match against computers."""
    match = get_object_or_404(Match, code=code)
    try:
        view = hints.view_for(match, seat_of(match, request.user))
    except StudyRefused as refusal:
        return _refused(request, refusal, match.get_absolute_url())
    move, claim = advice(view)
    if wants_json(request):
        return JsonResponse({"move": str(move), "claim": claim})
    said = wording.hint(wording.place_in_words(view, move), claim)
    if request.htmx:
        return HttpResponse(shown.told(done=said))
    messages.info(request, said)
    return see_other("match", code=code)


@never_cache
@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """Lessons, the puzzle of the day, one's own moments, counting."""
    context = {
        "learner": Learner(_person(request), timezone.now().date()),
        "lessons": list(cards(request.session.get("lessons", {}))),
    }
    return render(request, "study/learn.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def lesson(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A lesson before this step; `answer` posted is a try, and the right one leads to the next step."""
    found = lesson_of(slug)
    if found is None or not 1 <= number <= len(found.steps) + 1:
        raise Http404
    taught = Taught(found, number, request.POST.get("answer", ""))
    if not taught.right:
        return render(request, "study/lesson.html", {"taught": taught})
    reached = request.session.get("lessons", {})
    request.session["lessons"] = reached | {slug: max(number + 1, reached.get(slug, 1))}
    return see_other("lesson", slug=slug, number=number + 1)


@never_cache
@require_safe
def puzzles_page(request: HttpRequest) -> HttpResponse:
    """Leads to a puzzle that this person has not answered; says so where there is none."""
    puzzle = puzzles.another(_person(request))
    if puzzle is not None:
        return redirect("puzzle", pk=puzzle.pk)
    return render(request, "study/no_puzzle.html", {"there_are": Puzzle.objects.exists()})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def puzzle(request: HttpRequest, pk: int) -> HttpResponse:
    """A puzzle; `answer` posted is a try, of which the first of somebody with a name is rated; `show` gives it up."""
    found = get_object_or_404(Puzzle.objects.select_related("match"), pk=pk)
    user = _person(request)
    answer = request.POST.get("answer", "")
    told = "show" in request.POST
    tried = solving(found, user, answer)
    if user is not None and (tried.said or told):
        puzzles.answer(found, user, answer if tried.said else "", tried.solved, timezone.now())
        found.refresh_from_db()
    context = {"solving": solving(found, user, answer, told=told or tried.solved)}
    return render(request, "study/puzzle.html", context)


def _person(request: HttpRequest) -> User | None:
    return request.user if request.user.is_authenticated else None


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def count(request: HttpRequest) -> HttpResponse:
    """Count by the clock: lines of play whose count is to be said, as many as one can in a minute."""
    state = request.session.get("counting") or {}
    said = ""
    if "start" in request.POST:
        state = {"seed": _new_seed(), "until": time.time() + counting.SECONDS, "right": 0}
    elif "count" in request.POST and state.get("seed"):
        task, counted = counting.task(state["seed"]), whole(request.POST["count"])
        said = wording.counted(task.count, counted)
        if counted is not None and time.time() < state["until"]:
            state |= {"seed": _new_seed(), "right": state["right"] + (counted == task.count)}
    left = max(0, round(state.get("until", 0) - time.time()))
    if state.get("seed") and not left:
        state, said = {"right": state["right"]}, wording.time_is_up()
    request.session["counting"] = state
    best = request.session["counting_best"] = max(
        request.session.get("counting_best", 0), state.get("right", 0)
    )
    clock = f"{left // 60}:{left % 60:02d}"
    context = {"left": left, "clock": clock, "right": state.get("right"), "best": best, "said": said}
    if state.get("seed"):
        context["task"] = counting.task(state["seed"])
    return render(request, "study/count.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def hold(request: HttpRequest) -> HttpResponse:
    """What do they hold? The suits that the other seat surely lacks are to be marked."""
    seed = request.POST.get("seed", "")[:40]
    task = holding.Task(seed or _new_seed())
    marked = {number for text in request.POST.getlist("suit") if (number := whole(text)) is not None}
    said = wording.held(task.lacks, marked == task.lacks) if seed else ""
    return render(request, "study/holding.html", {"task": task, "marked": marked, "said": said})


def _new_seed() -> str:
    return secrets.token_hex(8)
