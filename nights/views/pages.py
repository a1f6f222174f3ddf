"""The pages of nights."""

from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from boneyard.engine.tiles import HIGHEST_SUIT
from core.http import HtmxHttpRequest, Refusal, see_other, shared_with_other_sites, wants_json
from core.numbers import parse_whole_number
from games.drawing.tiles import draw_symbols
from lobbies.requests import get_or_create_user
from nights import services
from nights.codes import draw_code
from nights.draws.records import write_record
from nights.forms import NightForm
from nights.fragments import build_state
from nights.loaded import load_night
from nights.models import Entry, Night
from nights.night_json import build_json
from nights.pages import NightPage
from nights.requests import (
    find_own_entry,
    get_drawn_night,
    get_entry,
    get_night,
    get_visible_night,
    mark_device,
    note_presence,
)
from nights.services.rounds import read_draws
from nights.sheets import build_sheets, build_slips
from nights.views.answers import answer, refuse
from nights.views.open_nights import show_open
from nights.wording import format_start

LISTED_PERIOD = timedelta(hours=12)  # after its start a night is still coming
MAX_LISTED = 50
MAX_OWN = 30
# On the wall in a picture: names that the site's languages know.
PICTURED_TABLES = (
    (1, ("Nuria", "Hugo", "Carmen", "Pablo")),
    (2, ("Pedro", "Elena", "Marta", "Diego")),
    (3, ("Irene", "Raúl", "Sofía", "Tomás")),
    (4, ("Ana", "Miguel", "Luis", "Rosa")),
    (5, ("Paula", "Óscar", "Lucía", "Andrés")),
    (6, ("Gloria", "Felipe", "Teresa", "Ramón")),
)
PLAN = tuple((62 + 180 * x, 52 + 190 * y, 1 + x + 3 * y) for y in range(2) for x in range(3))  # in a picture


@never_cache
@require_safe
def index(request: HtmxHttpRequest) -> HttpResponse:
    """List public nights to come, and one's own."""
    since = timezone.now() - LISTED_PERIOD
    ended = (Night.Status.OVER, Night.Status.CANCELLED)
    is_coming = Q(starts_at__gt=since) | Q(format="open")
    public = Night.objects.filter(is_coming, audience=Night.Audience.PUBLIC)
    public = public.exclude(status__in=ended).exclude(club__is_hidden=True)
    own: list[Night] = []
    if request.user.is_authenticated:
        user = request.user
        mine = Night.objects.filter(host=user) | Night.objects.filter(directors=user)
        mine |= Night.objects.filter(club__memberships__user=user)
        mine |= Night.objects.filter(followers__user=user)
        own = list(
            (mine | Night.objects.filter(entries__user=user)).distinct().order_by("-starts_at")[:MAX_OWN]
        )
    coming = sorted(public.order_by("starts_at")[:MAX_LISTED], key=Night.get_next_start)
    context = {
        "coming": [(each, format_start(each)) for each in coming],
        "own": [(each, format_start(each)) for each in own],
    }
    return render(request, "nights/index.html", context)


@require_safe
def host(request: HtmxHttpRequest) -> HttpResponse:
    """Show strangers how a night goes."""
    return render(request, "nights/host.html", {"tables": PICTURED_TABLES})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HtmxHttpRequest) -> HttpResponse:
    """Ask for a new night, and make it; an anonymous visitor becomes a guest."""
    user = request.user if isinstance(request.user, User) else None
    if request.method != "POST":
        form = NightForm(user=user, club=request.GET.get("club", ""))
        return render(request, "nights/new.html", {"form": form, "plan": PLAN})
    form = NightForm(request.POST, user=user)
    if not form.is_valid():
        return _refuse_form(request, form, form.sentence, "invalid", 422)
    now = timezone.now()
    try:
        host = get_or_create_user(request)
        night = services.make(host, form.plan, now)
        if form.cleaned_data["add_oneself"] and not night.is_open_format:
            services.open_to_people(night, host, night.version, now)
    except Refusal as refusal:
        return _refuse_form(request, form, refusal.sentence, refusal.reason, refusal.status)
    return answer(request, night)


def _refuse_form(
    request: HtmxHttpRequest, form: NightForm, refusal: str, reason: str, status: int
) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"error": refusal, "reason": reason}, status=status)
    return render(request, "nights/new.html", {"form": form, "refusal": refusal, "plan": PLAN}, status=status)


