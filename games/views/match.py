"""The page of a match and its forms. `perspective` decides what is visible, `services` what is allowed."""

import time
from functools import lru_cache

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from boneyard.engine.rules import Rules
from core.database import WRITE_ERRORS
from core.http import HtmxHttpRequest, see_other, shared_with_other_sites, wants_json
from core.numbers import parse_whole_number
from games import repository, services, wording
from games.drawing.line import parse_shapes
from games.models import Match, Seat, Talk
from games.move_requests import MoveRequest
from games.repository import Snapshot
from games.seats import Viewer, get_ended_match, get_visible_match, seat_of
from games.services import MoveRefused, connections, talk
from games.table.evening import find_evening
from games.table.page_state import MatchPageState
from games.table.snapshot_cache import SnapshotView, get_snapshot_view
from games.table.state_json import build_state
from games.table.table_view import build_table_view
from games.table.titles import build_tab_title
from live import seated

# Fields of the talk beside a table, and the preferences that they store.
TALK_SWITCHES = {"show": "emotes", "remarks": "remarks"}
# Form `pick` asks whether to leave, without scripts; the class that shows the question (match/rail.js).
_QUESTIONS = {"resign": "is-asking", "calling_off": "is-calling-off"}


def _get_current_snapshot(code: str, user: Viewer) -> Snapshot:
    """Return the match after applying an expired clock. Raise `Http404`, also if the user may not know of it."""
    try:
        snapshot = repository.get_snapshot(code)
    except Match.DoesNotExist:
        raise Http404 from None
    if snapshot.match.concealed and snapshot.seat_of(user) is None:
        raise Http404
    match, now = snapshot.match, timezone.now()
    if match.playing and match.next_action_at is not None and match.next_action_at <= now:
        try:
            services.advance(match, now)
            return repository.get_snapshot(code)
        except WRITE_ERRORS:
            pass  # a busy database must not refuse a read; the referee retries in a moment
    return snapshot


def require_seat(request: HtmxHttpRequest, match: Match) -> Seat:
    """Return the sender's own seat. Raise `MoveRefused` (`not_seated`)."""
    seat = seat_of(match, request.user)
    if seat is None:
        raise MoveRefused("not_seated")
    return seat


def _note_seated(request: HttpRequest, match: Match, seat: Seat | None) -> None:
    if seat is None:
        return
    if match.playing:
        seated.note(request.session.session_key, match.code)
    if match.concealed:
        request.deals_shown = match.deals  # type: ignore[attr-defined]  # for events.middleware


def _record_look(match: Match) -> None:
    try:
        if match.playing:
            connections.record_look(match)
    except WRITE_ERRORS:
        pass  # a busy database must not refuse a read


def _record_poll(match: Match, seat: Seat | None) -> None:
    """Record that a page polled: without a socket, the only sign that its player is present."""
    _record_look(match)
    try:
        if match.playing and seat is not None and not connections.has_socket([seat]):
            connections.record_page([seat])
    except WRITE_ERRORS:
        pass


def forbid_indexing(response: HttpResponse, match: Match) -> HttpResponse:
    """Forbid search engines to index a private match."""
    if match.private:
        response["X-Robots-Tag"] = "noindex"
    return response


@never_cache
@require_safe
def match_page(request: HttpRequest, code: str) -> HttpResponse:
    if code != code.lower():  # as a phone's keyboard begins it
        return redirect("match", code.lower())
    snapshot = _get_current_snapshot(code, request.user)
    seat = snapshot.seat_of(request.user)
    connections.record_hand_sent(seat, with_page=snapshot.match.playing)
    _note_seated(request, snapshot.match, seat)
    _record_look(snapshot.match)
    repository.cache_snapshot(snapshot)  # for the head of the page
    with wording.pinned_language():
        table = build_table_view(
            snapshot.match,
            snapshot.value,
            seat=seat,
            user=request.user,
            now=timezone.now(),
            chosen=request.GET.get("tile", ""),
            several=request.GET.get("chosen", ""),
            rows=snapshot.seats,
        )
        shown = MatchPageState(table).html_by_name
        tab_title = build_tab_title(
            snapshot.match, table.view, [seat.display_name for seat in snapshot.seats]
        )
    evening = find_evening(snapshot.match, seat)
    rules = _render_rules(
        snapshot.value.rules, len(snapshot.seats), snapshot.match.preset, wording.active_language()
    )
    flags = {name: request.GET.get(name) for name in ("still", "talk")}
    flags["asking"] = next((name for field, name in _QUESTIONS.items() if field in request.GET), "")
    flags["after_login"] = f"?next={snapshot.match.get_absolute_url()}"
    context = {"table": table, "tab_title": tab_title, "shown": shown, "rules": rules, "evening": evening}
    page = render(request, "games/match.html", context | flags)
    # Indentation is 300 of 7,500 compressed bytes.
    page.content = "\n".join(filter(None, map(str.strip, page.content.decode().split("\n"))))
    return forbid_indexing(page, snapshot.match)


