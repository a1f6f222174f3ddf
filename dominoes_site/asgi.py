"""The ASGI application: pages run in a bounded set of threads, sockets in Channels."""

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
from api.streams import Streams  # noqa: E402
from core.database import SocketOutageMiddleware  # noqa: E402
from dominoes_site.balances import Balances  # noqa: E402
from dominoes_site.budgets import Budgets, SocketBudgets  # noqa: E402
from dominoes_site.origin import OriginMiddleware  # noqa: E402
from dominoes_site.threads import App, Pages, Receive, RequestThreads, Scope, Send  # noqa: E402
from games.consumers import MatchConsumer  # noqa: E402
from live.database_thread import run_in_database_thread  # noqa: E402
from lobbies.consumers import LobbyConsumer, SiteConsumer, TableConsumer, WatchConsumer  # noqa: E402
from nights.consumers import NightConsumer  # noqa: E402


async def reject_unknown_path(scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse a socket at an unknown address, for which the router would raise an error."""
    await send({"type": "websocket.close"})


async def return_scope(scope: Scope, receive: Receive, send: Send) -> Scope:
    return scope


class AuthMiddleware:
    """Channels' AuthMiddlewareStack, which returns before the consumer runs.

    Channels' own stays on the call stack, with copies of the scope, for as long as the socket is open. The user is
    read in the database thread that all sockets share.
    """

    def __init__(self, app: App) -> None:
        self.app = app
        self.add_session = CookieMiddleware(SessionMiddleware(return_scope))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope = await self.add_session(scope, receive, send)
        scope["user"] = await run_in_database_thread(get_user.func, scope)
        await self.app(scope, receive, send)


sockets = URLRouter(
    [
        path("ws/games/<slug:code>/", MatchConsumer.as_asgi()),
        path("ws/tables/<slug:code>/", TableConsumer.as_asgi()),
        path("ws/here/", SiteConsumer.as_asgi()),
        path("ws/lobby/", LobbyConsumer.as_asgi()),
        path("ws/watch/", WatchConsumer.as_asgi()),
        path("ws/nights/<slug:code>/<slug:view>/", NightConsumer.as_asgi()),
        path("ws/nights/<slug:code>/<slug:view>/<slug:secret>/", NightConsumer.as_asgi()),
        path("ws/leaderboard/<slug:pool>/", LeaderboardConsumer.as_asgi()),
        re_path(r"", cast(Any, reject_unknown_path)),
    ]
)

balances = Balances()
application = ProtocolTypeRouter(
    {
        "http": Budgets(Streams(RequestThreads(Pages(), settings.WEB_THREADS)), balances),
        "websocket": OriginMiddleware(
            SocketBudgets(SocketOutageMiddleware(AuthMiddleware(sockets)), balances)
        ),
    }
)
