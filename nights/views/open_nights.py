"""The page of an open night, who comes, and the acts of its directors."""

from datetime import date
from itertools import islice
from typing import NamedTuple

from django.http import HttpResponse
from django.shortcuts import render, resolve_url
from django.utils import formats, timezone
from django.views.decorators.http import require_POST

from core.http import HtmxHttpRequest, Refusal, get_text
from core.time_zones import get_zone
from lobbies.answers import redirect_to
from lobbies.requests import get_or_create_user
from nights import services
from nights.loaded import LoadedNight
from nights.models import Night
from nights.occurrences import list_starts
from nights.open_models import Follower
from nights.pages import NightPage
from nights.refusals import NightRefused
from nights.requests import get_open_night, parse_number, require_director
from nights.start_form import StartForm, find_local_start
from nights.tonight import build_night
from nights.views.answers import changes_open_night, refuse

DATES_SHOWN = 4  # of a weekly night, each with its button


class ComingDate(NamedTuple):
    day: str  # as the form sends it
    words: str
    is_skipped: bool


def show_open(request: HtmxHttpRequest, night: Night) -> HttpResponse:
    """Show when people meet and how many come; to directors also what they may change."""
    now = timezone.now()
    followers = Follower.objects.filter(night=night)
    is_director = night.is_directed_by(request.user.pk)
    context = {
        "night": night,
        "page": NightPage(LoadedNight(night, {}, (), ()), is_director=is_director),
        "shown": build_night(night, now, followers.count()) if night.is_running else None,
        "is_followed": request.user.is_authenticated and followers.filter(user=request.user).exists(),
        "is_director": is_director,
    }
    if is_director and night.is_running:
        initial = {"start": find_local_start(night), "zone": night.zone, "weekly": night.weekly}
        context |= {"form": StartForm(initial=initial), "dates": _list_dates(night) if night.weekly else ()}
    return render(request, "nights/open.html", context)


def _list_dates(night: Night) -> list[ComingDate]:
    zone, skipped = get_zone(night.zone), night.skipped_dates
    starts = list_starts(night.starts_at, zone, night.weekly, timezone.now())
    days = [start.astimezone(zone).date() for start in islice(starts, DATES_SHOWN)]
    return [
        ComingDate(str(day), formats.date_format(day, "MONTH_DAY_FORMAT"), day in skipped) for day in days
    ]


@require_POST
def follow(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Remind the visitor of a night, or stop that (`on` = 0); lead to the lobby, or with `page` back to the night's."""
    night = get_open_night(request, code)
    back = night.get_absolute_url() if "page" in request.POST else f"{resolve_url('lobby')}#nights-title"
    try:
        services.follow_night(get_or_create_user(request), night, request.POST.get("on", "1") != "0")
    except Refusal as refusal:
        return refuse(request, refusal, back)
    return redirect_to(request, back)


@require_POST
def dismiss(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Close the reminder of the date that is on, or of the next one."""
    night = get_open_night(request, code)
    if request.user.is_authenticated:
        services.dismiss_night(request.user, night, timezone.now())
    return redirect_to(request, "lobby")


@changes_open_night
def skip(request: HtmxHttpRequest, night: Night) -> None:
    """Skip the date `date` of a weekly night; with `on` = 0 it takes place after all."""
    director = require_director(request, night)
    text = get_text(request.POST, "date") or request.GET.get("date", "")
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise NightRefused("no_date") from None
    on = (request.POST.get("on") or request.GET.get("on", "1")) != "0"
    services.set_skipped(night, director, parse_number(request, "version"), day, on, timezone.now())


@changes_open_night
def start(request: HtmxHttpRequest, night: Night) -> None:
    """Let the night begin at another time: `start`, `zone`, `weekly`."""
    director, form = require_director(request, night), StartForm(request.POST)
    if not form.is_valid():
        raise NightRefused("bad_start")
    version, data = parse_number(request, "version"), form.cleaned_data
    starts_at, zone, weekly = data["starts_at"], data["zone"], data["weekly"]
    services.change_start(night, director, version, starts_at, zone, weekly, timezone.now())
