"""The page on which somebody who waits for the other's move plans an answer to it (decision 13)."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from boneyard.engine import moves as notation
from boneyard.engine.perspective import perspective
from core.http import get_text, see_other
from core.numbers import parse_whole_number
from games import repository, services, wording
from games.conditional_moves import ANY, list_answers, list_planned, may_plan
from games.drawing.line import draw_line
from games.drawing.tiles import draw_symbols
from games.models import Match
from games.seats import get_visible_match, seat_of
from games.services import MoveRefused, connections
from games.table.news import describe_line
from games.views.match import forbid_indexing


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def conditional_moves(request: HttpRequest, code: str) -> HttpResponse:
    """Show one's plans and what can be planned after `?if=MOVE`; store a plan, or cancel it if `move` is empty."""
    match = get_visible_match(code, request.user)
    return _plan(request, match) if request.method == "POST" else _show(request, code)


def _show(request: HttpRequest, code: str) -> HttpResponse:
    snapshot = repository.get_snapshot(code)
    match, value, seat = snapshot.match, snapshot.value, snapshot.seat_of(request.user)
    if seat is None or not may_plan(match, value.terms, value.turn, seat.position):
        return see_other(match)
    connections.record_hand_sent(seat)  # what can be planned for is what one does not hold
    name = snapshot.seats[1 - seat.position].display_name
    view = perspective(value, seat.position)
    answers = list_answers(view)
    condition = request.GET.get("if", "")
    conditions = {key: _describe_condition(key, name) for key in answers}
    context = {
        "match": match,
        "line": draw_line(view) if view.laid else "",
        "words": describe_line(view),
        "symbols": draw_symbols(view.rules.set),
        "name": name,
        "condition": condition,
        "chosen": conditions.get(condition) if "if" in request.GET else None,
        "conditions": conditions.items(),
        "answers": [(str(move), wording.play_phrase(move)) for move in answers.get(condition, ())],
        "planned": [
            (row, _describe_condition(row.condition, name), wording.play_phrase(notation.parse(row.move)))
            for row in list_planned(seat)
        ],
    }
    return forbid_indexing(render(request, "games/conditional_moves.html", context), match)


def _describe_condition(condition: str, name: str) -> str:
    if condition == ANY:
        return _("In any other case")
    if condition == str(notation.PASS):
        return _("If %(name)s passes") % {"name": name}
    play = wording.play_phrase(notation.parse(condition))
    return _("If %(name)s plays %(play)s") % {"name": name, "play": play}


def _plan(request: HttpRequest, match: Match) -> HttpResponse:
    # Whether a plan is possible tells what one holds, and what not.
    connections.record_hand_sent(seat_of(match, request.user))
    given = request.POST
    version = parse_whole_number(given.get("version", ""))
    try:
        services.plan(
            code=match.code,
            user=request.user,
            condition=get_text(given, "if"),
            move=given.get("move", ""),
            seen_version=-1 if version is None else version,
        )
    except MoveRefused as refusal:
        messages.error(request, wording.refusal_sentence(refusal.reason, refusal.code, refusal.params))
    return see_other("match-plan", code=match.code)
