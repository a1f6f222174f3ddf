"""A page's socket, without the page: what it is sent."""

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.testing import WebsocketCommunicator
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore

PATIENCE = 30.0  # seconds; what comes at all comes sooner, on a busy machine too


class Socket(WebsocketCommunicator):
    """The communicator of Channels, which gives up after a second, with more patience."""

    async def connect(self, timeout: float = PATIENCE):
        return await super().connect(timeout)

    async def receive_output(self, timeout: float = PATIENCE):
        return await super().receive_output(timeout)

    async def receive_from(self, timeout: float = PATIENCE):
        return await super().receive_from(timeout)

    async def disconnect(self, code: int = 1000, timeout: float = PATIENCE):
        await super().disconnect(code, timeout)


def signed_in(user) -> SessionStore:
    """A session like the one that logging in begins."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return session


class Page:
    def __init__(self, consumer: type[AsyncWebsocketConsumer], user=None, code: str = "") -> None:
        self.socket = Socket(consumer.as_asgi(), "/ws/x/")
        self.socket.scope |= {
            "user": user or AnonymousUser(),
            "headers": [],
            "cookies": {},
            "url_route": {"kwargs": {"code": code}},
        }

    async def __aenter__(self) -> "Page":
        await self.socket.connect()
        return self

    async def __aexit__(self, *error) -> None:
        await self.socket.disconnect()

    async def sees(self, text: str) -> str:
        """The next frame in which `text` is; the quotes of what is told among its changes are escaped."""
        for _ in range(9):
            frame = await self.socket.receive_from()
            if text in frame.replace('\\"', '"'):
                return frame
        raise AssertionError(f"{text} never came")

    async def hears_nothing(self) -> bool:
        return await self.socket.receive_nothing(timeout=0.4)

    async def has_seen_all(self) -> None:
        while not await self.socket.receive_nothing(timeout=0.5):
            await self.socket.receive_from()
