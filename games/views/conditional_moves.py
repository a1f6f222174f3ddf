"""The page on which somebody who waits for the other's move plans an answer to it (decision 13)."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from boneyard.engine.perspective import perspective
from core.http import get_text, see_other
from core.numbers import parse_whole_number
from games import repository, services, wording
from games.conditional_moves import list_planned, list_steps, may_plan
from games.drawing.tiles import draw_symbols
from games.seats import get_visible_match, seat_of
from games.services import MoveRefused, connections
from games.table.planning import Planning
from games.views.match import forbid_indexing


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def conditional_moves(request: HttpRequest, code: str) -> HttpResponse:
    """Show one's plans and the position after `?line=MOVES`; store a plan, or cancel it if `move` is empty."""
    match = get_visible_match(code, request.user)
    if request.method != "POST":
        return _show(request, code)
    # Whether a plan is possible tells what one holds, and what not.
    connections.record_hand_sent(seat_of(match, request.user))
    return _plan(request, code)


def _show(request: HttpRequest, code: str) -> HttpResponse:
    snapshot = repository.get_snapshot(code)
    match, value, seat = snapshot.match, snapshot.value, snapshot.seat_of(request.user)
    if seat is None or not may_plan(match, value.terms, value.turn, seat.position):
        return see_other(match)
    connections.record_hand_sent(seat)  # what can be planned for is what one does not hold
    given = request.GET
    path = " ".join(filter(None, (get_text(given, "line"), get_text(given, "move"))))
    page = Planning(
        perspective(value, seat.position),
        snapshot.seats[1 - seat.position].display_name,
        path,
        list_steps(list_planned(seat)),
        chosen=get_text(given, "tile"),
    )
    context = {"match": match, "page": page, "symbols": draw_symbols(value.rules.set)}
    return forbid_indexing(render(request, "games/conditional_moves.html", context), match)


def _plan(request: HttpRequest, code: str) -> HttpResponse:
    given = request.POST
    version = parse_whole_number(given.get("version", ""))
    try:
        services.plan(
            code=code,
            user=request.user,
            condition=get_text(given, "if"),
            move=given.get("move", ""),
            seen_version=-1 if version is None else version,
        )
    except MoveRefused as refusal:
        messages.error(request, wording.refusal_sentence(refusal.reason, refusal.code, refusal.params))
        return see_other("match-plan", code=code)
    answer = given.get("move", "")
    if not answer:
        return see_other("match-plan", code=code)
    line = urlencode({"line": f"{get_text(given, 'if') or 'any'} {answer}"})
    return see_other(f"{reverse('match-plan', args=[code])}?{line}")
