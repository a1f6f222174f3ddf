"""The Daily Deal: today's and each day's page, and starting a match of it."""

from datetime import date, timedelta

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from boneyard.engine.tiles import HIGHEST_SUIT
from core.http import HtmxHttpRequest, Refusal, see_other, shared_with_other_sites, wants_json
from events import services
from events.browsers import find_first_player, note_player
from events.day_json import build_json
from events.field import find_own_entry, load_field
from events.leaderboards import build_period_leaderboard, find_followed
from events.models import DealSet, Entry
from events.page import DayPage
from events.periods import parse_period
from events.refusals import EventRefused
from events.rounds import RoundPage
from games.drawing.tiles import draw_symbols
from live import seated
from lobbies.requests import get_or_create_user

LATE = timedelta(minutes=30)  # before the close: a start asks first


@never_cache
@require_safe
def today(request: HtmxHttpRequest) -> HttpResponse:
    day = timezone.now().date()
    if not DealSet.objects.filter(day=day).exists():
        return render(request, "events/none.html")
    return _render_day(request, day)


@never_cache
@require_safe
def day(request: HtmxHttpRequest, day: str) -> HttpResponse:
    return _render_day(request, _parse_day(day))


def _render_day(request: HtmxHttpRequest, day: date) -> HttpResponse:
    deals = get_object_or_404(DealSet, day=day)
    if deals.fault:
        return render(request, "events/none.html", {"is_broken": True})
    page = DayPage(
        load_field(deals),
        request.user,
        timezone.now(),
        request.build_absolute_uri("/").rstrip("/"),
        is_among_followed=request.GET.get("who") == "followed",
        is_whole_board=request.GET.get("all") == "1",
    )
    return render(request, "events/day.html", {"page": page, "symbols": draw_symbols(HIGHEST_SUIT)})


@never_cache
@require_safe
def round_page(request: HtmxHttpRequest, day: str, number: str) -> HttpResponse:
    """Show round `number` of a closed day, along the line of the result `?of=KEY`."""
    deals = _get_set(_parse_day(day))
    if not deals.has_results or not 1 <= int(number) <= deals.rounds:
        raise Http404
    loaded = load_field(deals)
    own = find_own_entry(deals, request.user.pk)
    chosen = next((each for each in loaded.results if each.key == request.GET.get("of")), None)
    page = RoundPage(loaded, int(number), loaded.build_result(own) if own else None, chosen)
    context = {
        "page": page,
        "deals": deals,
        "numbers": range(1, deals.rounds + 1),
        "symbols": draw_symbols(deals.rules["set"]),
    }
    return render(request, "events/round.html", context)


@never_cache
@require_safe
def leaderboards(request: HtmxHttpRequest) -> HttpResponse:
    """Show the leaderboard of `?month=2026-11` or `?year=2026`, by default of this month."""
    period = parse_period(request.GET, timezone.now().date())
    is_among_followed = request.GET.get("who") == "followed"
    among = find_followed(request.user) if is_among_followed else None
    context = {
        "leaderboard": build_period_leaderboard(
            period.first, period.last, period.best_days, request.user, among
        ),
        "followed": is_among_followed,
        **period._asdict(),
    }
    return render(request, "events/leaderboards.html", context)


@never_cache
@shared_with_other_sites
@require_safe
def day_json(request: HtmxHttpRequest, day: str) -> HttpResponse:
    return JsonResponse(build_json(load_field(_get_set(_parse_day(day))), request.user, timezone.now()))


@require_POST
def start(request: HtmxHttpRequest) -> HttpResponse:
    """Begin today's match, or go on with it; an anonymous visitor becomes a guest."""
    now = timezone.now()
    deals = _get_set(now.date())
    try:
        if not deals.is_open(now):  # before the visitor becomes a guest
            raise EventRefused("not_open")
        if _must_ask(request, deals):
            return render(request, "events/late.html", {"deals": deals})
        user = get_or_create_user(request)
        played_by = find_first_player(request, deals.name)
        entry = services.start(deals, user, now, has_browser_played=played_by not in (None, user.pk))
    except Refusal as refusal:
        return _answer_refusal(request, refusal)
    response = _answer_entry(request, entry)
    note_player(request, response, deals.name, user.pk)
    return response


def _must_ask(request: HtmxHttpRequest, deals: DealSet) -> bool:
    """Return whether to ask before a start so late that the rounds may not all be played; programs are not asked."""
    if timezone.now() < deals.closes_at - LATE or "sure" in request.POST or wants_json(request):
        return False
    return find_own_entry(deals, request.user.pk) is None


@require_POST
def practise(request: HtmxHttpRequest, day: str) -> HttpResponse:
    """Play a closed day again, for practice."""
    deals = _get_set(_parse_day(day))
    try:
        if not deals.has_results:  # before the visitor becomes a guest
            raise EventRefused("not_closed")
        entry = services.practise(deals, get_or_create_user(request), timezone.now())
    except Refusal as refusal:
        return _answer_refusal(request, refusal)
    return _answer_entry(request, entry)


def _answer_entry(request: HtmxHttpRequest, entry: Entry) -> HttpResponse:
    seated.note(request.session.session_key, entry.match.code)
    if wants_json(request):
        return JsonResponse({"match": entry.match.code})
    return see_other("match", code=entry.match.code)


def _answer_refusal(request: HtmxHttpRequest, refusal: Refusal) -> HttpResponse:
    if wants_json(request):
        return refusal.as_json()
    messages.error(request, refusal.sentence)
    return see_other("daily")


def _parse_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Http404 from None


def _get_set(day: date) -> DealSet:
    """Return the set of a day. Raise `Http404` also for one that this release does not know how to play."""
    deals = get_object_or_404(DealSet, day=day)
    if deals.fault:
        raise Http404
    return deals
