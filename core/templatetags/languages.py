"""The languages of the site, for the menu at the foot of a page."""

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def own_names() -> list[tuple[str, str]]:
    """Return (code, name) of each language; Django's tag would translate the names into the page's language."""
    return list(settings.LANGUAGES)
