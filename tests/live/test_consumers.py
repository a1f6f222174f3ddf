"""PageConsumer: the first frame, pushes, sessions and languages."""

import asyncio

import pytest
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.contrib.auth.models import AnonymousUser
from django.middleware.csrf import CsrfViewMiddleware
from django.test import RequestFactory
from django.utils import timezone
from django.utils.translation import gettext

from live import consumers, open_sockets, strip
from live.consumers import CLOSE_RESTART, PageConsumer
from tests.socket_client import Socket, create_session
from tests.waiting import until_async

pytestmark = pytest.mark.django_db(transaction=True)


class State:
    """The state that a test page renders, and what happened to it."""

    def __init__(self) -> None:
        self.version = 7
        self.rendered = 0


@pytest.fixture
def state():
    return State()


@pytest.fixture
def page_class(state):
    class TestedPage(PageConsumer):
        def groups(self):
            return ["match.x"]

        def render(self):
            state.rendered += 1
            self.rendered_version = state.version
            return f"<p>{state.version} {self.scope['user']}</p>"

    return TestedPage


def socket(consumer, user=None, session=None, query="", **headers) -> Socket:
    socket = Socket(consumer.as_asgi(), f"/ws/x/?{query}")
    socket.scope["user"] = user or AnonymousUser()
    if session is not None:
        socket.scope["session"] = session
    socket.scope["headers"] = [
        (name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()
    ]
    return socket


async def send_to_group(group: str, **message) -> None:
    await get_channel_layer().group_send(group, message)


async def test_first_frame_is_current_state(page_class):
    viewer = socket(page_class)
    assert (await viewer.connect())[0]
    assert await viewer.receive_from() == "<p>7 AnonymousUser</p>"
    await viewer.disconnect()


async def test_new_version_is_pushed_to_each_viewer(page_class, state, alice, bob):
    first, second = socket(page_class, alice), socket(page_class, bob)
    for viewer in (first, second):
        await viewer.connect()
        await viewer.receive_from()
    state.version = 8
    await send_to_group("match.x", type="match.changed", version=8)
    assert await first.receive_from() == "<p>8 alice</p>"
    assert await second.receive_from() == "<p>8 bob</p>"
    await first.disconnect()
    await second.disconnect()


async def test_version_already_sent_is_not_rendered(page_class, state):
    viewer = socket(page_class)
    await viewer.connect()
    await viewer.receive_from()
    await send_to_group("match.x", type="match.changed", version=7)
    await send_to_group("match.x", type="match.changed", version=3)
    assert await viewer.receive_nothing()
    assert state.rendered == 1
    await viewer.disconnect()


async def test_older_rendering_is_not_sent(page_class, state):
    viewer = socket(page_class)
    await viewer.connect()
    await viewer.receive_from()
    state.version = 6
    await send_to_group("match.x", type="page.changed", topic="talk", changed_at_us=1)
    assert await viewer.receive_nothing()
    await viewer.disconnect()


async def test_notifications_in_a_burst_are_combined(page_class, state):
    viewer = socket(page_class)
    await viewer.connect()
    await viewer.receive_from()
    state.version = 50
    for number in range(8, 51):
        await send_to_group("match.x", type="match.changed", version=number)
    assert await viewer.receive_from() == "<p>50 AnonymousUser</p>"
    await asyncio.sleep(0.1)
    assert state.rendered <= 4
    await viewer.disconnect()


async def test_first_frame_contains_change_after_joining(page_class, state):
    class Late(page_class):
        def render(self):
            state.version += 1  # a move during the first rendering
            return super().render()

    viewer = socket(Late)
    await viewer.connect()
    assert await viewer.receive_from() == "<p>8 AnonymousUser</p>"
    await viewer.disconnect()


async def test_rendering_error_is_logged_and_socket_stays_open(page_class, state, caplog):
    class Brittle(page_class):
        def render(self):
            if state.version == 8:
                raise ValueError("no such tile")
            return super().render()

    viewer = socket(Brittle)
    await viewer.connect()
    await viewer.receive_from()
    state.version = 8
    await send_to_group("match.x", type="match.changed", version=8)
    await until_async(lambda: "could not be pushed" in caplog.text, "the warning")
    state.version = 9
    await send_to_group("match.x", type="match.changed", version=9)
    assert await viewer.receive_from() == "<p>9 AnonymousUser</p>"
    await viewer.disconnect()


async def test_unknown_messages_are_ignored(page_class):
    viewer = socket(page_class)
    await viewer.connect()
    await viewer.receive_from()
    await viewer.send_to(text_data='{"move": "6-6"}')
    await viewer.send_to(bytes_data=b"\x00")
    assert await viewer.receive_nothing()
    await viewer.disconnect()


async def test_unauthorized_page_is_closed_after_handshake(page_class):
    class Nowhere(page_class):
        def authorize(self):
            return False

    viewer = socket(Nowhere)
    assert (await viewer.connect())[0]
    assert await viewer.receive_output() == {"type": "websocket.close", "code": 4403}


@pytest.mark.parametrize(("code", "closes"), [(1001, [True]), (1006, [False]), (CLOSE_RESTART, [])])
async def test_close_is_recorded(page_class, monkeypatch, code, closes):
    recorded = []
    monkeypatch.setattr(strip, "_close", lambda *, user, channel, clean: recorded.append(clean))
    viewer = socket(page_class)
    await viewer.connect()
    await viewer.receive_from()
    await viewer.disconnect(code=code)
    assert recorded == closes


async def test_closed_page_is_unregistered(page_class, alice):
    viewer = socket(page_class, alice)
    await viewer.connect()
    await viewer.receive_from()
    assert open_sockets._open_sockets[f"user {alice.pk}"] == 1
    await viewer.disconnect()
    assert f"user {alice.pk}" not in open_sockets._open_sockets
    layer = get_channel_layer()
    assert not getattr(layer, "groups", None)


async def test_log_out_closes_sockets_of_the_session(page_class, alice):
    here = await database_sync_to_async(create_session)(alice)
    elsewhere = await database_sync_to_async(create_session)(alice)
    viewer, other = socket(page_class, alice, here), socket(page_class, alice, elsewhere)
    for each in (viewer, other):
        await each.connect()
        await each.receive_from()
    await database_sync_to_async(here.delete)()
    await send_to_group(f"user.{alice.pk}", type="session.ended")
    assert await viewer.receive_output() == {"type": "websocket.close", "code": 4401}
    assert await other.receive_nothing(timeout=consumers.LOGOUT_SETTLE_SECONDS + 0.3)
    await viewer.disconnect()
    await other.disconnect()


async def test_other_session_is_served_during_log_out(page_class, alice, monkeypatch):
    monkeypatch.setattr(consumers, "LOGOUT_SETTLE_SECONDS", 60.0)
    viewer = socket(page_class, alice, await database_sync_to_async(create_session)(alice))
    await viewer.connect()
    await viewer.receive_from()
    await send_to_group(f"user.{alice.pk}", type="session.ended")
    await viewer.send_to("ping")
    assert await viewer.receive_from(timeout=10) == "pong"
    await viewer.disconnect()


async def test_log_out_committed_after_broadcast_closes_socket(page_class, alice, monkeypatch):
    monkeypatch.setattr(consumers, "LOGOUT_SETTLE_SECONDS", 0.2)
    session = await database_sync_to_async(create_session)(alice)
    viewer = socket(page_class, alice, session)
    await viewer.connect()
    await viewer.receive_from()
    await send_to_group(f"user.{alice.pk}", type="session.ended")
    await asyncio.sleep(0.05)
    await database_sync_to_async(session.delete)()
    assert await viewer.receive_output() == {"type": "websocket.close", "code": 4401}
    await viewer.disconnect()


@pytest.mark.parametrize("change", ["password", "active", "ban"])
async def test_session_is_checked_periodically(page_class, alice, monkeypatch, change):
    monkeypatch.setattr(consumers, "SESSION_CHECK_SECONDS", 0.1)
    session = await database_sync_to_async(create_session)(alice)
    viewer = socket(page_class, alice, session)
    await viewer.connect()
    await viewer.receive_from()
    assert await viewer.receive_nothing(timeout=0.3)
    if change == "password":
        alice.set_password("another")
    elif change == "active":
        alice.is_active = False
    else:
        alice.banned_at = timezone.now()
    await database_sync_to_async(alice.save)()
    assert await viewer.receive_output() == {"type": "websocket.close", "code": 4401}
    await viewer.disconnect()


async def test_socket_over_limit_per_user_is_refused(page_class, alice, monkeypatch):
    monkeypatch.setitem(open_sockets.MAX_SOCKETS, "user", 2)
    viewers = [socket(page_class, alice) for _ in range(3)]
    for viewer in viewers:
        await viewer.connect()
    assert await viewers[2].receive_output() == {"type": "websocket.close", "code": 4403}
    assert await viewers[1].receive_from() == "<p>7 alice</p>"
    for viewer in viewers:
        await viewer.disconnect()


async def test_fragments_are_in_viewers_language(page_class, alice):
    class Spoken(page_class):
        def render(self):
            return gettext("Monday")

    alice.language = "ru"
    preferring, asking, plain = (
        socket(Spoken, alice),
        socket(Spoken, accept_language="es-MX,es;q=0.9"),
        socket(Spoken),
    )
    for viewer, word in ((preferring, "понедельник"), (asking, "lunes"), (plain, "Monday")):
        await viewer.connect()
        assert await viewer.receive_from() == word
        await viewer.disconnect()


@pytest.mark.parametrize(
    ("said", "word"),
    [("es", "lunes"), ("tlh", "понедельник"), ("", "понедельник"), (f"es{'&more' * 2_000}", "lunes")],
)
async def test_page_keeps_the_language_of_its_address(page_class, alice, said, word):
    class Spoken(page_class):
        def render(self):
            return gettext("Monday")

    alice.language = "ru"
    viewer = socket(Spoken, alice, query=f"lang={said}", accept_language="en")
    await viewer.connect()
    assert await viewer.receive_from() == word
    await viewer.disconnect()


async def test_lost_group_memberships_are_renewed(page_class, state, monkeypatch):
    monkeypatch.setattr(consumers, "SESSION_CHECK_SECONDS", 0.1)
    viewer = socket(page_class)
    await viewer.connect()
    await viewer.receive_from()
    layer = get_channel_layer()
    layer.groups.clear()
    await asyncio.sleep(0.25)
    state.version = 8
    await send_to_group("match.x", type="match.changed", version=8)
    assert await viewer.receive_from() == "<p>8 AnonymousUser</p>"
    await viewer.disconnect()


async def test_csrf_token_matches_cookie(page_class, settings):
    settings.CSRF_FAILURE_VIEW = "django.views.csrf.csrf_failure"

    class Form(page_class):
        def render(self):
            return f"<p>{self.csrf_token}</p>"

    secret = "a1B2" * 8
    viewer = socket(Form)
    viewer.scope["cookies"] = {"csrftoken": secret}
    await viewer.connect()
    token = (await viewer.receive_from())[3:-4]

    def answer(given: str):
        request = RequestFactory().post(
            "/", {"csrfmiddlewaretoken": given}, headers={"cookie": f"csrftoken={secret}"}
        )
        return CsrfViewMiddleware(lambda request: None).process_view(request, lambda request: None, (), {})

    assert answer(token) is None
    assert await database_sync_to_async(answer)(token[::-1]) is not None
    await viewer.disconnect()


@pytest.mark.parametrize("cookie", ["", "short", "<script>" * 4, "é" * 32])
async def test_invalid_csrf_cookie_gives_no_token(page_class, cookie):
    class Form(page_class):
        def render(self):
            return f"<p>{self.csrf_token}</p>"

    viewer = socket(Form)
    viewer.scope["cookies"] = {"csrftoken": cookie}
    await viewer.connect()
    assert await viewer.receive_from() == "<p></p>"
    await viewer.disconnect()


async def test_ping_is_answered_without_rendering(page_class, state):
    viewer = socket(page_class)
    await viewer.connect()
    await viewer.receive_from()

    await viewer.send_to("ping")

    assert await viewer.receive_from() == "pong"
    assert state.rendered == 1


async def test_look_pushes_current_state(page_class, state):
    viewer = socket(page_class)
    await viewer.connect()
    await viewer.receive_from()
    state.version = 8

    await viewer.send_to("look")

    assert await viewer.receive_from() == "<p>8 AnonymousUser</p>"


async def test_look_of_refused_viewer_is_ignored(page_class, state):
    class Refusing(page_class):
        def authorize(self):
            return False

    viewer = socket(Refusing)
    await viewer.connect()
    assert (await viewer.receive_output())["code"] == consumers.CLOSE_REFUSED

    await viewer.send_to("look")

    assert await viewer.receive_nothing()
    assert state.rendered == 0
