"""Views of the analysis, fairness and learning pages."""

import secrets
import time
from typing import Any, cast

from django.contrib import messages
from django.core.cache import cache
from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from core.http import HtmxHttpRequest, see_other, wants_json
from core.numbers import parse_whole_number
from games.models import Match
from games.seats import get_disclosed_match, get_ended_match, get_visible_match, seat_of
from games.services import connections
from games.table import page_state
from games.views.match import forbid_indexing
from games.wording.options import level_name
from study import (
    count_trainer,
    hand_reading,
    hints,
    peeks,
    puzzles,
    services,
    verify_messages,
    verify_page,
    wording,
)
from study import rush as rushes
from study.analysis_json import build_json
from study.analysis_page import build_analysis_page, build_try_page
from study.chain import PENDING, count_replaced_secrets, find_line, iter_lines, list_restores
from study.deal_statistics import Row, build_rows, sum_counts
from study.learn_pages import LearnPage, build_puzzle_page
from study.lessons import LessonPage, find_lesson, lesson_cards
from study.models import Analysis, ChainHead, Counted, Puzzle
from study.refusals import StudyRefused

DISPLAYED_CHAIN_HEADS = 24  # one per hour
STATISTICS_CACHE_SECONDS = 600


# The public part of a stored decision; an analysis before engine 3 has no points.
def _get_analysable_match(code: str) -> Match:
    """Return the match, in which somebody has moved, as there is nothing else to analyse."""
    match = get_ended_match(code)
    if not match.version:
        raise Http404
    return match


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def analysis_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the analysis at `?move=N`; with `?try=1` ask for a move instead, and grade the posted answer."""
    match = _get_analysable_match(code)
    analysis = Analysis.objects.filter(match=match).first()
    study = build_analysis_page(
        match,
        analysis,
        seat_of(match, request.user),
        parse_whole_number(request.GET.get("move", "")),
    )
    if "try" in request.GET:
        page = build_try_page(study, _sent_answer(request), **_picked_tiles(request))
        return forbid_indexing(render(request, "study/analysis_try.html", {"page": page}), match)
    context = {"study": study, "again": analysis is not None and services.may_request_again(analysis)}
    return forbid_indexing(render(request, "study/analysis.html", context), match)


@require_http_methods(["GET", "HEAD", "POST"])
def analyse(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Request the analysis of an ended match; redirect GET requests to its page."""
    match = get_disclosed_match(code)
    if request.method != "POST":
        return redirect("analysis", code=code)
    try:
        analysis = services.request_analysis(match, request.user)
    except StudyRefused as refusal:
        return _refused(request, refusal, reverse("analysis", args=[code]))
    if wants_json(request):
        return JsonResponse(build_json(analysis), status=202)
    return see_other("analysis", code=code)


def _refused(request: HtmxHttpRequest, refusal: StudyRefused, page: str) -> HttpResponse:
    """Answer a refusal: as JSON, as a fragment for htmx, or as a message on the page with this address."""
    if wants_json(request):
        return refusal.as_json()
    if refusal.status == 404:
        raise Http404 from refusal
    if request.htmx:
        return HttpResponse(page_state.render_refusal(refusal=refusal.sentence), status=refusal.status)
    messages.error(request, refusal.sentence)
    return see_other(page)


@never_cache
@require_safe
def analysis_json(request: HttpRequest, code: str) -> HttpResponse:
    match = _get_analysable_match(code)
    return forbid_indexing(JsonResponse(build_json(get_object_or_404(Analysis, match=match))), match)


@require_safe
def verify(request: HttpRequest) -> HttpResponse:
    """Show the page that checks a file of records in the browser."""
    return render(request, "study/verify.html", _verify_context())


@require_safe
def verify_offline(request: HttpRequest) -> HttpResponse:
    """Download the verify page as one self-contained file."""
    assets = {"scripts": verify_page.scripts(), "styles": verify_page.styles()}
    # Links in the saved file must be absolute.
    context = _verify_context() | assets | {"site": request.build_absolute_uri("/").rstrip("/")}
    response = render(request, "study/verify_offline.html", context)
    # An attachment only: the site's CSP forbids inline scripts.
    response["Content-Disposition"] = 'attachment; filename="verify.html"'
    return response


def _verify_context() -> dict[str, object]:
    return {
        "sentences": verify_messages.messages_by_key(),
        "presets": verify_page.preset_rules(),
        "signs": verify_page.icons(),
    }


