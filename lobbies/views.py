"""The lobby, and tables before play. Every form works without JavaScript."""

from urllib.parse import urlsplit

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts import conduct
from accounts.addresses import address_of
from accounts.preferences import preferences_of
from boneyard.engine.presets import PRESETS
from boneyard.engine.tiles import HIGHEST_SUIT
from core.database import WRITE_ERRORS
from core.http import HtmxHttpRequest, read_once, wants_json
from core.numbers import parse_whole_number
from games.drawing.tiles import draw_symbols
from games.models import Match
from games.seats import find_running_seats, get_visible_match, seat_of
from games.services import connections
from games.time import pace, vacations
from games.wording import preset_title
from live import seated
from lobbies import daily_card, front_page, lists, nights, services, strip
from lobbies.answers import changes_table, redirect_to, redirect_to_table, render_refusal, render_table
from lobbies.company import Company, find_company
from lobbies.felt import build_choice, load_reader
from lobbies.form_data import initial_data, reset_for_other_game
from lobbies.form_page import PageForm
from lobbies.forms import sentence_of
from lobbies.list_fragments import build_lobby_page, build_watch_page
from lobbies.models import Sitting, Table
from lobbies.notices import find_notices
from lobbies.refusals import TableRefused
from lobbies.requests import get_or_create_user, get_table, may_rate, parse_commitment, require_user
from lobbies.table import page_context
from lobbies.trial import build_hand
from lobbies.watching import parse_filter
from operators.site_settings import is_under_maintenance_for


@never_cache
@require_safe
def lobby(request: HtmxHttpRequest) -> HttpResponse:
    """Show the lobby; `preset` is the game that the reader or a link has chosen for the felt."""
    user, now = (request.user if request.user.is_authenticated else None), timezone.now()
    chosen = request.GET.get("preset", "")
    reader, page = load_reader(user, now), build_lobby_page()
    choice = build_choice(reader, page.tables, chosen, now)
    shown = page.for_reader(choice, reader.seeker.key).html_by_name
    context = {
        "shown": shown,
        "game": choice.game,
        "is_chosen": chosen in PRESETS,
        "levels": lists.list_levels(),
        "all_games": front_page.render_game_list(),
        "daily": daily_card.build(user, now),
    }
    if request.htmx and "preset" in request.GET:
        return render(request, "lobbies/_choice.html", context)
    notices = read_once(request, find_notices)
    open_nights = nights.get_source().find_nights(notices.followed, now)
    context |= {
        "symbols": draw_symbols(HIGHEST_SUIT),
        "too_slow": pace.slow_play_warning(user) if user and reader.seeker.is_slow else "",
        "vacation_ends_at": vacations.find_end(user.pk, now) if user else None,
        "sanctions": conduct.in_force(user) if user else [],
        "nights": open_nights,
        "has_reminder": any(night.is_followed for night in open_nights),
        "mine": lists.list_own_places(
            read_once(request, find_running_seats), notices.challenges, notices.sittings
        ),
        "trial": () if user else build_hand(),
        "now": now,
    }
    return render(request, "lobbies/lobby.html", context)


@never_cache
@require_safe
def strip_fragment(request: HtmxHttpRequest) -> HttpResponse:
    """Send the strip to a page that polls, whose socket may be silent, and record the presence that it gives."""
    user = request.user if request.user.is_authenticated else None
    if user is None:
        return HttpResponse(strip.render(strip.Strip("")))
    running = find_running_seats(user)
    try:
        if running and not connections.has_socket(running):
            connections.record_page(running)
        for sitting in Sitting.objects.waiting(user.pk):
            services.seen(sitting.table, user)
    except WRITE_ERRORS:
        pass  # a busy database must not refuse a read
    return HttpResponse(strip.render(strip.build_strip(user, request.GET.get("page", ""), running)))


@never_cache
@require_safe
def company(request: HtmxHttpRequest) -> HttpResponse:
    """Send the list of followed people who are here to an account menu that opens."""
    here = find_company(request.user) if request.user.is_authenticated else Company()
    return render(request, "lobbies/_company.html", {"company": here})


