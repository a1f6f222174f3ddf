"""A client for the WebSocket consumers, without a browser."""

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.testing import WebsocketCommunicator
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore

from tests.waiting import attempts

TIMEOUT_SECONDS = 30.0  # for a busy machine


class Socket(WebsocketCommunicator):
    """A communicator with longer timeouts: the default of Channels is one second."""

    async def connect(self, timeout: float = TIMEOUT_SECONDS):
        return await super().connect(timeout)

    async def receive_output(self, timeout: float = TIMEOUT_SECONDS):
        return await super().receive_output(timeout)

    async def receive_from(self, timeout: float = TIMEOUT_SECONDS):
        return await super().receive_from(timeout)

    async def disconnect(self, code: int = 1000, timeout: float = TIMEOUT_SECONDS):
        await super().disconnect(code, timeout)


def create_session(user) -> SessionStore:
    """Return a saved session with `user` logged in."""
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return session


class SocketClient:
    """A client of one consumer, connected while used as a context manager."""

    def __init__(self, consumer: type[AsyncWebsocketConsumer], user=None, code: str = "") -> None:
        self.socket = Socket(consumer.as_asgi(), "/ws/x/")
        self.socket.scope |= {
            "user": user or AnonymousUser(),
            "headers": [],
            "cookies": {},
            "url_route": {"kwargs": {"code": code}},
        }

    async def __aenter__(self) -> "SocketClient":
        await self.socket.connect()
        return self

    async def __aexit__(self, *error) -> None:
        await self.socket.disconnect()

    async def receive_containing(self, text: str) -> str:
        """Return the next frame that contains `text`, also with its quotes escaped as in JSON."""
        for _ in range(9):
            frame = await self.socket.receive_from()
            if text in frame.replace('\\"', '"'):
                return frame
        raise AssertionError(f"no frame contains {text}")

    async def receives_nothing(self) -> bool:
        return await self.socket.receive_nothing(timeout=0.4)

    async def drain(self) -> None:
        """Receive frames until none arrives for half a second."""
        for _ in attempts("the last frame"):
            if await self.socket.receive_nothing(timeout=0.5):
                break
            await self.socket.receive_from()
