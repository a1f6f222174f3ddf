"""The parts of the front page that are the same for all readers of a language, rendered once."""

import re

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from boneyard.engine.presets import PRESETS
from games.wording import cached_by_language, preset_title, short_goal_name
from games.wording.taglines import tagline
from operators.site_settings import get_site

INDENTATION = re.compile(r"\s*\n\s*")


def render_game_list() -> SafeString:
    """Return the site's games as buttons, each with its seats, length and what it is like."""
    offered = [preset for preset in get_site().games if preset in PRESETS]
    return _render_game_list(tuple(offered or PRESETS))


# Cache: key the games and the language; bound MAX_CACHED_CALLS; invalidated by nothing.
@cached_by_language
def _render_game_list(presets: tuple[str, ...]) -> SafeString:
    games = [
        {
            "preset": preset.id,
            "title": preset_title(preset.id),
            "players": ", ".join(map(str, preset.rules.players)),
            "goal": short_goal_name(preset.rules),
            "twist": tagline(preset.id),
        }
        for preset in map(PRESETS.get, presets)
        if preset is not None
    ]
    html = render_to_string("lobbies/_game_list.html", {"games": games})
    return mark_safe(INDENTATION.sub("\n", html))  # noqa: S308  of a template