# Cache: key rules, seats, preset and language; bound 256 entries of about 8 KB; invalidated by nothing.
@lru_cache(256)
def _render_rules(rules: Rules, seats: int, preset: str | None, language: str | None) -> SafeString:
    """Render the rules as list items. Uncached, this took a third of a page."""
    with wording.speech_of(preset).in_region():
        sentences = wording.describe_rules(rules, seats)
    return format_html_join("\n", "<li>{}</li>", ((sentence.text,) for sentence in sentences))


@never_cache
@require_safe
def sync(request: HttpRequest, code: str) -> HttpResponse:
    """Send all fragments to a page whose socket is silent; 204 if it is up to date."""
    snapshot = _get_current_snapshot(code, request.user)
    match = snapshot.match
    seat = snapshot.seat_of(request.user)
    _record_poll(match, seat)
    _note_seated(request, match, seat)
    if _is_ahead(request.GET.get("v", "").partition("v")[0], match):
        return HttpResponse(headers={"HX-Refresh": "true"})
    repository.cache_snapshot(snapshot)
    view = get_snapshot_view(code, version=match.version, since=snapshot.at, audience_since=time.monotonic())
    page_state = _page_state_for(view, request)
    if request.GET.get("v") == page_state.checksum:
        return HttpResponse(status=204)
    return HttpResponse(page_state.full_html())


@never_cache
@shared_with_other_sites
@require_safe
def state(request: HttpRequest, code: str) -> HttpResponse:
    snapshot = _get_current_snapshot(code, request.user)
    seat = snapshot.seat_of(request.user)
    connections.record_hand_sent(seat)
    _note_seated(request, snapshot.match, seat)
    return forbid_indexing(JsonResponse(build_state(snapshot.match, seat, timezone.now())), snapshot.match)


@require_POST
def move(request: HtmxHttpRequest, code: str) -> HttpResponse:
    try:
        asked = MoveRequest.parse(request.POST)
        if request.GET.get("version") == "any":
            asked = asked.at_any_version()
        snapshot = asked.play(code=code, user=request.user)
    except Match.DoesNotExist:
        raise Http404 from None
    except MoveRefused as refusal:
        match = get_visible_match(code, request.user)
        if refusal.reason == "illegal":  # whether a move is legal tells what one holds, and what not
            connections.record_hand_sent(seat_of(match, request.user))
        return _answer(request, match, refusal)
    seat = snapshot.seat_of(request.user)
    _note_seated(request, snapshot.match, seat)
    return _answer(request, snapshot.match, seat=seat, moved=True)


def _is_ahead(version: str, match: Match) -> bool:
    """Return whether a page has more moves than the match, because a backup was restored: it must reload."""
    page_version = parse_whole_number(version)
    return page_version is not None and page_version > match.version


@require_POST
def absent(request: HtmxHttpRequest, code: str) -> HttpResponse:
    match = get_visible_match(code, request.user)
    try:
        seat = require_seat(request, match)
        match = services.answer_absence(match=match, seat=seat, take=request.POST.get("take", ""))
    except MoveRefused as refusal:
        match.refresh_from_db()
        return _answer(request, match, refusal)
    return _answer(request, match)


@require_POST
def prod(request: HtmxHttpRequest, code: str) -> HttpResponse:
    match = get_visible_match(code, request.user)
    try:
        services.prod(match=match, seat=require_seat(request, match))
    except MoveRefused as refusal:
        return _answer(request, match, refusal)
    return _answer(request, get_visible_match(code, request.user))


@require_POST
def continue_match(request: HtmxHttpRequest, code: str) -> HttpResponse:
    match = get_visible_match(code, request.user)
    try:
        services.continue_match(match=match, seat=require_seat(request, match))
    except MoveRefused as refusal:
        match.refresh_from_db()
        return _answer(request, match, refusal)
    return _answer(request, get_visible_match(code, request.user))


@require_POST
def say(request: HtmxHttpRequest, code: str) -> HttpResponse:
    match = get_visible_match(code, request.user)
    try:
        talk.say(
            match=match,
            user=_require_user(request),
            seat=seat_of(match, request.user),
            text=request.POST.get("text", ""),
        )
    except talk.TalkRefused as refusal:
        return _answer_talk(request, match, wording.message_refusal(refusal.code))
    return _answer_talk(request, match)