@require_safe
def numbers(request: HttpRequest) -> HttpResponse:
    """Show the statistics of deals, draws and computers, with the bands that chance allows, and refused reveals."""
    statistics = cache.get_or_set("study.deal_statistics", _deal_statistics, STATISTICS_CACHE_SECONDS) or []
    levels = cache.get_or_set("study.peek_levels", peeks.load_level_rows, STATISTICS_CACHE_SECONDS) or []
    context = {
        "rows": [(wording.statistic_name(row.name), row) for row in statistics],
        "levels": [(level_name(row.level), row) for row in levels],
        "reveals": cache.get_or_set("study.reveals", _reveal_totals, STATISTICS_CACHE_SECONDS),
        "heads": ChainHead.objects.order_by("-at")[:DISPLAYED_CHAIN_HEADS],
    }
    return render(request, "study/numbers.html", context)


def _deal_statistics() -> list[Row]:
    return build_rows(sum_counts(Counted.objects.values_list("counts", flat=True).iterator(chunk_size=500)))


def _reveal_totals() -> dict[str, int]:
    refused = User.objects.aggregate(total=Sum("unrevealed"))["total"] or 0
    return {"refused": refused, "replaced": count_replaced_secrets()}


@require_safe
def chain(request: HttpRequest) -> StreamingHttpResponse | HttpResponse:
    """Stream the chain of seals as text: number, seal and hash per line; of `?seal=HEX` its line alone."""
    if "seal" in request.GET:
        return _send_line(request.GET["seal"])
    lines = (f"{line}\n" for line in iter_lines())
    return StreamingHttpResponse(lines, content_type="text/plain; charset=utf-8")


def _send_line(seal: str) -> HttpResponse:
    """Send the line and owner of a seal, 202 while it has none, 404 if it is not this site's; to saved pages, too."""
    line = find_line(seal)
    status = 404 if line is None else 202 if line.startswith(PENDING) else 200
    answer = HttpResponse(f"{line or 'unknown'}\n", "text/plain", status)
    answer["Access-Control-Allow-Origin"] = "*"
    answer["Cache-Control"] = "no-store"
    return answer


@never_cache
@require_safe
def restores(request: HttpRequest) -> HttpResponse:
    """Send a line for each time that the site was restored from a backup; empty if it never was."""
    text = "".join(f"{line}\n" for line in list_restores())
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@never_cache
@require_safe
def checkpoint(request: HttpRequest) -> HttpResponse:
    """Send the latest signed checkpoint of the chain of seals."""
    head = ChainHead.objects.exclude(checkpoint="").order_by("-at").first()
    if head is None:
        raise Http404
    return HttpResponse(head.checkpoint, content_type="text/plain; charset=utf-8")


