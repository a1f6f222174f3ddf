"""Parts of a page that everybody who reads in one language sees alike."""

from typing import Any

from django import template
from django.template import Context, NodeList, TemplateSyntaxError
from django.template.base import FilterExpression, Parser, Token, token_kwargs
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()


class Alike(template.Node):
    """Rendered once a language for the same values of `about`, hashable and of few forms. It sees these and nothing
    else of the page, so that nobody is shown what is another's."""

    child_nodelists = ()  # a page that extends this one has no block to look for in it

    def __init__(self, nodelist: NodeList, about: dict[str, FilterExpression]) -> None:
        self.nodelist, self._about = nodelist, about
        self._kept: dict[tuple[Any, ...], SafeString] = {}

    def render(self, context: Context) -> SafeString:
        about = {name: value.resolve(context) for name, value in self._about.items()}
        key = get_language(), *about.values()
        if key not in self._kept:
            self._kept[key] = self.nodelist.render(context.new(about))
        return self._kept[key]


@register.tag
def alike(parser: Parser, token: Token) -> Alike:
    """`{% alike %}…{% endalike %}`, or `{% alike name=value %}` of what depends on that, too."""
    name, *bits = token.split_contents()
    about = token_kwargs(bits, parser)
    if bits:
        raise TemplateSyntaxError(f"{name} takes what it depends on as name=value")
    nodelist = parser.parse(["endalike"])
    parser.delete_first_token()
    return Alike(nodelist, about)
