"""A match's page and the forms on it. Perspective decides what is shown, services what is done."""

import time
from functools import lru_cache

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from core.database import NOT_WRITTEN
from core.http import HtmxHttpRequest, see_other, wants_json
from core.numbers import parse_whole_number
from games import repository, services, wording
from games.drawing.line import parse_shapes
from games.engine.rules import Rules
from games.forms import MoveRequest
from games.models import Match, Seat, Talk
from games.repository import Snapshot
from games.seats import seat_of
from games.services import MoveRefused, connections, talk
from games.table.page_state import Shown
from games.table.snapshot_cache import Reading, reading
from games.table.state_json import state_for
from games.table.table_view import table_for


def get_snapshot(code: str) -> Snapshot:
    """The match, once what time has decided has been applied."""
    try:
        found = repository.get_snapshot(code)
    except Match.DoesNotExist:
        raise Http404 from None
    match, now = found.match, timezone.now()
    if match.playing and match.next_action_at is not None and match.next_action_at <= now:
        try:
            services.advance(match, now)
            return repository.get_snapshot(code)
        except NOT_WRITTEN:
            pass  # a busy database must not refuse a read; the referee will see to it in a moment
    return found


def require_seat(request: HtmxHttpRequest, match: Match) -> Seat:
    """The sender's own seat. Raises MoveRefused (`not_seated`)."""
    seat = seat_of(match, request.user)
    if seat is None:
        raise MoveRefused("not_seated")
    if not request.htmx:
        _note_page(match, seat)
    return seat


def _note_sender(request: HtmxHttpRequest, code: str) -> None:
    match = get_object_or_404(Match, code=code)
    if seat := seat_of(match, request.user):
        _note_page(match, seat)


def _note_page(match: Match, seat: Seat | None) -> None:
    try:
        if match.playing:
            connections.record_page_load(match, seat)
    except NOT_WRITTEN:
        pass  # a busy database must not refuse a read


def _note_asked(match: Match, seat: Seat | None) -> None:
    """A page has asked by itself: where no socket comes through, the only sign that its player is here."""
    if match.playing and seat is not None and not connections.has_socket(seat):
        _note_page(match, seat)


def forbid_indexing(response: HttpResponse, match: Match) -> HttpResponse:
    """Ask search engines to leave a private match out: it is for people who have its link, and for nobody else."""
    if match.private:
        response["X-Robots-Tag"] = "noindex"
    return response


@never_cache
@require_safe
def match_page(request: HttpRequest, code: str) -> HttpResponse:
    found = get_snapshot(code)
    seat = found.seat_of(request.user)
    connections.record_hand_sent(seat, with_page=found.match.playing)
    _note_page(found.match, seat)
    with wording.pinned_language():
        table = table_for(
            found.match,
            found.value,
            seat=seat,
            user=request.user,
            now=timezone.now(),
            chosen=request.GET.get("tile", ""),
            several=request.GET.get("chosen", ""),
            rows=found.seats,
        )
        shown = Shown(table).in_page
    rules = _rules_told(found.value.rules, len(found.seats), found.match.preset, wording.active_language())
    asked = {name: request.GET.get(name) for name in ("still", "resign", "talk")}
    page = render(request, "games/match.html", {"table": table, "shown": shown, "rules": rules} | asked)
    # Indents are 300 of its 7,500 packed bytes.
    page.content = "\n".join(filter(None, map(str.strip, page.content.decode().split("\n"))))
    return forbid_indexing(page, found.match)


@lru_cache(256)  # some 8 KB each, and anybody may make house rules
def _rules_told(rules: Rules, seats: int, preset: str | None, language: str | None) -> SafeString:
    """The rules at a table in words, as a list: a third of what a page took to be rendered."""
    with wording.speech_of(preset).at_home():
        sentences = wording.describe_rules(rules, seats)
    return format_html_join("\n", "<li>{}</li>", ((sentence.text,) for sentence in sentences))


@never_cache
@require_safe
def sync(request: HttpRequest, code: str) -> HttpResponse:
    """The parts again, for a page whose socket has been silent; 204 if it already shows them."""
    found = get_snapshot(code)
    match = found.match
    _note_asked(match, found.seat_of(request.user))
    if _is_ahead(request.GET.get("v", "").partition("v")[0], match):
        return HttpResponse(headers={"HX-Refresh": "true"})
    repository.cache_snapshot(found)
    latest = reading(code, version=match.version, since=found.at, around_since=time.monotonic())
    shown = _shown_to(latest, request)
    if request.GET.get("v") == shown.stamp:
        return HttpResponse(status=204)
    return HttpResponse(shown.whole())


@never_cache
@require_safe
def state(request: HttpRequest, code: str) -> HttpResponse:
    found = get_snapshot(code)
    seat = found.seat_of(request.user)
    connections.record_hand_sent(seat)
    return forbid_indexing(JsonResponse(state_for(found.match, seat, timezone.now())), found.match)


