"""Fragments about the user that are pushed to every page. Higher apps register how to render them."""

from collections.abc import Callable
from typing import Any

RenderNotice = Callable[
    [Any, str], str
]  # takes the user and the page's CSRF token; returns fragments to swap in

_renderers: list[RenderNotice] = []


def register(render: RenderNotice) -> None:
    """Register a renderer; call it from `AppConfig.ready`."""
    _renderers.append(render)


def render_notices(user: Any, csrf_token: str) -> str:
    return "".join(render(user, csrf_token) for render in _renderers)