@require_POST
def hint(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Return the best move for the seat on turn in a casual match against computers."""
    match = get_visible_match(code, request.user)
    try:
        seat = seat_of(match, request.user)
        view = hints.hint_view(match, seat)
        connections.record_hand_sent(seat)
        move, claim = hints.recommend_move(match, view, cast(User, request.user))
    except StudyRefused as refusal:
        return _refused(request, refusal, match.get_absolute_url())
    if wants_json(request):
        return JsonResponse({"move": str(move), "claim": claim})
    reason = wording.reason_of_hint(view, move)
    sentence = wording.hint_in_words(wording.place_in_words(view, move), claim, reason)
    if request.htmx:
        return HttpResponse(page_state.render_refusal(confirmation=sentence, hint=str(move)))
    messages.info(request, sentence)
    tile = str(move).partition("@")[0]
    return see_other(
        f"{match.get_absolute_url()}?tile={tile}" if move.kind == "play" else match.get_absolute_url()
    )


@never_cache
@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    """Show the lessons, the puzzle of the day, the trainers and the user's own moments."""
    context = {
        "learner": LearnPage(_current_user(request), timezone.now().date(), _session_answers(request)),
        "lessons": list(lesson_cards(request.session.get("lessons", {}))),
    }
    return render(request, "study/learn.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def lesson(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a lesson at this step; check a posted `answer` and redirect to the next step if it is right."""
    lesson = find_lesson(slug)
    if lesson is None or not 1 <= number <= len(lesson.steps) + 1:
        raise Http404
    page = LessonPage(lesson, number, _sent_answer(request), **_picked_tiles(request))
    if not page.is_right:
        return render(request, "study/lesson.html", {"page": page})
    reached = request.session.get("lessons", {})
    request.session["lessons"] = reached | {slug: max(number + 1, reached.get(slug, 1))}
    return see_other("lesson", slug=slug, number=number + 1)


@never_cache
@require_safe
def puzzles_page(request: HttpRequest) -> HttpResponse:
    """Redirect to a puzzle that the user has not answered; show a page if there is none."""
    puzzle = puzzles.pick_unanswered(_current_user(request), _session_answers(request))
    if puzzle is not None:
        return redirect("puzzle", pk=puzzle.pk)
    return render(request, "study/no_puzzle.html", {"there_are": Puzzle.objects.exists()})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def puzzle(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a puzzle; grade a posted `answer`, or reveal the solution on `show`. Only a user's first answer is rated."""
    puzzle = get_object_or_404(Puzzle.objects.select_related("match"), pk=pk)
    user = _current_user(request)
    answer = _sent_answer(request)
    revealed = "show" in request.POST
    page = build_puzzle_page(puzzle, user, _session_answers(request), answer)
    if page.feedback or revealed:
        if user is None:
            request.session["puzzles"] = puzzles.answer_anonymously(
                puzzle, _session_answers(request), page.is_solved
            )
        else:
            puzzles.answer(puzzle, user, answer if page.feedback else "", page.is_solved, timezone.now())
            puzzle.refresh_from_db()
    page = build_puzzle_page(
        puzzle,
        user,
        _session_answers(request),
        answer,
        revealed=revealed or page.is_solved,
        **_picked_tiles(request),
    )
    return render(request, "study/puzzle.html", {"page": page})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def rush(request: HttpRequest) -> HttpResponse:
    """Run ten minutes of puzzles: post `start`, then an `answer` to each `puzzle`."""
    user, now = _current_user(request), time.time()
    run, feedback = rushes.load(request.session), ""
    if "start" in request.POST:
        run = rushes.start(user, run, now)
    elif run.is_running(now) and request.POST.get("puzzle") == str(run.puzzle):
        tried = build_puzzle_page(_rush_puzzle(run), None, {}, _sent_answer(request))
        if tried.feedback:
            feedback = wording.rush_feedback(tried.is_solved, tried.best)
            run = rushes.answer(user, run, tried.is_solved, now)
    request.session["rush"] = run._asdict()
    left = run.count_left(now)
    context = {"run": run, "left": left, "clock": f"{left // 60}:{left % 60:02d}", "feedback": feedback}
    if run.is_running(now):
        context["page"] = build_puzzle_page(_rush_puzzle(run), None, {}, **_picked_tiles(request))
    elif run.began and not feedback:
        context["feedback"] = wording.time_is_up()
    return render(request, "study/rush.html", context)


def _rush_puzzle(run: rushes.Rush) -> Puzzle:
    return get_object_or_404(Puzzle.objects.select_related("match"), pk=run.puzzle)


def _sent_answer(request: HttpRequest) -> str:
    """Return `answer` of the plain form, or `move` and `claim` of the table's form as one text."""
    move, claim = request.POST.get("move", ""), request.POST.get("claim", "0")
    return request.POST.get("answer") or (f"{move}={claim}" if move and claim != "0" else move)


def _picked_tiles(request: HttpRequest) -> dict[str, Any]:
    """Return the choices made without scripts: a tile, and a plan of several."""
    return {"chosen": request.GET.get("tile", ""), "plan": request.GET.get("chosen", "")}


def _session_answers(request: HttpRequest) -> dict[str, Any]:
    """Return the answers of an anonymous visitor (`puzzles.answer_anonymously`)."""
    answers: dict[str, Any] = request.session.get("puzzles", {})
    return answers


def _current_user(request: HttpRequest) -> User | None:
    return request.user if request.user.is_authenticated else None


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def count(request: HttpRequest) -> HttpResponse:
    """Run the counting trainer: as many counts as possible in a minute."""
    state = request.session.get("counting") or {}
    feedback = ""
    if "start" in request.POST:
        state = {"seed": _new_seed(), "until": time.time() + count_trainer.TRAINER_SECONDS, "right": 0}
    elif "count" in request.POST and state.get("seed"):
        task, said_count = count_trainer.build_task(state["seed"]), parse_whole_number(request.POST["count"])
        feedback = wording.count_feedback(task.count, said_count)
        if said_count is not None and time.time() < state["until"]:
            state |= {"seed": _new_seed(), "right": state["right"] + (said_count == task.count)}
    left = max(0, round(state.get("until", 0) - time.time()))
    if state.get("seed") and not left:
        state, feedback = {"right": state["right"]}, wording.time_is_up()
    request.session["counting"] = state
    best = request.session["counting_best"] = max(
        request.session.get("counting_best", 0), state.get("right", 0)
    )
    clock = f"{left // 60}:{left % 60:02d}"
    context = {"left": left, "clock": clock, "right": state.get("right"), "best": best, "feedback": feedback}
    if state.get("seed"):
        context["task"] = count_trainer.build_task(state["seed"])
    return render(request, "study/count.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def hold(request: HttpRequest) -> HttpResponse:
    """Run the hand reading trainer: mark the suits that the other seat cannot hold."""
    seed = request.POST.get("seed", "")[:40]
    task = hand_reading.HandReadingTask(seed or _new_seed())
    marked = {
        number for text in request.POST.getlist("suit") if (number := parse_whole_number(text)) is not None
    }
    feedback = wording.hand_reading_feedback(task.lacks, marked == task.lacks) if seed else ""
    return render(request, "study/holding.html", {"task": task, "marked": marked, "feedback": feedback})


def _new_seed() -> str:
    return secrets.token_hex(8)
