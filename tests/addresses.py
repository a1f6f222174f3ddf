"""All URL routes of the site."""

import re
from collections.abc import Iterator

from django.urls import URLPattern, get_resolver

HOLE = re.compile(r"<(?:\w+:)?(\w+)>")


def routes() -> list[str]:
    """Return all routes, sorted, with parameters as `<name>` or `<converter:name>`."""
    return sorted(set(_routes(get_resolver())))


def _routes(resolver, prefix: str = "") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        route = prefix + str(pattern.pattern).lstrip("^").removesuffix("$").replace(r"\Z", "")
        route = re.sub(r"\(\?P(<\w+>)[^)]*\)", r"\1", route)
        if isinstance(pattern, URLPattern):
            yield route
        else:
            yield from _routes(pattern, route)
