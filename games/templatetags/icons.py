"""Render icons from the sprite static/img/icons.svg."""

from functools import cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

# They point along the text, and are mirrored with it (static/css/mirrored.css).
DIRECTED = frozenset("first last next prev share".split())


@register.simple_tag
@cache  # Cache: key name and size; bound the icons in templates; invalidated by nothing.
def icon(name: str, size: str = "") -> SafeString:
    """Render an icon, hidden from screen readers; `size` "s" for a small one."""
    return format_html(
        '<svg class="icon{}{}" viewBox="0 0 20 20" aria-hidden="true"><use href="{}#{}"/></svg>',
        " icon-small" if size == "s" else "",
        " icon-directed" if name in DIRECTED else "",
        static("img/icons.svg"),
        name,
    )


@register.simple_tag
@cache  # Cache: key the name; bound the emotes; invalidated by nothing.
def emote_icon(name: str) -> SafeString:
    """Render the picture of an emote, hidden from screen readers."""
    return format_html(
        '<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><use href="{}#{}"/></svg>',
        static("img/emotes.svg"),
        name,
    )
