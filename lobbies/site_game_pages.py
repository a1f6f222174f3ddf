"""Show the rules of a game of this site, and make a table of it."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST, require_safe

from accounts.addresses import address_of
from boneyard.engine.rules import Rules
from core.http import HtmxHttpRequest
from games import wording
from games.wording.questions import list_questions
from lobbies import clocks, services
from lobbies.answers import redirect_to_table, render_refusal
from lobbies.game import Game
from lobbies.models import SiteGame
from lobbies.offers import USUAL_CLOCK
from lobbies.refusals import TableRefused
from lobbies.requests import get_or_create_user, parse_commitment
from lobbies.site_games import find_fault
from operators.translated import choose_text


@require_safe
def page(request: HtmxHttpRequest, slug: str) -> HttpResponse:
    """Describe the game in generated sentences."""
    game = get_object_or_404(SiteGame, slug=slug)
    if find_fault(game):
        raise Http404
    parts: dict[str, list[str]] = {}
    rules = Rules.from_dict(game.rules)
    for sentence in wording.describe_rules(rules, game.seats):
        parts.setdefault(sentence.part, []).append(sentence.text)
    context = {
        "game": game,
        "questions": list_questions(rules, game.seats),
        "about": choose_text(game.about),
        "base": wording.preset_title(game.preset),
        "parts": [(wording.part_name(part), texts) for part, texts in parts.items()],
    }
    return render(request, "lobbies/site_game.html", context)


@require_POST
def play(request: HtmxHttpRequest, slug: str) -> HttpResponse:
    """Make a table of the game, with the usual clock."""
    row = get_object_or_404(SiteGame, slug=slug, offered=True)
    if find_fault(row):
        raise Http404
    try:
        user = get_or_create_user(request)
        rules = Rules.from_dict(row.rules)
        game = Game(row.preset, rules, row.seats, False, clocks.parse(USUAL_CLOCK), user.pauses)
        table = services.make_table(
            user, game, address=address_of(request), commitment=parse_commitment(request)
        )
    except TableRefused as refusal:
        return render_refusal(request, refusal, row)
    return redirect_to_table(request, table)
