"""A match's page and the forms on it. Perspective decides what is shown, services what is done."""

from django.contrib import messages
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.http import see_other
from games import services, values, wording
from games.models import Match, Seat, Talk
from games.seats import seat_of
from games.services import Refused, connections, talk
from games.table.context import parts, table_for
from games.table.state import state_for

LONGEST_MOVE = 40


def wants_json(request: HttpRequest) -> bool:
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def get_match(code: str) -> Match:
    """The match; what time has decided meanwhile is applied first."""
    match = get_object_or_404(Match, code=code)
    if match.playing and match.next_action_at is not None and match.next_action_at <= timezone.now():
        try:
            services.advance(match, timezone.now())
            match.refresh_from_db()
        except OperationalError:
            pass  # a busy database must not refuse a read; the referee does it in a moment
    return match


def get_my_seat(request: HttpRequest, match: Match) -> Seat:
    """The person's own seat, or Refused: `not_seated`."""
    seat = seat_of(match, request.user)
    if seat is None:
        raise Refused("not_seated")
    return seat


def not_indexed(response: HttpResponse, match: Match) -> HttpResponse:
    """Ask search engines to leave a private match out: who has its link may come, and nobody else shall find it."""
    if match.private:
        response["X-Robots-Tag"] = "noindex"
    return response


@never_cache
@require_safe
def match_page(request: HttpRequest, code: str) -> HttpResponse:
    match = get_match(code)
    seat = seat_of(match, request.user)
    connections.hand_shown(seat)
    table = _table(request, match, seat)
    return not_indexed(render(request, "games/match.html", {"table": table}), match)


@never_cache
@require_safe
def sync(request: HttpRequest, code: str) -> HttpResponse:
    """The parts again for a page whose socket has been silent; 204 if it shows them already."""
    match = get_match(code)
    seat = seat_of(match, request.user)
    connections.hand_shown(seat)
    table = _table(request, match, seat)
    if request.GET.get("v") == table.stamp:
        return HttpResponse(status=204)
    return HttpResponse(parts(table))


@never_cache
@require_safe
def state(request: HttpRequest, code: str) -> HttpResponse:
    match = get_match(code)
    seat = seat_of(match, request.user)
    connections.hand_shown(seat)
    return JsonResponse(state_for(match, seat, timezone.now()))


@require_POST
def move(request: HttpRequest, code: str) -> HttpResponse:
    match = get_object_or_404(Match, code=code)
    try:
        text, seen_version, claim = _posted_move(request)
        services.parse(text)
        seat = get_my_seat(request, match)
        match = services.play(match=match, seat=seat, move=text, seen_version=seen_version, claim=claim)
    except Refused as refused:
        return _answer(request, match, refused)
    return _answer(request, match, seat=seat)


def _posted_move(request: HttpRequest) -> tuple[str, int, int | None]:
    text = request.POST.get("move", "")
    version = request.POST.get("version", "")
    claim = request.POST.get("claim", "")
    if not text or len(text) > LONGEST_MOVE or not _whole(version) or (claim and not _whole(claim)):
        raise Refused("malformed")
    return text, int(version), int(claim) if claim else None


def _whole(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 9


@require_POST
def absent(request: HttpRequest, code: str) -> HttpResponse:
    match = get_object_or_404(Match, code=code)
    try:
        seat = get_my_seat(request, match)
        match = services.claim_absent(match=match, seat=seat, take=request.POST.get("take", ""))
    except Refused as refused:
        return _answer(request, match, refused)
    return _answer(request, match)


@require_POST
def continue_match(request: HttpRequest, code: str) -> HttpResponse:
    match = get_object_or_404(Match, code=code)
    try:
        services.continue_match(match=match, seat=get_my_seat(request, match))
    except Refused as refused:
        return _answer(request, match, refused)
    return _answer(request, get_object_or_404(Match, code=code))


@require_POST
def say(request: HttpRequest, code: str) -> HttpResponse:
    match = get_object_or_404(Match, code=code)
    try:
        _need_a_name(request)
        talk.say(
            match=match,
            user=request.user,
            seat=seat_of(match, request.user),
            text=request.POST.get("text", ""),
        )
    except talk.Unsaid as unsaid:
        return _answer_talk(request, match, wording.unsaid(unsaid.code))
    return _answer_talk(request, match)


@require_POST
def report(request: HttpRequest, code: str) -> HttpResponse:
    match = get_object_or_404(Match, code=code)
    line = request.POST.get("talk", "")
    try:
        _need_a_name(request)
        about = get_object_or_404(Talk, pk=int(line), match=match) if _whole(line) else None
        talk.report(match=match, user=request.user, talk=about, reason=request.POST.get("reason", ""))
    except talk.Unsaid as unsaid:
        return _answer_talk(request, match, wording.unsaid(unsaid.code))
    return _answer_talk(request, match, done=wording.reported())


def _need_a_name(request: HttpRequest) -> None:
    if not request.user.is_authenticated:
        raise talk.Unsaid("no_name")


@require_safe
def record(request: HttpRequest, code: str) -> HttpResponse:
    match = get_object_or_404(Match, code=code)
    if match.playing:
        raise Http404
    response = JsonResponse(values.record_of(match), json_dumps_params={"sort_keys": True})
    response["Content-Disposition"] = f'attachment; filename="{match.code}.json"'
    return not_indexed(response, match)


def _table(request: HttpRequest, match: Match, seat: Seat | None):
    now = timezone.now()
    return table_for(
        match,
        values.value_of(match),
        seat=seat,
        user=request.user,
        now=now,
        chosen=request.GET.get("tile", ""),
        several=request.GET.get("chosen", ""),
    )


def _answer(
    request: HttpRequest, match: Match, refused: Refused | None = None, seat: Seat | None = None
) -> HttpResponse:
    """What a form of the table gets: the new state, the fresh parts, or the page; refused or not.
    `seat` is the sender's, where it is known to be theirs still."""
    if refused is not None:
        match.refresh_from_db()
    status = 200 if refused is None else refused.status
    sentence = "" if refused is None else wording.refused(refused.reason, refused.error)
    if wants_json(request):
        if refused is not None:
            return JsonResponse({"error": sentence, "reason": refused.reason}, status=status)
        return JsonResponse(state_for(match, seat or seat_of(match, request.user), timezone.now()))
    if request.htmx:
        table = _table(request, match, seat or seat_of(match, request.user))
        return HttpResponse(parts(table, refusal=sentence), status=status)
    if sentence:
        messages.error(request, sentence)
    return see_other(match)


def _answer_talk(request: HttpRequest, match: Match, refusal: str = "", done: str = "") -> HttpResponse:
    status = 422 if refusal else 200
    if wants_json(request):
        said = {"error": refusal, "message": done}
        return JsonResponse({name: sentence for name, sentence in said.items() if sentence}, status=status)
    if request.htmx:
        table = _table(request, match, seat_of(match, request.user))
        return HttpResponse(parts(table, refusal=refusal, done=done), status=status)
    if refusal or done:
        (messages.error if refusal else messages.success)(request, refusal or done)
    return see_other(match)
