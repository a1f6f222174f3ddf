"""The site as an ASGI application: pages through a bounded set of threads, sockets through Channels."""

import os
from typing import Any, cast

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes_site.settings")
django.setup(set_prefix=False)  # the consumers below need their models

from channels.auth import get_user  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.sessions import CookieMiddleware, SessionMiddleware  # noqa: E402
from django.conf import settings  # noqa: E402
from django.urls import path, re_path  # noqa: E402

from accounts.consumers import LeaderboardConsumer  # noqa: E402
from core.database import SocketOutageMiddleware  # noqa: E402
from dominoes_site.origin import OwnOrigin  # noqa: E402
from dominoes_site.threads import App, Pages, Receive, Scope, Send, ThreadsByPurpose  # noqa: E402
from games.consumers import MatchConsumer  # noqa: E402
from live.database_thread import run_in_database_thread  # noqa: E402
from lobbies.consumers import LobbyConsumer, TableConsumer, WatchConsumer  # noqa: E402


async def nothing_here(scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse a socket at an unknown address; without this the router raises for every scanner that knocks."""
    await send({"type": "websocket.close"})


async def handed_back(scope: Scope, receive: Receive, send: Send) -> Scope:
    return scope


class KnowingWho:
    """Channels' AuthMiddlewareStack, which has nothing more to do once it has found out whose socket it is: here it is
    over then, and not kept waiting with copies of the scope for as long as the page is open. Who it is, is looked up
    where all sockets ask the database."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.with_session = CookieMiddleware(SessionMiddleware(handed_back))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        known = await self.with_session(scope, receive, send)
        known["user"] = await run_in_database_thread(get_user.func, known)
        await self.app(known, receive, send)


sockets = URLRouter(
    [
        path("ws/games/<slug:code>/", MatchConsumer.as_asgi()),
        path("ws/tables/<slug:code>/", TableConsumer.as_asgi()),
        path("ws/lobby/", LobbyConsumer.as_asgi()),
        path("ws/watch/", WatchConsumer.as_asgi()),
        path("ws/leaderboard/<slug:pool>/", LeaderboardConsumer.as_asgi()),
        re_path(r"", cast(Any, nothing_here)),
    ]
)

application = ProtocolTypeRouter(
    {
        "http": ThreadsByPurpose(Pages(), settings.WEB_THREADS),
        "websocket": OwnOrigin(SocketOutageMiddleware(KnowingWho(sockets))),
    }
)