@never_cache
@require_safe
def watch(request: HtmxHttpRequest) -> HttpResponse:
    """Show the matches being played, the best one large."""
    wanted = parse_filter(request.GET)
    context = {
        "wanted": wanted,
        "games": [(preset, preset_title(preset)) for preset in PRESETS],
        "symbols": draw_symbols(HIGHEST_SUIT),
        "shown": build_watch_page(wanted).for_reader(request.user.pk).html_by_name,
        "now": timezone.now(),
        "query": request.GET.urlencode(),
    }
    return render(request, "lobbies/watch.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_table(request: HtmxHttpRequest) -> HttpResponse:
    """Show the create-table form; on POST create the table and redirect there."""
    if request.method != "POST":
        form = PageForm(initial_data(request.GET), preferences_of(request))
        form.first_step = "people" if "preset" in request.GET else "game"
        return form_page(request, form)
    form = PageForm(request.POST, preferences_of(request))
    if not form.is_valid():
        return _render_invalid(request, form, sentence_of(form), "invalid", 422)
    if form.must_ask and not wants_json(request):
        return form_page(request, form, asks=form.casual_anyway)
    try:
        if form.game.rated and not form.game.changed and not any(form.levels):
            _refuse_anonymous_rated(request)
        table = services.make_table(
            get_or_create_user(request),
            form.game,
            levels=form.levels,
            private=form.cleaned_data["private"],
            address=address_of(request),
            commitment=parse_commitment(request),
        )
    except TableRefused as refusal:
        return _render_invalid(request, form, refusal.sentence, refusal.reason, refusal.status)
    return redirect_to_table(request, table)


def _render_invalid(
    request: HtmxHttpRequest, form: PageForm, sentence: str, reason: str, status: int
) -> HttpResponse:
    if wants_json(request):
        return JsonResponse({"error": sentence, "reason": reason}, status=status)
    return form_page(request, form, status, refusal=sentence)


def form_page(request: HtmxHttpRequest, form: PageForm, status: int = 200, **more: str) -> HttpResponse:
    """Render the page of a new table with what was entered."""
    closed = is_under_maintenance_for(request.user)
    context = {"form": form, "may_rate": may_rate(request), "closed": closed} | more
    return render(request, "lobbies/new.html", context, status=status)


@never_cache
@require_POST
def preview(request: HtmxHttpRequest) -> HttpResponse:
    """Render the form as entered so far, with its rules in one sentence."""
    form = PageForm(reset_for_other_game(request.POST), preferences_of(request))
    if not request.htmx:
        form.first_step = "house"
        return form_page(request, form)
    context = {"form": form, "swap": True, "whole": "whole" in request.POST}
    return render(request, "lobbies/_preview.html", context)


@never_cache
@require_safe
def table(request: HtmxHttpRequest, code: str) -> HttpResponse:
    row = Table.objects.filter(code=code).first()
    if row is None or row.status == Table.Status.STARTED:
        return _redirect_to_match(request, get_visible_match(code, request.user))
    if row.moved_to:
        return redirect("table", code=row.moved_to)
    if row.night:
        return redirect("night", code=row.night)
    if request.user.is_authenticated and services.seen(row, request.user):
        seated.note(request.session.session_key, code)
    if row.full_at:
        if services.advance(row, timezone.now()):
            return redirect("match", code=code)
        row.refresh_from_db()
    return render(request, "lobbies/table.html", page_context(row, request.user))


def _redirect_to_match(request: HtmxHttpRequest, match: Match) -> HttpResponse:
    """Redirect to the match; tell a visitor without a seat there that it has started."""
    if match.playing and seat_of(match, request.user) is None:
        messages.info(request, TableRefused("started").sentence)
    return redirect(match)


@never_cache
@require_safe
def follow(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Redirect a waiting page when its table has started or was merged into another."""
    row = get_table(code)
    return HttpResponseClientRedirect(Table(code=row.moved_to or row.code).get_absolute_url())


@never_cache
@require_safe
def poll_waiting_table(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Keep the seat of somebody who waits on another page, and redirect them when the match starts.

    Somebody who is playing another match, or fills in a form of an account, gets a notice instead of a redirect.
    """
    row = get_table(code)
    if row.open and not row.moved_to:
        if request.user.is_authenticated:
            services.seen(row, request.user)
            # The page may have no socket, and must add its part to the shuffle; offers depend on the time, and a
            # table's own page says who is here.
            if row.full_at or row.quick or (not row.private and _is_at(request, row)):
                return _render_shuffle(request, row)
        return HttpResponse(status=204)
    if row.status == Table.Status.CLOSED and not row.moved_to:
        return render(request, "lobbies/_waits.html", {"waits": [], "swap": True})
    now_at = Table.objects.filter(code=row.moved_to or code).first() or row
    if urlsplit(request.htmx.current_url or "").path.startswith(("/games/", "/accounts/")):
        own = lists.waiting_place(now_at, started=now_at.status == Table.Status.STARTED)
        return render(request, "lobbies/_waits.html", {"waits": [own], "swap": True})
    return HttpResponseClientRedirect(now_at.get_absolute_url())


def _is_at(request: HtmxHttpRequest, row: Table) -> bool:
    """Return whether the request comes from the table's own page."""
    return urlsplit(request.htmx.current_url or "").path == row.get_absolute_url()


def _render_shuffle(request: HtmxHttpRequest, row: Table) -> HttpResponse:
    if _is_at(request, row):
        return render_table(request, row)
    user = require_user(request)
    return HttpResponse(strip.render(strip.build_strip(user, "", find_running_seats(user))))


@require_POST
def sit(request: HtmxHttpRequest, code: str) -> HttpResponse:
    row = get_table(code)
    was_anonymous = not request.user.is_authenticated
    seat = request.POST.get("seat", "")
    position = parse_whole_number(seat)
    try:
        if seat and position is None:
            raise TableRefused("no_such_seat", 400)
        if row.open and row.rated:
            _refuse_anonymous_rated(request)
        _refuse_unless_open(row)
        row = services.sit(
            row, get_or_create_user(request), position, address_of(request), parse_commitment(request)
        )
        if row.open and services.is_for_anybody(row):
            services.leave_queues(require_user(request), row)
    except TableRefused as refusal:
        # The lobby's lists are shared by all viewers, so one's own table has the button too.
        own_table = refusal.reason == "seated" and not (seat or wants_json(request) or request.htmx)
        return redirect_to_table(request, row) if own_table else render_refusal(request, refusal, row)
    # A new guest has a new session: reload the page, so that its socket has it too.
    return redirect_to_table(request, row) if was_anonymous else render_table(request, row)


@changes_table
def computers(request: HtmxHttpRequest, row: Table) -> HttpResponse:
    """Give the free seats of a table to computers, or one of them, `seat`."""
    seat, user = request.POST.get("seat", ""), require_user(request)
    if not seat:
        return render_table(request, services.fill_with_computers(row, user))
    position = parse_whole_number(seat)
    if position is None:
        raise TableRefused("no_such_seat", 400)
    changed = services.seat_computer(row, user, position)
    # What the page says above the seats has changed, too.
    return redirect_to_table(request, changed) if row.rated else render_table(request, changed)


@changes_table
def leave(request: HtmxHttpRequest, row: Table) -> HttpResponse:
    services.leave(row, require_user(request))
    return redirect_to(request, "lobby")


@changes_table
def commit(request: HtmxHttpRequest, row: Table) -> HttpResponse:
    commitment = request.POST.get("commitment", "")
    return render_table(request, services.commit(row, require_user(request), commitment))


@changes_table
def nonce(request: HtmxHttpRequest, row: Table) -> HttpResponse:
    given = request.POST.get("nonce", "")
    return render_table(request, services.give_nonce(row, require_user(request), given))


def _refuse_anonymous_rated(request: HtmxHttpRequest) -> None:
    # Checked before a guest is created.
    if not may_rate(request):
        raise TableRefused("guests", 403)


def _refuse_unless_open(row: Table) -> None:
    if not row.open:
        raise TableRefused("started" if row.status == Table.Status.STARTED else "closed")
