"""A template block rendered once per language."""

import re
from typing import Any

from django import template
from django.template import Context, NodeList, TemplateSyntaxError
from django.template.base import FilterExpression, Parser, Token, token_kwargs
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

_INDENTATION = re.compile(r"\s*\n\s*")


class CachedNode(template.Node):
    """A block that is rendered once per language and values of `variables`, which must be hashable.

    The block sees these variables and nothing else of the page, so it cannot show one user's data to another. Its
    indentation is dropped: it must hold no `pre` or `textarea`.
    """

    child_nodelists = ()  # Django need not search for {% block %} in here

    def __init__(self, nodelist: NodeList, variables: dict[str, FilterExpression]) -> None:
        self.nodelist, self._variables = nodelist, variables
        # Cache: key (language, values); bound their combinations; invalidated by nothing (kept until the process ends).
        self._cache: dict[tuple[Any, ...], SafeString] = {}

    def render(self, context: Context) -> SafeString:
        values = {name: value.resolve(context) for name, value in self._variables.items()}
        key = get_language(), *values.values()
        if key not in self._cache:
            html = self.nodelist.render(context.new(values))
            self._cache[key] = SafeString(_INDENTATION.sub("\n", html))
        return self._cache[key]


@register.tag
def cached(parser: Parser, token: Token) -> CachedNode:
    """Parse `{% cached %}…{% endcached %}`, or `{% cached name=value %}` for a block that depends on a variable."""
    name, *bits = token.split_contents()
    variables = token_kwargs(bits, parser)
    if bits:
        raise TemplateSyntaxError(f"{name} takes only name=value arguments")
    nodelist = parser.parse(["endcached"])
    parser.delete_first_token()
    return CachedNode(nodelist, variables)