@never_cache
@require_safe
def night(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Show the desk to directors, and to others what is going on."""
    night = get_visible_night(request, code)
    if night.is_open_format:
        return show_open(request, night)
    if night.is_directed_by(request.user.pk):
        chosen = parse_whole_number(request.GET.get("round", ""))
        if chosen is not None:
            return _round_page(request, night, chosen)
        return render(request, "nights/desk.html", desk_page(request, night))
    entry = find_own_entry(request, night)
    note_presence(request, night)
    is_mine = entry is not None and entry.user_id is not None and entry.user_id == request.user.pk
    context = _live_page(night, "night", entry if is_mine else None, request.user.pk) | {
        "own": entry,
        "may_join": entry is None and night.status in (Night.Status.OPEN, Night.Status.PLAYING),
    }
    return render(request, "nights/night.html", context)


def _round_page(request: HtmxHttpRequest, night: Night, number: int) -> HttpResponse:
    """Show a director the tables of one round, to enter and correct its results."""
    loaded = load_night(night)
    if not any(drawn.number == number for drawn in loaded.rounds):
        raise Http404
    page = NightPage(loaded, is_director=True, chosen=number)
    return render(request, "nights/round.html", {"night": night, "loaded": loaded, "page": page})


def desk_page(request: HtmxHttpRequest, night: Night) -> dict[str, Any]:
    """Return what the desk's template shows."""
    address = request.build_absolute_uri(night.get_absolute_url())
    own = find_own_entry(request, night)
    return _live_page(night, "desk") | {
        "address": address,
        "code": draw_code(address, _("The night's address")),
        "own": own,
    }


def _live_page(
    night: Night, view: str, entry: Entry | None = None, reader: int | None = None
) -> dict[str, Any]:
    return {
        "night": night,
        "parts": build_state(night, view, entry=entry, reader=reader).html_by_name,
        "has_next": night.weekly and night.status == Night.Status.OVER,
        "now_ms": int(timezone.now().timestamp() * 1000),
    }


@never_cache
@require_safe
def following(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Lead to the next night of a weekly one."""
    night = get_visible_night(request, code)
    following = Night.objects.filter(previous=night).first()
    if following is None:
        raise Http404
    return see_other(following)


@never_cache
@require_safe
def wall(request: HtmxHttpRequest, code: str) -> HttpResponse:
    night = get_drawn_night(request, code)
    address = request.build_absolute_uri(night.get_absolute_url())
    code_picture = draw_code(address, _("The night's address"))
    context = _live_page(night, "wall") | {"address": address, "code": code_picture}
    if not night.is_wood:
        context["symbols"] = draw_symbols(HIGHEST_SUIT)
    return render(request, "nights/wall.html", context)


@never_cache
@require_safe
def sheets(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Show a sheet for each table of the last round, and with `?slips` a slip for each person: for directors only."""
    night = get_drawn_night(request, code)
    if not night.is_directed_by(request.user.pk):
        raise Http404  # it has the personal links
    page = NightPage(load_night(night), is_director=True)
    site = request.build_absolute_uri("/").rstrip("/")
    is_slips = "slips" in request.GET
    context = {
        "night": night,
        "page": page,
        "is_slips": is_slips,
        "slips": build_slips(page, site) if is_slips else (),
        "sheets": () if is_slips else build_sheets(page, site),
        "address": request.build_absolute_uri(night.get_absolute_url()),
    }
    return render(request, "nights/sheets.html", context)


@never_cache
@require_safe
def me(request: HtmxHttpRequest, code: str, secret: str) -> HttpResponse:
    """Show a person's own page."""
    night = get_night(code)
    entry = get_entry(night, secret)
    note_presence(request, night)
    context = {
        "night": night,
        "entry": entry,
        "parts": build_state(night, "me", entry=entry, reader=request.user.pk).html_by_name,
        "now_ms": int(timezone.now().timestamp() * 1000),
    }
    return mark_device(request, render(request, "nights/me.html", context))


@require_POST
def claim(request: HtmxHttpRequest, code: str, secret: str) -> HttpResponse:
    """Tie the person to the reader's account; for play on phones an anonymous visitor becomes a guest."""
    night = get_night(code)
    entry = get_entry(night, secret)
    page = reverse("night-me", args=[night.code, secret])
    if night.is_wood and not isinstance(request.user, User):
        return see_other(f"{reverse('account_signup')}?next={page}")
    try:
        services.claim_entry(entry, get_or_create_user(request), timezone.now())
    except Refusal as refusal:
        return refuse(request, refusal, page)
    return see_other(page)


@shared_with_other_sites
@require_safe
def night_json(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Return the night; it changes with its version alone, but for the one whose list it is."""
    night = get_visible_night(request, code)
    is_director = night.is_directed_by(request.user.pk)
    etag = quote_etag(f"{night.version}-{int(is_director)}")
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        response = unchanged
    else:
        response = JsonResponse(build_json(load_night(night), is_director=is_director))
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    return response


@never_cache
@shared_with_other_sites
@require_safe
def draws_json(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Return every draw with its key, which is published with it."""
    night = get_drawn_night(request, code)
    return JsonResponse(write_record(night.code, night.seal, night.draw_rules, read_draws(night)))
