"""A finished round of a match in play: its line, the hands that were left and the bonus, to look at again."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from boneyard.engine.perspective import perspective
from games import repository
from games.drawing.line import draw_line
from games.drawing.tiles import draw_symbols
from games.models import Match
from games.table.news import describe_line
from games.table.panels import build_round_panel
from games.table.partner import explain_plays, find_partner
from games.table.titles import build_tab_title
from games.table.visible_value import get_visible_value
from games.views.match import forbid_indexing


@require_safe
def past_round(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Show round `number`. Everything in it has been public since it ended."""
    try:
        snapshot = repository.get_snapshot(code)
    except Match.DoesNotExist:
        raise Http404 from None
    seat = snapshot.seat_of(request.user)
    if snapshot.match.concealed and seat is None:
        raise Http404
    value = get_visible_value(snapshot.match, snapshot.value, seat.position if seat else None)
    before = tuple(ended for ended in value.ended if ended.number < number)
    ended = next((ended for ended in value.ended if ended.number == number), None)
    if ended is None:
        raise Http404
    position = seat.position if seat else None
    then = value._replace(round=ended.round, ended=before)
    view = perspective(then, position)
    panel = build_round_panel(snapshot.match, view._replace(ended=(*before, ended)), snapshot.seats, lead="")
    partner = find_partner(snapshot.match, snapshot.seats, view.terms, position)
    context = {
        "partner": partner.display_name if partner else "",
        "explained": explain_plays(ended, partner) if partner else (),
        "match": snapshot.match,
        "panel": panel,
        "tab_title": build_tab_title(snapshot.match, view, [seat.display_name for seat in snapshot.seats]),
        "charged": view.rules.lowest_wins,
        "line": draw_line(view),
        "words": describe_line(view),
        "symbols": draw_symbols(view.rules.set),
    }
    return forbid_indexing(render(request, "games/past_round.html", context), snapshot.match)
