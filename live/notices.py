"""What concerns a person on whatever page they have open. A higher app hands over how it is rendered
(AppConfig.ready), as this one knows nothing of it."""

from collections.abc import Callable
from typing import Any

Render = Callable[[Any, str], str]  # of the user and the page's CSRF token: fragments to swap in

_renders: list[Render] = []


def contribute(render: Render) -> None:
    _renders.append(render)


def notices_for(user: Any, csrf_token: str) -> str:
    return "".join(render(user, csrf_token) for render in _renders)
