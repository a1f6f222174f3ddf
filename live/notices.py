"""Fragments about the user that are pushed to every page. Higher apps register how to render them."""

from collections.abc import Callable
from typing import Any

# Takes the user, the page's CSRF token, and the code of the match or table that the page is about; returns fragments to
# swap in.
RenderNotice = Callable[[Any, str, str], str]

_renderers: list[RenderNotice] = []


def register(render: RenderNotice) -> None:
    """Register a renderer; call it from `AppConfig.ready`."""
    _renderers.append(render)


def render_notices(user: Any, csrf_token: str, page_code: str) -> str:
    return "".join(render(user, csrf_token, page_code) for render in _renderers)
