"""Sockets are for this site's own pages: a browser says which page it is that opens one."""

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, parse_cookie

from dominoes_site.threads import App, Receive, Scope, Send


class OwnOrigin:
    """An ASGI application for sockets that refuses (403) every origin but the site's, compared whole: scheme, host
    and port, with which the page itself was asked for; and those that CSRF_TRUSTED_ORIGINS names. So it does NUL in a
    cookie: no page of ours sends it, and PostgreSQL does not take it."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if _is_own(scope):
            await self.app(scope, receive, send)
        else:
            await send({"type": "websocket.close"})


def _is_own(scope: Scope) -> bool:
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    if "\0" in "".join(parse_cookie(headers.get(b"cookie", "")).values()):
        return False
    origin = headers.get(b"origin", "").lower()
    asked = HttpRequest()
    asked.META = {"HTTP_HOST": headers.get(b"host", "")}
    try:
        own = f"{'https' if settings.HTTPS else 'http'}://{asked.get_host()}".lower()
    except DisallowedHost:
        return False
    return origin in {own, *settings.CSRF_TRUSTED_ORIGINS}
