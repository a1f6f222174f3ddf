"""The lobby, tables before play, and the ways to one. Every form works without JavaScript."""

from urllib.parse import urlsplit

from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts import conduct, guests
from accounts.addresses import address_of
from accounts.models import User
from accounts.preferences import preferences_of
from core.http import HtmxHttpRequest, see_other, wants_json
from core.numbers import parse_whole_number
from games import pace
from games.drawing.tiles import symbols
from games.engine.presets import PRESETS
from games.engine.tiles import HIGHEST_SUIT
from games.models import Match
from games.seats import seat_of
from games.wording import preset_title
from lobbies import lists, services
from lobbies.answers import led_away, led_to, refreshed, refused
from lobbies.forms import FIRST_PRESET, QuickForm, TableForm, as_first_shown, sentence_of, with_another_game
from lobbies.list_fragments import lobby_lists, watch_lists
from lobbies.models import Table
from lobbies.offers import quick_games
from lobbies.refusals import TableRefused
from lobbies.table import page_context
from lobbies.watching import wanted_in


@never_cache
@require_safe
def lobby(request: HtmxHttpRequest) -> HttpResponse:
    user = request.user if request.user.is_authenticated else None
    tiles, more = quick_games(user)
    context = {
        "quick": tiles,
        "more_games": more,
        "form": TableForm(as_first_shown(request.GET), preferences_of(request)),
        "may_rate": _may_rate(request),
        "levels": lists.levels(),
        "symbols": symbols(HIGHEST_SUIT),
        "too_slow": pace.told(user) if user else "",
        "sanctions": conduct.in_force(user) if user else [],
        "mine": lists.mine(user) if user else [],
        "shown": lobby_lists(stranger=user is None).in_page,
        "computer": next(game for game in (*tiles, *more) if game.seats == 2),
        "now": timezone.now(),
    }
    return render(request, "lobbies/lobby.html", context)


@never_cache
@require_safe
def watch(request: HtmxHttpRequest) -> HttpResponse:
    """The matches being played, the best one large."""
    wanted = wanted_in(request.GET)
    context = {
        "wanted": wanted,
        "games": [(preset, preset_title(preset)) for preset in PRESETS],
        "symbols": symbols(HIGHEST_SUIT),
        "shown": watch_lists(wanted).in_page,
        "now": timezone.now(),
        "query": request.GET.urlencode(),
    }
    return render(request, "lobbies/watch.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HtmxHttpRequest) -> HttpResponse:
    """The create-table form; sent, it makes the table and leads there."""
    if request.method != "POST":
        return _form_page(request, TableForm(as_first_shown(request.GET), preferences_of(request)))
    form = TableForm(request.POST, preferences_of(request))
    if not form.is_valid():
        return _not_made(request, form, sentence_of(form), "invalid", 422)
    try:
        if form.game.rated and not form.game.changed and not any(form.levels):
            _refuse_nobody_at_rated(request)
        made = services.make_table(
            _somebody(request),
            form.game,
            levels=form.levels,
            private=form.cleaned_data["private"],
            address=address_of(request),
        )
    except TableRefused as refusal:
        return _not_made(request, form, refusal.sentence, refusal.reason, refusal.status)
    return led_to(request, made)


def _not_made(
    request: HtmxHttpRequest, form: TableForm, sentence: str, reason: str, status: int
) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"error": sentence, "reason": reason}, status=status)
    return _form_page(request, form, status, refusal=sentence)


def _form_page(
    request: HtmxHttpRequest, form: TableForm, status: int = 200, **more: str | bool
) -> HttpResponse:
    context = {"form": form, "may_rate": _may_rate(request)} | more
    return render(request, "lobbies/new.html", context, status=status)


@never_cache
@require_POST
def preview(request: HtmxHttpRequest) -> HttpResponse:
    """The form as entered so far, its fields for the chosen game and seats, and its rules in one sentence."""
    form = TableForm(with_another_game(request.POST), preferences_of(request))
    if not request.htmx:
        return _form_page(request, form, open=True)
    context = {"form": form, "swap": True, "whole": "whole" in request.POST}
    return render(request, "lobbies/_preview.html", context)


