"""Which pages may open a socket: those of this very site, as for its forms.

Hosts alone (Channels' AllowedHostsOriginValidator) would let in whatever else runs on another port or without TLS on
the same host; since a socket takes moves, its origin is looked at as that of a POST is.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings

Scope = MutableMapping[str, Any]
App = Callable[..., Awaitable[None]]


class SameOrigin:
    """An ASGI application for sockets that pages of other origins may not open."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        headers = dict(scope["headers"])
        origin = headers.get(b"origin", b"").decode("latin-1")
        host = headers.get(b"host", b"").decode("latin-1")
        if is_own(origin, host):
            await self.app(scope, receive, send)
        else:
            await WebsocketDenier()(scope, receive, send)


def is_own(origin: str, host: str) -> bool:
    """Whether `origin` is that of a page of `host`, or one of settings.CSRF_TRUSTED_ORIGINS."""
    scheme = "https" if settings.HTTPS else "http"
    return origin == f"{scheme}://{host}" or any(
        _matches(origin, trusted) for trusted in settings.CSRF_TRUSTED_ORIGINS
    )


def _matches(origin: str, trusted: str) -> bool:
    if "*" not in trusted:
        return origin == trusted
    one, other = urlsplit(origin), urlsplit(trusted)
    return one.scheme == other.scheme and one.netloc.endswith(other.netloc.lstrip("*"))
