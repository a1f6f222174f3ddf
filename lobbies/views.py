"""The lobby, tables before play, and the ways to one. Every form works without a script."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts import guests
from accounts.models import User
from games.computer.players import LEVELS
from games.engine.presets import PRESETS
from games.models import Match
from games.wording import rules_sentence
from lobbies import lobby as lobbies
from lobbies import services
from lobbies.forms import CLOCKS, GameForm, TableForm, clock_name, house_fields, parse_clock
from lobbies.game import Game
from lobbies.models import Table
from lobbies.refusals import Refused
from lobbies.table import table_context


@never_cache
@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    return render(
        request,
        "lobbies/lobby.html",
        {
            "quick": lobbies.QUICK,
            "tables": lobbies.open_tables(),
            "watched": lobbies.watched(),
            "levels": LEVELS,
            "presets": PRESETS,
            "clocks": [(text, clock_name(parse_clock(text))) for text in CLOCKS],
        },
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return render(request, "lobbies/new.html", _new_context(request))
    form = TableForm(request.POST)
    if not form.is_valid():
        return _invalid(request, form)
    try:
        maker = _somebody(request)
        made = services.make_table(
            maker,
            form.cleaned_data["game"],
            levels=form.cleaned_data["computers"],
            private=form.cleaned_data["private"],
        )
    except Refused as refused:
        return _refused(request, refused, "lobby")
    return _lead_to(request, made)


@require_http_methods(["GET", "POST"])
def preview(request: HttpRequest) -> HttpResponse:
    """The rules of the form in a sentence, and its fields for the chosen preset."""
    return render(request, "lobbies/_house.html", _new_context(request))


def _new_context(request: HttpRequest) -> dict:
    data = request.POST or request.GET
    if data.get("preset") not in PRESETS:
        data = data.copy()
        data["preset"] = "all-fives"
    base = PRESETS[data["preset"]]
    if data.get("shown", data["preset"]) != data["preset"]:
        # Another game was chosen: its own rules, not the changes made to the one before.
        data = data.__class__(data.urlencode(), mutable=True)
        for name in [n for n in data if n.startswith("rule-") or n in ("target", "seats")]:
            del data[name]
    form = TableForm({"clock": "300+5", "rated": ""} | data.dict())
    game = form.cleaned_data.get("game") if form.is_valid() else None
    seats = game.seats if game else base.rules.players[0]
    rules = game.rules if game else base.rules
    return {
        "form": form,
        "preset": data["preset"],
        "base": base,
        "seats": seats,
        "players": base.rules.players,
        "target": data.get("target") or rules.target,
        "fields": house_fields(rules, seats, {k: v for k, v in data.items() if k.startswith("rule-")}),
        "sentence": rules_sentence(rules, seats, data["preset"]) if game else "",
        "changed": game.changed if game else False,
        "presets": PRESETS,
        "levels": LEVELS,
        "clocks": [(text, clock_name(parse_clock(text))) for text in CLOCKS],
        "clock": data.get("clock", "300+5"),
        "house_open": any(n.startswith("rule-") for n in data),
        "bound": request.method == "POST",
    }


def _invalid(request: HttpRequest, form: TableForm) -> HttpResponse:
    sentence = " ".join(error for errors in form.errors.values() for error in errors)
    if _wants_json(request):
        return JsonResponse({"error": sentence, "reason": "invalid"}, status=422)
    return render(request, "lobbies/new.html", _new_context(request) | {"refusal": sentence}, status=422)


@never_cache
@require_safe
def table(request: HttpRequest, code: str) -> HttpResponse:
    row = get_object_or_404(Table, code=code)
    if row.status == Table.Status.STARTED:
        return redirect("match", code=code)
    if row.moved_to:
        return redirect("table", code=row.moved_to)
    if request.user.is_authenticated:
        services.seen(row, request.user)
    if row.full_at and services.start_if_ready(row, timezone.now()):
        return redirect("match", code=code)
    return render(request, "lobbies/table.html", table_context(row, request.user))


@never_cache
@require_safe
def go(request: HttpRequest, code: str) -> HttpResponse:
    """Where a waiting page is led when its table has started, or was joined with another."""
    row = get_object_or_404(Table, code=code)
    return HttpResponseClientRedirect(Table(code=row.moved_to or row.code).get_absolute_url())


@require_POST
def sit(request: HttpRequest, code: str) -> HttpResponse:
    row = get_object_or_404(Table, code=code)
    seat = request.POST.get("seat", "")
    position = int(seat) if seat.isascii() and seat.isdecimal() and len(seat) < 3 else None
    try:
        if seat and position is None:
            raise Refused("no_such_seat", 400)
        services.sit(row, _somebody(request), position)
    except Refused as refused:
        return _refused(request, refused, row)
    return _lead_to(request, row)


@require_POST
def leave(request: HttpRequest, code: str) -> HttpResponse:
    row = get_object_or_404(Table, code=code)
    try:
        services.leave(row, _present(request))
    except Refused as refused:
        return _refused(request, refused, row)
    return _lead_to(request, None)


@require_POST
def nonce(request: HttpRequest, code: str) -> HttpResponse:
    row = get_object_or_404(Table, code=code)
    try:
        row = services.give_nonce(row, _present(request), request.POST.get("nonce", ""))
    except Refused as refused:
        return _refused(request, refused, row)
    return _lead_to(request, row)


@require_POST
def rematch(request: HttpRequest, code: str) -> HttpResponse:
    match = get_object_or_404(Match, code=code)
    try:
        made = services.offer_rematch(match, _present(request))
    except Refused as refused:
        return _refused(request, refused, match)
    return _lead_to(request, made)


@require_POST
def quick_play(request: HttpRequest, preset: str) -> HttpResponse:
    if preset not in PRESETS:
        raise Http404
    level = request.POST.get("computer", "")
    data = request.POST.copy()
    data["preset"] = preset
    form = GameForm(data)
    if level and level not in LEVELS or not form.is_valid():
        sentence = " ".join(error for errors in form.errors.values() for error in errors) or level
        if _wants_json(request):
            return JsonResponse({"error": sentence, "reason": "invalid"}, status=422)
        messages.error(request, sentence)
        return redirect("lobby")
    try:
        user = _somebody(request)
        game = form.cleaned_data["game"]
        game = Game(preset, PRESETS[preset].rules, game.seats, not user.is_guest and not level, game.clock)
        made = services.quick_play(user, game, level)
    except Refused as refused:
        return _refused(request, refused, "lobby")
    return _lead_to(request, made)


def _somebody(request: HttpRequest) -> User:
    """The person, who becomes a guest by this press if they are nobody yet."""
    try:
        return guests.become_guest(request)
    except guests.TooManyGuests:
        raise Refused("too_fast", 429) from None


def _present(request: HttpRequest) -> User:
    if not request.user.is_authenticated:
        raise Refused("not_seated", 403)
    return request.user


def _wants_json(request: HttpRequest) -> bool:
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def _lead_to(request: HttpRequest, row: Table | None) -> HttpResponse:
    """On to the table, or to its match once that has begun; to the lobby without one."""
    if row is None:
        return JsonResponse({}) if _wants_json(request) else redirect("lobby")
    if _wants_json(request):
        row.refresh_from_db()
        return JsonResponse({"table": row.code, "status": row.status, "seal": row.seal})
    if request.htmx:
        return HttpResponseClientRedirect(row.get_absolute_url())
    return redirect(row)


def _refused(request: HttpRequest, refused: Refused, to) -> HttpResponse:
    if _wants_json(request):
        return JsonResponse({"error": refused.sentence, "reason": refused.reason}, status=refused.status)
    messages.error(request, refused.sentence)
    if request.htmx:
        return HttpResponseClientRedirect(redirect(to).url)
    return redirect(to)
