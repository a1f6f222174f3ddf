"""The overlay of a table of a night for streams: what is played there, as late as asked for."""

from functools import partial

from django.http import Http404, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from core.http import HtmxHttpRequest
from core.numbers import parse_whole_number
from games.views.overlay import parse_delay, send_overlay, send_shown
from nights.overlay import build_table, find_round, find_table, name_seats
from nights.requests import get_visible_night


@never_cache
@require_safe
def overlay(request: HtmxHttpRequest, code: str) -> HttpResponse:
    """Show what was played at `?table=` so long ago: on phones its match, else who sat there and the result."""
    night, delay = get_visible_night(request, code), parse_delay(request)
    number = parse_whole_number(request.GET.get("table", "1"))
    if not number or number < 1:
        raise Http404
    moment = timezone.now() - delay
    drawn = find_round(night, moment)
    is_open = drawn is not None and (drawn.closed_at is None or drawn.closed_at > moment)
    table = find_table(drawn, number, moment) if drawn is not None and is_open else None
    if table is not None and table.match is not None and not (night.over_at and night.over_at <= moment):
        return send_overlay(request, table.match, delay, name_seats(night, table, table.match), number)
    return send_shown(
        request, partial(build_table, night, number), delay, "nights/_overlay.html", table=number
    )
