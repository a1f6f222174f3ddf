"""The games of this site, for lists of games."""

from django import template

from lobbies.models import SiteGame
from lobbies.site_games import find_offered

register = template.Library()


@register.simple_tag
def site_games() -> list[SiteGame]:
    """Return the offered games of this site."""
    return find_offered()
