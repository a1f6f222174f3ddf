"""The parts of the front page that are the same for all readers of a language, rendered once."""

import re
from collections.abc import Iterable

from django.http import QueryDict
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from accounts.models import User
from boneyard.engine.presets import PRESETS
from games.wording import cached_by_language, preset_title
from lobbies.clocks import get_offered_clocks
from lobbies.fields import clock_choices
from lobbies.form_data import initial_data
from lobbies.forms import TableForm
from lobbies.offers import QuickGame

NO_CLOCK = "none"
PLACEHOLDER = "\0"  # in no text of a page
INDENTATION = re.compile(r"\s*\n\s*")


def render_tiles(tiles: Iterable[tuple[QuickGame, str]], csrf_token: str) -> SafeString:
    """Return the quick-play tiles, each with what it says about who waits."""
    token, html = escape(csrf_token), ""
    for game, waiting in tiles:
        before, between, after = _render_tile(game)
        html += f"{before}{token}{between}{waiting}{after}"
    return mark_safe(html)  # noqa: S308  of templates


# Cache: key game and language; bound MAX_CACHED_CALLS; invalidated by nothing.
@cached_by_language
def _render_tile(game: QuickGame) -> tuple[str, str, str]:
    """Return what is before and after the CSRF token and the people who wait."""
    before, between, after = _render("lobbies/_quick.html", game=game, waiting=PLACEHOLDER).split(PLACEHOLDER)
    return before, between, after


def render_table_form(*, may_rate: bool, closed: bool, csrf_token: str) -> SafeString:
    """Return the form of a new table before anything is entered, for anybody but moderators.

    Without computers and calls it has no pauses, which are the reader's own. `closed`: no table may be made now.
    """
    before, after = _render_table_form(may_rate, closed, get_offered_clocks())
    return mark_safe(f"{before}{escape(csrf_token)}{after}")  # noqa: S308  of a template


# Cache: key the arguments and the language; bound MAX_CACHED_CALLS; invalidated by nothing, as `clocks`, which the form
# takes from the site's settings, are in the key.
@cached_by_language
def _render_table_form(may_rate: bool, closed: bool, clocks: tuple[str, ...]) -> tuple[str, str]:
    """Return what is before and after the CSRF token."""
    form = TableForm(initial_data(QueryDict()), User())
    context = {"form": form, "may_rate": may_rate, "closed": closed, "brief": True}
    before, after = _render("lobbies/_form.html", **context).split(PLACEHOLDER)
    return before, after


# Cache: key the language; bound their number; invalidated by nothing.
@cached_by_language
def render_game_choice() -> SafeString:
    choices = [(preset, preset_title(preset)) for preset in PRESETS]
    return mark_safe(_render("lobbies/_game_choice.html", choices=choices))  # noqa: S308  of a template


def render_clock_choice() -> SafeString:
    """Return the choice of a clock for a table to which one invites; without one unless another is chosen."""
    return _render_clock_choice(get_offered_clocks())


# Cache: key the clocks and the language; bound MAX_CACHED_CALLS; invalidated by nothing.
@cached_by_language
def _render_clock_choice(clocks: tuple[str, ...]) -> SafeString:
    choices = clock_choices(NO_CLOCK, called=False)
    return mark_safe(_render("lobbies/_clock_choice.html", choices=choices, chosen=NO_CLOCK))  # noqa: S308  of a template


def _render(template: str, **context: object) -> str:
    """Render a template without its indentation, with a placeholder for the CSRF token."""
    html = render_to_string(template, {**context, "csrf_token": PLACEHOLDER})
    return INDENTATION.sub("\n", html)
