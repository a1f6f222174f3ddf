"""Origin check for sockets."""

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, parse_cookie

from dominoes_site.threads import App, Receive, Scope, Send


class OriginMiddleware:
    """ASGI middleware that refuses (403) sockets of other origins, and cookies with NUL.

    Allowed are the origin whose scheme, host and port the page itself was requested from, and those in
    CSRF_TRUSTED_ORIGINS. PostgreSQL does not accept NUL.
    """

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if _is_allowed(scope):
            await self.app(scope, receive, send)
        else:
            await send({"type": "websocket.close"})


def _is_allowed(scope: Scope) -> bool:
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    if "\0" in "".join(parse_cookie(headers.get(b"cookie", "")).values()):
        return False
    origin = headers.get(b"origin", "").lower()
    request = HttpRequest()
    request.META = {"HTTP_HOST": headers.get(b"host", "")}
    try:
        own_origin = f"{'https' if settings.HTTPS else 'http'}://{request.get_host()}".lower()
    except DisallowedHost:
        return False
    return origin in {own_origin, *settings.CSRF_TRUSTED_ORIGINS}
