"""Icons from the one cached sprite, static/img/icons.svg."""

from functools import cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
@cache
def icon(name: str, size: str = "") -> SafeString:
    """The icon of that name, without a name of its own for readers; `size`: "s" for the small ones."""
    return format_html(
        '<svg class="ic{}" viewBox="0 0 20 20" aria-hidden="true"><use href="{}#{}"/></svg>',
        " ic-s" if size == "s" else "",
        static("img/icons.svg"),
        name,
    )
