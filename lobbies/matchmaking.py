"""Views of matchmaking: quick play, challenges and rematches. Every form works without JavaScript."""

from dataclasses import replace
from datetime import datetime

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.addresses import address_of
from accounts.models import User
from accounts.pauses import DEFAULT_PAUSES
from accounts.preferences import preferences_of
from boneyard.engine.presets import PRESETS
from core.http import HtmxHttpRequest, see_other, wants_json
from games.models import Match
from games.seats import get_visible_match
from lobbies import seating, services
from lobbies.answers import changes_table, redirect_to, redirect_to_table, render_refusal
from lobbies.form_data import initial_data
from lobbies.forms import QuickForm, TableForm, sentence_of
from lobbies.front_page import render_game_picker
from lobbies.models import Table
from lobbies.offers import QuickGame, may_play_rated, own_and_usual_games
from lobbies.pairing import VISITOR, Seeker, load_seeker
from lobbies.refusals import TableRefused
from lobbies.requests import get_or_create_user, may_rate, parse_commitment, require_user

CHALLENGE_SEATS = (2, 3, 4)


@require_POST
def quick_play(request: HtmxHttpRequest, preset: str = "") -> HttpResponse:
    """Sit down at a suitable table; the preset is in the address or on the form, and without it any game will do.

    With `ask`, where nobody fits and people wait for the same game otherwise, lead to the lobby, which asks.
    """
    data = request.POST
    preset = preset or data.get("preset", "")
    if not preset and "seats" not in data:
        return _play_anything(request)
    if preset not in PRESETS:
        raise Http404
    form = QuickForm(data, preset)
    if not form.is_valid():
        sentence = sentence_of(form)
        if wants_json(request):
            return JsonResponse({"error": sentence, "reason": "invalid"}, status=422)
        messages.error(request, sentence)
        return see_other("lobby")
    level = form.cleaned_data["computer"]
    if not level and "ask" in data and _has_question(request, form):
        return see_other(f"{resolve_url('lobby')}?preset={preset}")
    try:
        user = get_or_create_user(request)
        game = form.game(rated=may_play_rated(user) and not level, pauses=user.pauses)
        table = services.quick_play(user, game, level, parse_commitment(request))
    except TableRefused as refusal:
        return render_refusal(request, refusal, "lobby")
    return _redirect_seated(request, table)


def _has_question(request: HtmxHttpRequest, form: QuickForm) -> bool:
    """Return whether nobody waits for this game as asked for, but for the same game otherwise."""
    now, game = timezone.now(), form.game(rated=False, pauses=DEFAULT_PAUSES)
    clock = f"{game.clock[0]}+{game.clock[1]}" if game.clock else ""
    asked = QuickGame(form.preset, game.seats, clock)
    offer = seating.find_offer(_load_seeker(request, now), asked, seating.load_tables(), now)
    return offer.otherwise is not None


def _load_seeker(request: HtmxHttpRequest, now: datetime) -> Seeker:
    return load_seeker(request.user, now) if request.user.is_authenticated else VISITOR


def _play_anything(request: HtmxHttpRequest) -> HttpResponse:
    """Seat the reader where they meet somebody soonest."""
    now = timezone.now()
    games = own_and_usual_games(request.user if request.user.is_authenticated else None)
    offer = seating.suggest(_load_seeker(request, now), *games, seating.load_tables(), now)
    try:
        user, commitment = get_or_create_user(request), parse_commitment(request)
        if offer.otherwise is not None:
            table = services.sit(offer.otherwise, user, address=address_of(request), commitment=commitment)
        else:
            game = offer.game.as_game(rated=may_play_rated(user))
            table = services.quick_play(user, replace(game, pauses=user.pauses), "", commitment)
    except TableRefused as refusal:
        return render_refusal(request, refusal, "lobby")
    return _redirect_seated(request, table)


def _redirect_seated(request: HtmxHttpRequest, row: Table) -> HttpResponse:
    """Redirect to the person's table and note their address: the table's page may never be loaded."""
    services.seen(row, require_user(request), address_of(request))
    return redirect_to_table(request, row)


@require_POST
def rematch(request: HtmxHttpRequest, code: str) -> HttpResponse:
    match = get_visible_match(code, request.user)
    try:
        if request.POST.get("on") == "0":
            services.decline_rematch(match, require_user(request))
            return _back_to(request, match)
        if request.POST.get("on") == "keep":
            return _redirect_seated(request, _open_again(request, match))
        table = services.offer_rematch(match, require_user(request), parse_commitment(request))
    except TableRefused as refusal:
        return render_refusal(request, refusal, match)
    # With scripts the socket updates the page.
    answer = _redirect_seated(request, table)
    return HttpResponse(status=204) if request.htmx and table.full_at is None else answer


def _open_again(request: HtmxHttpRequest, match: Match) -> Table:
    return services.open_table_again(match, require_user(request), parse_commitment(request))


def _back_to(request: HtmxHttpRequest, match: Match) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({})
    return HttpResponse(status=204) if request.htmx else see_other(match)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def challenge(request: HtmxHttpRequest, name: str) -> HttpResponse:
    """Ask what to play; on POST challenge somebody by name, with the fields of the create-table form."""
    other = get_object_or_404(User, username__iexact=name, is_active=True)
    preferences = preferences_of(request)
    if request.method != "POST":
        return _challenge_page(request, other, TableForm(initial_data(request.GET), preferences))
    data = request.POST.copy()
    data["private"] = "on"
    form = TableForm(initial_data(data), preferences)
    if not form.is_valid():
        if wants_json(request):
            return JsonResponse({"error": sentence_of(form), "reason": "invalid"}, status=422)
        return _challenge_page(request, other, form, status=422)
    if form.must_ask and not wants_json(request):
        return _challenge_page(request, other, form)
    try:
        me = get_or_create_user(request)
        game = form.game.replace(rated=form.game.rated and not me.is_guest)
        table = services.challenge(me, other, game, form.levels, parse_commitment(request))
    except TableRefused as refusal:
        return render_refusal(request, refusal, reverse("profile", args=[other.username]))
    return _redirect_seated(request, table)


def _challenge_page(
    request: HtmxHttpRequest, other: User, form: TableForm, status: int = 200
) -> HttpResponse:
    context = {
        "person": other,
        "form": form,
        "games": render_game_picker(form.base_preset),
        "players": CHALLENGE_SEATS,
        "may_rate": may_rate(request, other),
        "refusal": "" if form.errors.keys() <= {"seats", "clock"} else sentence_of(form),
    }
    return render(request, "lobbies/challenge.html", context, status=status)


@changes_table
def decline(request: HtmxHttpRequest, row: Table) -> HttpResponse:
    services.decline(row, require_user(request))
    return redirect_to(request, "lobby")