@require_POST
def move(request: HtmxHttpRequest, code: str) -> HttpResponse:
    if not request.htmx:
        _note_sender(request, code)
    try:
        played = MoveRequest.read(request.POST).play(code=code, user=request.user)
    except Match.DoesNotExist:
        raise Http404 from None
    except MoveRefused as refused:
        return _answer(request, get_object_or_404(Match, code=code), refused)
    return _answer(request, played.match, seat=played.seat_of(request.user), moved=True)


def _is_ahead(version: str, match: Match) -> bool:
    """Whether a page shows more moves than there are: those before a backup was restored. It begins anew."""
    shown = parse_whole_number(version)
    return shown is not None and shown > match.version


@require_POST
def absent(request: HtmxHttpRequest, code: str) -> HttpResponse:
    match = get_object_or_404(Match, code=code)
    try:
        seat = require_seat(request, match)
        match = services.answer_absence(match=match, seat=seat, take=request.POST.get("take", ""))
    except MoveRefused as refused:
        match.refresh_from_db()
        return _answer(request, match, refused)
    return _answer(request, match)


@require_POST
def prod(request: HtmxHttpRequest, code: str) -> HttpResponse:
    match = get_object_or_404(Match, code=code)
    try:
        services.prod(match=match, seat=require_seat(request, match))
    except MoveRefused as refused:
        return _answer(request, match, refused)
    return _answer(request, get_object_or_404(Match, code=code))


@require_POST
def continue_match(request: HtmxHttpRequest, code: str) -> HttpResponse:
    match = get_object_or_404(Match, code=code)
    try:
        services.continue_match(match=match, seat=require_seat(request, match))
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
    except talk.TalkRefused as unsaid:
        return _answer_talk(request, match, wording.message_refusal(unsaid.code))
    return _answer_talk(request, match)


@require_POST
def report(request: HtmxHttpRequest, code: str) -> HttpResponse:
    match = get_object_or_404(Match, code=code)
    line = parse_whole_number(request.POST.get("talk", ""))
    try:
        user = _named(request)
        about = None if line is None else get_object_or_404(Talk, pk=line, match=match)
        talk.report(match=match, user=user, talk=about, reason=request.POST.get("reason", ""))
    except talk.TalkRefused as unsaid:
        return _answer_talk(request, match, wording.message_refusal(unsaid.code))
    return _answer_talk(request, match, done=wording.report_confirmation())


def _named(request: HttpRequest) -> User:
    """The sender, if they have a name. Raises TalkRefused (`no_name`)."""
    if not request.user.is_authenticated:
        raise talk.TalkRefused("no_name")
    return request.user


@require_safe
def record(request: HttpRequest, code: str) -> HttpResponse:
    match = get_object_or_404(Match, code=code)
    if match.playing:
        raise Http404
    response = JsonResponse(repository.build_record(match), json_dumps_params={"sort_keys": True})
    response["Content-Disposition"] = f'attachment; filename="{match.code}.json"'
    return forbid_indexing(response, match)


def _read(match: Match) -> Reading:
    """The match as it is now."""
    now = time.monotonic()
    return reading(match.code, version=match.version, since=now, around_since=now)


def _shown_to(latest: Reading, request: HttpRequest) -> Shown:
    """What the sender's page is to show, their hand with it, and the board in the shape that its scripts name."""
    connections.record_hand_sent(latest.snapshot.seat_of(request.user))
    return latest.shown_to(request.user, parse_shapes(request.headers.get("Shape", "")))


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
    sentence = "" if refused is None else wording.refusal_sentence(refused.reason, refused.code, refused.params)
    if wants_json(request):
        if refused is not None:
            return JsonResponse({"error": sentence, "reason": refused.reason}, status=status)
        mine = seat or seat_of(match, request.user)
        connections.record_hand_sent(mine)
        return JsonResponse(state_for(match, mine, timezone.now()))
    if request.htmx and _is_ahead(request.POST.get("version", ""), match):
        return HttpResponse(status=status, headers={"HX-Refresh": "true"})
    if request.htmx:
        latest = reading(match.code, version=match.version, since=0.0) if moved else _read(match)
        return HttpResponse(_shown_to(latest, request).whole(sentence), status=status)
    if sentence:
        messages.error(request, sentence)
    return see_other("match", code=match.code)


def _answer_talk(request: HtmxHttpRequest, match: Match, refusal: str = "", done: str = "") -> HttpResponse:
    status = 422 if refusal else 200
    if wants_json(request):
        said = {"error": refusal, "message": done}
        return JsonResponse({name: sentence for name, sentence in said.items() if sentence}, status=status)
    if request.htmx:
        shown = _shown_to(_read(match), request)
        return HttpResponse(shown.whole(refusal, done), status=status)
    if refusal or done:
        (messages.error if refusal else messages.success)(request, refusal or done)
    # Without scripts the page is loaded anew, and what was said is to be seen in it.
    place = "?talk=1#chat" if request.POST.get("back") == "talk" else ""
    return see_other(match.get_absolute_url() + place)
