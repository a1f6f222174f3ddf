"""Pages about what a match was worth, once it has ended."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.figures import whole
from accounts.http import see_other, wants_json
from games.models import Match
from games.seats import seat_of
from games.views.match import not_indexed
from study import fairness, faults, services, wording
from study.models import Analysis
from study.moments import study_of
from study.services import NotAnalysed

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
    context = {"study": study, "again": analysis is not None and services.again(analysis)}
    return not_indexed(render(request, "study/analysis.html", context), match)


@require_http_methods(["GET", "HEAD", "POST"])
def analyse(request: HttpRequest, code: str) -> HttpResponse:
    """Have an ended match analysed; who only looks is led to the page."""
    if request.method != "POST":
        return redirect("analysis", code=code)
    match = get_object_or_404(Match, code=code)
    try:
        analysis = services.ask(match, request.user)
    except NotAnalysed as refused:
        if refused.reason == "playing":
            raise Http404 from refused
        sentence = wording.not_analysed(refused.reason)
        if wants_json(request):
            return JsonResponse({"error": sentence, "reason": refused.reason}, status=refused.status)
        messages.error(request, sentence)
        return see_other("analysis", code=code)
    if wants_json(request):
        return JsonResponse(_told(analysis), status=202)
    return see_other("analysis", code=code)


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
    return render(request, "study/verify.html", {"sentences": faults.sentences()})


@require_safe
def verify_offline(request: HttpRequest) -> HttpResponse:
    """The same as one file to keep."""
    context = {"sentences": faults.sentences(), "scripts": fairness.scripts(), "styles": fairness.styles()}
    response = render(request, "study/verify_offline.html", context)
    # Never shown from here: its scripts are inside, which the site's own policy forbids.
    response["Content-Disposition"] = 'attachment; filename="verify.html"'
    return response
