"""Send the pictures of link previews; answer 404 for private tables and matches, and while a set of deals is open."""

from collections.abc import Callable
from functools import wraps
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from accounts.models import Rating, User
from accounts.pools import POOLS
from boneyard.engine.perspective import View, perspective
from core.http import HtmxHttpRequest
from core.languages import get_requested_language
from core.numbers import parse_whole_number
from dominoes_site.cards import drawing, podium
from dominoes_site.cards.rendering import Busy, render_png
from dominoes_site.page_meta import list_terms, load_public_match
from events.models import DealSet
from games import repository, wording
from games.models import Match
from games.past.replay import History
from games.wording.options import title_for_target
from lobbies.models import Table
from nights.loaded import load_night
from nights.models import Night
from nights.pages import NightPage
from nights.podium import Podium
from nights.requests import get_visible_night
from operators.site_settings import USUAL_DESCRIPTION, get_description
from study import puzzles
from study.models import Puzzle

MAX_RATINGS = 3
PLAYING_MAX_AGE_SECONDS, MAX_AGE_SECONDS = 30, 86_400

Picture = Callable[..., HttpResponse]


def in_page_language(view: Picture) -> Picture:
    """Draw in the language of the page that links to the picture (`?lang=`): preview services send no preference."""

    @wraps(view)
    def wrapped(request: HttpRequest, **kwargs: object) -> HttpResponse:
        with translation.override(get_requested_language(request)):
            return view(request, **kwargs)

    return wrapped


@require_safe
@in_page_language
def card(request: HttpRequest) -> HttpResponse:
    """Send the card of pages without one of their own."""
    return _send(drawing.draw_site(drawing.make_drawable(get_description()) or str(USUAL_DESCRIPTION)))


@require_safe
@in_page_language
def board_svg(request: HttpRequest, code: str) -> HttpResponse:
    """Send the board as a drawing; of an ended match after `?move=N` moves."""
    match = _get_match(code)
    return _cached(HttpResponse(_draw_board(request, match), content_type="image/svg+xml"), match)


@require_safe
@in_page_language
def board_png(request: HttpRequest, code: str) -> HttpResponse:
    """Send the same as a PNG."""
    match = _get_match(code)
    return _cached(_send(_draw_board(request, match)), match)


def _get_match(code: str) -> Match:
    match = load_public_match(code)
    if match is None:
        raise Http404
    return match


def _draw_board(request: HttpRequest, match: Match) -> str:
    view = _get_view(match, parse_whole_number(request.GET.get("move", "")))
    names = [_get_drawable_name(seat.display_name) for seat in match.seats.all()]
    title = wording.game_title(match.preset, match.rules, len(names), match.base_preset)
    sides = wording.side_names(view.terms.sides, names)
    lines = [f"{side} {score}" for side, score in zip(sides, view.scores, strict=True)]
    return drawing.draw_board(view, title, ["  ·  ".join(lines)])


def _get_view(match: Match, number: int | None) -> View:
    """Return a spectator's view: now, or of an ended match after so many moves."""
    if match.playing:
        return perspective(repository.get_value(match), None)
    history = History.load(match)
    last = len(history.values) - 1
    return perspective(history.value_to_display(last if number is None else min(number, last)), None)


@require_safe
@in_page_language
def table_card(request: HttpRequest, code: str) -> HttpResponse:
    table = get_object_or_404(Table.objects.select_related("host"), code=code, private=False)
    game = wording.game_title(None if table.changed else table.preset, table.rules, table.seats, table.preset)
    title = _("%(name)s invites you") % {"name": _get_drawable_name(table.host.public_name)}
    return _send(drawing.draw_invitation(title, [game, *list_terms(table)]))


@require_safe
@in_page_language
def daily_card(request: HttpRequest, day: str) -> HttpResponse:
    """Send the card of a Daily Deal: its day and its game, without tiles."""
    deals = get_object_or_404(DealSet, name=f"daily-{day}")
    if deals.fault:
        raise Http404
    rounds = ngettext("%(n)d round", "%(n)d rounds", deals.rounds) % {"n": deals.rounds}
    game = title_for_target(deals.preset, deals.parsed_rules.target)
    title = f"{_('Daily Deal')}, {date_format(deals.opens_at, 'MONTH_DAY_FORMAT')}"
    return _send(drawing.draw_invitation(title, [game, rounds]))


@require_safe
@in_page_language
def night_card(request: HttpRequest, code: str) -> HttpResponse:
    """Send the card of a night to come: its name, its start and its game, nobody's name."""
    night = get_visible_night(cast(HtmxHttpRequest, request), code)
    if night.status == Night.Status.CANCELLED:
        raise Http404
    page = NightPage(load_night(night))
    facts = list(filter(None, [page.start, page.game]))
    return _send_of(night, drawing.draw_invitation(night.title, facts))


@require_safe
@in_page_language
def podium_png(request: HttpRequest, code: str) -> HttpResponse:
    """Send the podium of a night that is over."""
    night = get_visible_night(cast(HtmxHttpRequest, request), code)
    if night.status != Night.Status.OVER:
        raise Http404
    return _send_of(night, draw_podium_of(night))


def _send_of(night: Night, svg: str) -> HttpResponse:
    """Send a picture of a night; one for the members of a club is stored by nobody else."""
    response = _send(svg)
    if night.audience == Night.Audience.CLUB:
        response["Cache-Control"] = "private, no-store"
    return response


def draw_podium_of(night: Night) -> str:
    """Draw the podium with the names that the night's page has."""
    shown = Podium(NightPage(load_night(night)))
    steps = [
        podium.Step(place, [_get_drawable_name(row.name) for row in rows], rows[0].figures)
        for place, rows in shown.steps
    ]
    return podium.draw_podium(night.name, steps, shown.lines)


@require_safe
@in_page_language
def profile_card(request: HttpRequest, name: str) -> HttpResponse:
    person = get_object_or_404(
        User, username=name, is_guest=False, deleted_at__isnull=True, banned_at__isnull=True
    )
    pools = dict(POOLS)
    best = Rating.objects.filter(user=person).order_by("-value")[:MAX_RATINGS]
    facts = [f"{pools[row.pool]}: {round(row.value)}" for row in best if row.pool in pools]
    return _send(drawing.draw_person(_get_drawable_name(person.public_name), facts))


@require_safe
@in_page_language
def puzzle_card(request: HttpRequest, pk: int) -> HttpResponse:
    puzzle = get_object_or_404(Puzzle, pk=pk)
    return _send(
        drawing.draw_puzzle(puzzles.view_of(puzzle), _("A domino puzzle"), _("One move is best. Which?"))
    )


def _get_drawable_name(name: str) -> str:
    """Return a name as the pictures' fonts can draw it, or "A player" if they cannot."""
    return drawing.make_drawable(name) or _("A player")


def _send(svg: str) -> HttpResponse:
    try:
        response = HttpResponse(render_png(svg), content_type="image/png")
    except Busy:
        return HttpResponse(status=503, headers={"Retry-After": "5"})
    response["Cache-Control"] = f"public, max-age={MAX_AGE_SECONDS}"
    return response


def _cached(response: HttpResponse, match: Match) -> HttpResponse:
    seconds = PLAYING_MAX_AGE_SECONDS if match.playing else MAX_AGE_SECONDS
    if response.status_code == 200:
        response["Cache-Control"] = f"public, max-age={seconds}"
    return response