@require_POST
def emote(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Show `emote` at the sender's plate, or store whether the sender sees emotes (`show`) and remarks (`remarks`)."""
    match = get_visible_match(code, request.user)
    try:
        user = _require_user(request)
        if switch := next((name for name in TALK_SWITCHES if name in request.POST), None):
            setattr(user, TALK_SWITCHES[switch], request.POST[switch] == "1")
            user.save(update_fields=[TALK_SWITCHES[switch]])
        else:
            seat = seat_of(match, user)
            talk.emote(match=match, user=user, seat=seat, name=request.POST.get("emote", ""))
    except talk.TalkRefused as refusal:
        return _answer_talk(request, match, wording.message_refusal(refusal.code))
    return _answer_talk(request, match)


@require_POST
def report(request: HtmxHttpRequest, code: str) -> HttpResponse:
    match = get_visible_match(code, request.user)
    line = parse_whole_number(request.POST.get("talk", ""))
    try:
        user = _require_user(request)
        about = None if line is None else get_object_or_404(Talk, pk=line, match=match)
        talk.report(match=match, user=user, talk=about, reason=request.POST.get("reason", ""))
    except talk.TalkRefused as refusal:
        return _answer_talk(request, match, wording.message_refusal(refusal.code))
    return _answer_talk(request, match, done=wording.report_confirmation())


def _require_user(request: HttpRequest) -> User:
    """Return the sender if logged in. Raise `TalkRefused` (`no_name`)."""
    if not request.user.is_authenticated:
        raise talk.TalkRefused("no_name")
    return request.user


@shared_with_other_sites
@require_safe
def record(request: HttpRequest, code: str) -> HttpResponse:
    match = get_ended_match(code)
    response = JsonResponse(repository.build_record(match), json_dumps_params={"sort_keys": True})
    response["Content-Disposition"] = f'attachment; filename="{match.code}.json"'
    return forbid_indexing(response, match)


def _load_view(match: Match) -> SnapshotView:
    """Return the current view of the match."""
    now = time.monotonic()
    return get_snapshot_view(match.code, version=match.version, since=now, audience_since=now)


def _page_state_for(view: SnapshotView, request: HttpRequest) -> MatchPageState:
    """Return the state of the sender's page, in the board shapes named by its scripts; record that it has the hand."""
    connections.record_hand_sent(view.snapshot.seat_of(request.user))
    return view.page_state_for(request.user, parse_shapes(request.headers.get("Shape", "")))


def _answer(
    request: HtmxHttpRequest,
    match: Match,
    refusal: MoveRefused | None = None,
    seat: Seat | None = None,
    moved: bool = False,
) -> HttpResponse:
    """Answer a form of the match page with JSON, fragments or a redirect.

    `seat` is the sender's seat, if already read. After a move (`moved`) the cached snapshot is used.
    """
    status = 200 if refusal is None else refusal.status
    sentence = (
        "" if refusal is None else wording.refusal_sentence(refusal.reason, refusal.code, refusal.params)
    )
    if moved:
        connections.record_hand_sent(seat or seat_of(match, request.user))
    if wants_json(request):
        if refusal is not None:
            return JsonResponse({"error": sentence, "reason": refusal.reason}, status=status)
        own_seat = seat or seat_of(match, request.user)
        connections.record_hand_sent(own_seat)
        return JsonResponse(build_state(match, own_seat, timezone.now()))
    if refusal is not None and refusal.code == "repeated":
        sentence = ""  # the move that was sent before has been played
    if request.htmx and _is_ahead(request.POST.get("version", ""), match):
        return HttpResponse(status=status, headers={"HX-Refresh": "true"})
    if request.htmx:
        view = get_snapshot_view(match.code, version=match.version, since=0.0) if moved else _load_view(match)
        return HttpResponse(_page_state_for(view, request).full_html(sentence), status=status)
    if sentence:
        messages.error(request, sentence)
    return see_other("match", code=match.code)


def _answer_talk(request: HtmxHttpRequest, match: Match, refusal: str = "", done: str = "") -> HttpResponse:
    status = 422 if refusal else 200
    if wants_json(request):
        said = {"error": refusal, "message": done}
        return JsonResponse({name: sentence for name, sentence in said.items() if sentence}, status=status)
    if request.htmx:
        page_state = _page_state_for(_load_view(match), request)
        return HttpResponse(page_state.full_html(refusal, done), status=status)
    if refusal or done:
        (messages.error if refusal else messages.success)(request, refusal or done)
    # Without scripts the page is reloaded, at the talk.
    place = "?talk=1#chat" if request.POST.get("back") == "talk" else ""
    return see_other(match.get_absolute_url() + place)
