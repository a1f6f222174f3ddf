"""The parts of the front page that are the same for all readers of a language, rendered once."""

import re

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from boneyard.engine.presets import PRESETS
from games.wording import cached_by_language, goal_beside, preset_title
from games.wording.taglines import tagline
from operators.site_settings import get_site

INDENTATION = re.compile(r"\s*\n\s*")


def render_game_list() -> SafeString:
    """Return the site's games as buttons, each with its seats, length and what it is like."""
    return _render_games("lobbies/_game_list.html", _list_offered())


def render_game_picker(chosen: str) -> SafeString:
    """Return the site's games as a choice in a form, `chosen` among them."""
    offered = _list_offered()
    if chosen in PRESETS and chosen not in offered:
        offered = (*offered, chosen)
    html = _render_games("lobbies/_game_picker.html", offered)
    return mark_safe(html.replace(f'value="{chosen}"', f'value="{chosen}" checked'))  # noqa: S308  a preset's id


def _list_offered() -> tuple[str, ...]:
    return tuple(preset for preset in get_site().games if preset in PRESETS) or tuple(PRESETS)


# Cache: key the template, the games and the language; bound MAX_CACHED_CALLS; invalidated by nothing.
@cached_by_language
def _render_games(template: str, presets: tuple[str, ...]) -> SafeString:
    games = [
        {
            "preset": preset,
            "title": preset_title(preset),
            "players": ", ".join(map(str, PRESETS[preset].rules.players)),
            "goal": goal_beside(preset_title(preset), PRESETS[preset].rules),
            "twist": tagline(preset),
        }
        for preset in presets
    ]
    html = render_to_string(template, {"games": games})
    return mark_safe(INDENTATION.sub("\n", html))  # noqa: S308  of a template
