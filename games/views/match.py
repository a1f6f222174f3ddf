"""A match's page and the forms on it. Perspective decides what is shown, services what is done."""

import time

from django.contrib import messages
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.figures import whole
from accounts.http import HtmxHttpRequest, see_other, wants_json
from accounts.models import User
from games import services, values, wording
from games.forms import MoveForm
from games.models import Match, Seat, Talk
from games.seats import seat_of
from games.services import MoveRefused, talk
from games.table.context import table_for
from games.table.readings import reading
from games.table.shown import Shown
from games.table.state import state_for


def get_match(code: str) -> Match:
    """The match, once what time has decided has been applied."""
    match = get_object_or_404(Match, code=code)
    if match.playing and match.next_action_at is not None and match.next_action_at <= timezone.now():
        try:
            services.advance(match, timezone.now())
            match.refresh_from_db()
        except OperationalError:
            pass  # a busy database must not refuse a read; the referee will see to it in a moment
    return match


def get_my_seat(request: HttpRequest, match: Match) -> Seat:
    """The sender's own seat. Raises MoveRefused (`not_seated`)."""
    seat = seat_of(match, request.user)
    if seat is None:
        raise MoveRefused("not_seated")
    return seat


@never_cache
@require_safe
def match_page(request: HttpRequest, code: str) -> HttpResponse:
    match = get_match(code)
    table = table_for(
        match,
        values.value_of(match),
        seat=seat_of(match, request.user),
        user=request.user,
        now=timezone.now(),
        chosen=request.GET.get("tile", ""),
        several=request.GET.get("chosen", ""),
    )
    return render(request, "games/match.html", {"table": table, "shown": Shown(table).in_page})


@never_cache
@require_safe
def sync(request: HttpRequest, code: str) -> HttpResponse:
    """The parts again, for a page whose socket has been silent; 204 if it already shows them."""
    shown = _shown(request, get_match(code))
    if request.GET.get("v") == shown.stamp:
        return HttpResponse(status=204)
    return HttpResponse(shown.whole())


@never_cache
@require_safe
def state(request: HttpRequest, code: str) -> HttpResponse:
    match = get_match(code)
    return JsonResponse(state_for(match, seat_of(match, request.user), timezone.now()))


@require_POST
def move(request: HtmxHttpRequest, code: str) -> HttpResponse:
    try:
        played = MoveForm(request.POST).play(code=code, user=request.user)
    except Match.DoesNotExist:
        raise Http404 from None
    except MoveRefused as refused:
        return _answer(request, get_object_or_404(Match, code=code), refused)
    return _answer(request, played.match, seat=played.seat_of(request.user), moved=True)


@require_POST
def absent(request: HtmxHttpRequest, code: str) -> HttpResponse:
    match = get_object_or_404(Match, code=code)
    try:
        seat = get_my_seat(request, match)
        match = services.answer_absence(match=match, seat=seat, take=request.POST.get("take", ""))
    except MoveRefused as refused:
        match.refresh_from_db()
        return _answer(request, match, refused)
    return _answer(request, match)


@require_POST
def continue_match(request: HtmxHttpRequest, code: str) -> HttpResponse:
    match = get_object_or_404(Match, code=code)
    try:
        services.continue_match(match=match, seat=get_my_seat(request, match))
    except MoveRefused as refused:
        match.refresh_from_db()
        return _answer(request, match, refused)
    return _answer(request, get_object_or_404(Match, code=code))


@require_POST
def say(request: HtmxHttpRequest, code: str) -> HttpResponse:
    match = get_object_or_404(Match, code=code)
    try:
        talk.say(
            match=match,
            user=_named(request),
            seat=seat_of(match, request.user),
            text=request.POST.get("text", ""),
        )
    except talk.Unsaid as unsaid:
        return _answer_talk(request, match, wording.unsaid(unsaid.code))
    return _answer_talk(request, match)


@require_POST
def report(request: HtmxHttpRequest, code: str) -> HttpResponse:
    match = get_object_or_404(Match, code=code)
    line = whole(request.POST.get("talk", ""))
    try:
        user = _named(request)
        about = None if line is None else get_object_or_404(Talk, pk=line, match=match)
        talk.report(match=match, user=user, talk=about, reason=request.POST.get("reason", ""))
    except talk.Unsaid as unsaid:
        return _answer_talk(request, match, wording.unsaid(unsaid.code))
    return _answer_talk(request, match, wording.reported(), status=200)


def _named(request: HttpRequest) -> User:
    """The sender, if they have a name. Raises Unsaid (`no_name`)."""
    if not request.user.is_authenticated:
        raise talk.Unsaid("no_name")
    return request.user


@require_safe
def record(request: HttpRequest, code: str) -> HttpResponse:
    match = get_object_or_404(Match, code=code)
    if match.playing:
        raise Http404
    response = JsonResponse(values.record_of(match), json_dumps_params={"sort_keys": True})
    response["Content-Disposition"] = f'attachment; filename="{match.code}.json"'
    return response


def _shown(request: HttpRequest, match: Match) -> Shown:
    """What the sender's page is to show now."""
    now = time.monotonic()
    return reading(match.code, version=match.version, since=now, around_since=now).shown_to(request.user)


def _answer(
    request: HtmxHttpRequest,
    match: Match,
    refused: MoveRefused | None = None,
    seat: Seat | None = None,
    moved: bool = False,
) -> HttpResponse:
    """The answer to a form at the table, refused or not: the new state, the fresh parts, or the page.

    `seat` is the sender's, if it is known to be still theirs. What a move has left (`moved`) is not read again.
    """
    status = 200 if refused is None else refused.status
    sentence = "" if refused is None else wording.refused(refused.reason, refused.error)
    if wants_json(request):
        if refused is not None:
            return JsonResponse({"error": sentence, "reason": refused.reason}, status=status)
        return JsonResponse(state_for(match, seat or seat_of(match, request.user), timezone.now()))
    if request.htmx:
        left = reading(match.code, version=match.version, since=0.0) if moved else None
        shown = left.shown_to(request.user) if left else _shown(request, match)
        return HttpResponse(shown.whole(sentence), status=status)
    if sentence:
        messages.error(request, sentence)
    return see_other("match", code=match.code)


def _answer_talk(
    request: HtmxHttpRequest, match: Match, sentence: str = "", status: int = 422
) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"error": sentence} if sentence else {}, status=status if sentence else 200)
    if request.htmx:
        return HttpResponse(_shown(request, match).whole(sentence), status=status if sentence else 200)
    if sentence:
        (messages.error if status >= 400 else messages.success)(request, sentence)
    return see_other("match", code=match.code)