@never_cache
@require_safe
def table(request: HtmxHttpRequest, code: str) -> HttpResponse:
    row = Table.objects.filter(code=code).first()
    if row is None or row.status == Table.Status.STARTED:
        return _led_to_match(request, get_object_or_404(Match, code=code))
    if row.moved_to:
        return redirect("table", code=row.moved_to)
    if request.user.is_authenticated:
        services.seen(row, request.user, address_of(request))
    if row.full_at and services.start_if_ready(row, timezone.now()):
        return redirect("match", code=code)
    return render(request, "lobbies/table.html", page_context(row, request.user))


def _led_to_match(request: HtmxHttpRequest, match: Match) -> HttpResponse:
    """Whoever does not play there is told, above all who was a moment too late for the last seat."""
    if match.playing and seat_of(match, request.user) is None:
        messages.info(request, TableRefused("started").sentence)
    return redirect(match)


@never_cache
@require_safe
def go(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Lead a waiting page on when its table has started or was joined with another."""
    row = _called(code)
    return HttpResponseClientRedirect(Table(code=row.moved_to or row.code).get_absolute_url())


@never_cache
@require_safe
def still(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Another page of somebody who waits at the table says that they are still there, and is led to the match. Somebody
    who is playing meanwhile is told, and not torn away."""
    row = _called(code)
    if row.open and not row.moved_to:
        if request.user.is_authenticated:
            services.seen(row, request.user)
        return HttpResponse(status=204)
    if row.status == Table.Status.CLOSED and not row.moved_to:
        return render(request, "lobbies/_waits.html", {"waits": [], "swap": True})
    now_at = Table.objects.filter(code=row.moved_to or code).first() or row
    if urlsplit(request.htmx.current_url or "").path.startswith("/games/"):
        own = lists.waiting_at(now_at, started=now_at.status == Table.Status.STARTED)
        return render(request, "lobbies/_waits.html", {"waits": [own], "swap": True})
    return HttpResponseClientRedirect(now_at.get_absolute_url())


@require_POST
def sit(request: HtmxHttpRequest, code: str) -> HttpResponse:
    row = _called(code)
    came_as_nobody = not request.user.is_authenticated
    seat = request.POST.get("seat", "")
    position = parse_whole_number(seat)
    try:
        if seat and position is None:
            raise TableRefused("no_such_seat", 400)
        if row.open and row.rated:
            _refuse_nobody_at_rated(request)
        _refuse_unless_open(row)
        row = services.sit(row, _somebody(request), position, address_of(request))
    except TableRefused as refusal:
        # The lobby's lists are the same for all: one's own table has the button, too.
        at_home = refusal.reason == "seated" and not (seat or wants_json(request) or request.htmx)
        return led_to(request, row) if at_home else refused(request, refusal, row)
    # A new guest has a new session: the whole page is loaded, so that its socket belongs to it too.
    return led_to(request, row) if came_as_nobody else refreshed(request, row)


@require_POST
def computers(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Give the free seats of a quick-play table to computers."""
    row = _called(code)
    try:
        row = services.fill_with_computers(row, _present(request))
    except TableRefused as refusal:
        return refused(request, refusal, row)
    return refreshed(request, row)


@require_POST
def leave(request: HtmxHttpRequest, code: str) -> HttpResponse:
    row = _called(code)
    try:
        services.leave(row, _present(request))
    except TableRefused as refusal:
        return refused(request, refusal, row)
    return led_away(request, "lobby")


@require_POST
def nonce(request: HtmxHttpRequest, code: str) -> HttpResponse:
    row = _called(code)
    try:
        nonce = request.POST.get("nonce", "")
        row = services.give_nonce(row, _present(request), nonce, address_of(request))
    except TableRefused as refusal:
        return refused(request, refusal, row)
    return refreshed(request, row)


@require_POST
def rematch(request: HtmxHttpRequest, code: str) -> HttpResponse:
    match = get_object_or_404(Match, code=code)
    try:
        if request.POST.get("on") == "0":
            services.decline_rematch(match, _present(request))
            return _back_to(request, match)
        if request.POST.get("on") == "keep":
            return _seated(request, services.keep_table(match, _present(request)))
        made = services.offer_rematch(match, _present(request))
    except TableRefused as refusal:
        return refused(request, refusal, match)
    # With scripts the answer is seen on the board, by its socket.
    answer = _seated(request, made)
    return HttpResponse(status=204) if request.htmx and made.full_at is None else answer


def _back_to(request: HtmxHttpRequest, match: Match) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({})
    return HttpResponse(status=204) if request.htmx else see_other(match)


@require_POST
def quick_play(request: HtmxHttpRequest, preset: str = "") -> HttpResponse:
    """Lead to a suitable table at once; the preset is in the address, or chosen on the form."""
    preset = preset or request.POST.get("preset", "")
    if preset not in PRESETS:
        raise Http404
    form = QuickForm(request.POST, preset)
    if not form.is_valid():
        sentence = sentence_of(form)
        if wants_json(request):
            return JsonResponse({"error": sentence, "reason": "invalid"}, status=422)
        messages.error(request, sentence)
        return see_other("lobby")
    level = form.cleaned_data["computer"]
    try:
        user = _somebody(request)
        rated = not (user.is_guest or user.barred or level)
        made = services.quick_play(user, form.game(rated=rated, pauses=user.pauses), level)
    except TableRefused as refusal:
        return refused(request, refusal, "lobby")
    return _seated(request, made)


def _called(code: str) -> Table:
    try:
        return Table.objects.called(code)
    except Table.DoesNotExist:
        raise Http404 from None


def _somebody(request: HtmxHttpRequest) -> User:
    """The person who asks; a visitor who is not signed in becomes a guest."""
    try:
        return guests.become_guest(request)
    except guests.TooManyGuests:
        raise TableRefused("too_many_guests", 429) from None


def _seated(request: HtmxHttpRequest, row: Table) -> HttpResponse:
    """Lead to the table where the person sits now. Their address is noted here, as nobody need load its page."""
    services.seen(row, _present(request), address_of(request))
    return led_to(request, row)


def _present(request: HtmxHttpRequest) -> User:
    if not request.user.is_authenticated:
        raise TableRefused("not_seated", 403)
    return request.user


def _may_rate(request: HtmxHttpRequest) -> bool:
    return request.user.is_authenticated and not request.user.is_guest


def _refuse_nobody_at_rated(request: HtmxHttpRequest) -> None:
    # Checked first, so that nobody is made a guest in vain.
    if not _may_rate(request):
        raise TableRefused("guests", 403)


def _refuse_unless_open(row: Table) -> None:
    if not row.open:
        raise TableRefused("started" if row.status == Table.Status.STARTED else "closed")


@require_POST
def challenge(request: HtmxHttpRequest, name: str) -> HttpResponse:
    """Challenge somebody by name, with the fields of the create-table form."""
    other = get_object_or_404(User, username__iexact=name, is_active=True)
    data = request.POST.copy()
    data["private"] = "on"
    data.setdefault("preset", FIRST_PRESET)
    form = TableForm(data, preferences_of(request))
    if not form.is_valid():
        return _not_made(request, form, sentence_of(form), "invalid", 422)
    try:
        me = _somebody(request)
        game = form.game.replace(rated=form.game.rated and not me.is_guest)
        made = services.challenge(me, other, game, form.levels)
    except TableRefused as refusal:
        return refused(request, refusal, reverse("profile", args=[other.username]))
    return _seated(request, made)


@require_POST
def decline(request: HtmxHttpRequest, code: str) -> HttpResponse:
    row = _called(code)
    try:
        services.decline(row, _present(request))
    except TableRefused as refusal:
        return refused(request, refusal, row)
    return led_away(request, "lobby")
