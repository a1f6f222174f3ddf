"""A page's socket: the present state first, then whatever changed, for as long as its person may see it."""

import asyncio

import pytest
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.contrib.auth.models import AnonymousUser
from django.middleware.csrf import CsrfViewMiddleware
from django.test import RequestFactory
from django.utils import timezone
from django.utils.translation import gettext

from live import consumers, open_sockets
from live.consumers import PageConsumer
from tests.socket_client import Socket, create_session

pytestmark = pytest.mark.django_db(transaction=True)


class Slate:
    """What the page shows, and what happened to it."""

    def __init__(self) -> None:
        self.version = 7
        self.rendered = 0
        self.closed_with: int | None = None


@pytest.fixture
def slate():
    return Slate()


@pytest.fixture
def slate_page(slate):
    class SlatePage(PageConsumer):
        def groups(self):
            return ["match.x"]

        def render(self):
            slate.rendered += 1
            self.rendered_version = slate.version
            return f"<p>{slate.version} {self.scope['user']}</p>"

        def on_disconnect(self, code):
            slate.closed_with = code

    return SlatePage


def socket(consumer, user=None, session=None, asked="", **headers) -> Socket:
    socket = Socket(consumer.as_asgi(), f"/ws/x/?{asked}")
    socket.scope["user"] = user or AnonymousUser()
    if session is not None:
        socket.scope["session"] = session
    socket.scope["headers"] = [
        (name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()
    ]
    return socket


async def tell(group: str, **message) -> None:
    await get_channel_layer().group_send(group, message)


async def test_the_first_frame_is_the_present_state(slate_page):
    viewer = socket(slate_page)
    assert (await viewer.connect())[0]
    assert await viewer.receive_from() == "<p>7 AnonymousUser</p>"
    await viewer.disconnect()


async def test_a_later_version_is_pushed_to_each_viewer(slate_page, slate, alice, bob):
    first, second = socket(slate_page, alice), socket(slate_page, bob)
    for viewer in (first, second):
        await viewer.connect()
        await viewer.receive_from()
    slate.version = 8
    await tell("match.x", type="match.changed", version=8)
    assert await first.receive_from() == "<p>8 alice</p>"
    assert await second.receive_from() == "<p>8 bob</p>"
    await first.disconnect()
    await second.disconnect()


async def test_a_version_already_shown_costs_nothing(slate_page, slate):
    viewer = socket(slate_page)
    await viewer.connect()
    await viewer.receive_from()
    await tell("match.x", type="match.changed", version=7)
    await tell("match.x", type="match.changed", version=3)
    assert await viewer.receive_nothing()
    assert slate.rendered == 1
    await viewer.disconnect()


async def test_an_older_rendering_is_never_sent(slate_page, slate):
    viewer = socket(slate_page)
    await viewer.connect()
    await viewer.receive_from()
    slate.version = 6
    await tell("match.x", type="page.changed", topic="talk", changed_at_us=1)
    assert await viewer.receive_nothing()
    await viewer.disconnect()


async def test_a_burst_of_hints_is_a_few_frames(slate_page, slate):
    viewer = socket(slate_page)
    await viewer.connect()
    await viewer.receive_from()
    slate.version = 50
    for number in range(8, 51):
        await tell("match.x", type="match.changed", version=number)
    assert await viewer.receive_from() == "<p>50 AnonymousUser</p>"
    await asyncio.sleep(0.1)
    assert slate.rendered <= 4
    await viewer.disconnect()


async def test_a_change_between_joining_and_the_first_frame_is_in_it(slate_page, slate):
    class Late(slate_page):
        def render(self):
            slate.version += 1  # somebody plays while the first frame is made
            return super().render()

    viewer = socket(Late)
    await viewer.connect()
    assert await viewer.receive_from() == "<p>8 AnonymousUser</p>"
    await viewer.disconnect()


async def test_a_failed_rendering_is_logged_and_the_socket_lives(slate_page, slate, caplog):
    class Brittle(slate_page):
        def render(self):
            if slate.version == 8:
                raise ValueError("no such tile")
            return super().render()

    viewer = socket(Brittle)
    await viewer.connect()
    await viewer.receive_from()
    slate.version = 8
    await tell("match.x", type="match.changed", version=8)
    async with asyncio.timeout(1):
        while "could not be pushed" not in caplog.text:
            await asyncio.sleep(0.01)
    slate.version = 9
    await tell("match.x", type="match.changed", version=9)
    assert await viewer.receive_from() == "<p>9 AnonymousUser</p>"
    await viewer.disconnect()


async def test_what_clients_send_is_ignored(slate_page):
    viewer = socket(slate_page)
    await viewer.connect()
    await viewer.receive_from()
    await viewer.send_to(text_data='{"move": "6-6"}')
    await viewer.send_to(bytes_data=b"\x00")
    assert await viewer.receive_nothing()
    await viewer.disconnect()


async def test_a_page_of_nothing_is_refused_after_the_handshake(slate_page):
    class Nowhere(slate_page):
        def authorize(self):
            return False

    viewer = socket(Nowhere)
    assert (await viewer.connect())[0]
    assert await viewer.receive_output() == {"type": "websocket.close", "code": 4403}


async def test_closing_is_told_to_the_page(slate_page, slate):
    viewer = socket(slate_page)
    await viewer.connect()
    await viewer.receive_from()
    await viewer.disconnect(code=1001)
    assert slate.closed_with == 1001


async def test_a_closed_page_leaves_nothing_behind(slate_page, alice):
    viewer = socket(slate_page, alice)
    await viewer.connect()
    await viewer.receive_from()
    assert open_sockets._open_sockets[f"user {alice.pk}"] == 1
    await viewer.disconnect()
    assert f"user {alice.pk}" not in open_sockets._open_sockets
    layer = get_channel_layer()
    assert not getattr(layer, "groups", None)


async def test_a_log_out_closes_the_sockets_of_that_session(slate_page, alice):
    here = await database_sync_to_async(create_session)(alice)
    elsewhere = await database_sync_to_async(create_session)(alice)
    viewer, other = socket(slate_page, alice, here), socket(slate_page, alice, elsewhere)
    for each in (viewer, other):
        await each.connect()
        await each.receive_from()
    await database_sync_to_async(here.delete)()
    await tell(f"user.{alice.pk}", type="session.ended")
    assert await viewer.receive_output() == {"type": "websocket.close", "code": 4401}
    assert await other.receive_nothing(timeout=consumers.LOGOUT_SETTLE_SECONDS + 0.3)
    await viewer.disconnect()
    await other.disconnect()


async def test_the_pages_of_a_session_that_goes_on_are_served_while_another_ends(
    slate_page, alice, monkeypatch
):
    monkeypatch.setattr(consumers, "LOGOUT_SETTLE_SECONDS", 60.0)
    viewer = socket(slate_page, alice, await database_sync_to_async(create_session)(alice))
    await viewer.connect()
    await viewer.receive_from()
    await tell(f"user.{alice.pk}", type="session.ended")
    await viewer.send_to("ping")
    assert await viewer.receive_from(timeout=10) == "pong"
    await viewer.disconnect()


async def test_a_log_out_that_is_announced_before_it_is_done_closes_too(slate_page, alice, monkeypatch):
    monkeypatch.setattr(consumers, "LOGOUT_SETTLE_SECONDS", 0.2)
    session = await database_sync_to_async(create_session)(alice)
    viewer = socket(slate_page, alice, session)
    await viewer.connect()
    await viewer.receive_from()
    await tell(f"user.{alice.pk}", type="session.ended")
    await asyncio.sleep(0.05)
    await database_sync_to_async(session.delete)()
    assert await viewer.receive_output() == {"type": "websocket.close", "code": 4401}
    await viewer.disconnect()


@pytest.mark.parametrize("change", ["password", "active", "ban"])
async def test_the_session_is_looked_at_without_being_told(slate_page, alice, monkeypatch, change):
    monkeypatch.setattr(consumers, "SESSION_CHECK_SECONDS", 0.1)
    session = await database_sync_to_async(create_session)(alice)
    viewer = socket(slate_page, alice, session)
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


async def test_one_person_may_open_so_many_sockets_and_no_more(slate_page, alice, monkeypatch):
    monkeypatch.setattr(open_sockets, "MAX_SOCKETS_PER_USER", 2)
    viewers = [socket(slate_page, alice) for _ in range(3)]
    for viewer in viewers:
        await viewer.connect()
    assert await viewers[2].receive_output() == {"type": "websocket.close", "code": 4403}
    assert await viewers[1].receive_from() == "<p>7 alice</p>"
    for viewer in viewers:
        await viewer.disconnect()


async def test_fragments_come_in_the_viewers_language(slate_page, alice):
    class Spoken(slate_page):
        def render(self):
            return gettext("Monday")

    alice.language = "ru"
    preferring, asking, plain = (
        socket(Spoken, alice),
        socket(Spoken, accept_language="es-MX,es;q=0.9"),
        socket(Spoken),
    )
    for viewer, word in ((preferring, "Понедельник"), (asking, "lunes"), (plain, "Monday")):
        await viewer.connect()
        assert await viewer.receive_from() == word
        await viewer.disconnect()


@pytest.mark.parametrize(
    ("said", "word"),
    [("es", "lunes"), ("tlh", "Понедельник"), ("", "Понедельник"), (f"es{'&more' * 2_000}", "lunes")],
)
async def test_a_page_that_says_its_language_keeps_it_when_its_reader_has_chosen_another(
    slate_page, alice, said, word
):
    class Spoken(slate_page):
        def render(self):
            return gettext("Monday")

    alice.language = "ru"
    viewer = socket(Spoken, alice, asked=f"lang={said}", accept_language="en")
    await viewer.connect()
    assert await viewer.receive_from() == word
    await viewer.disconnect()


async def test_memberships_that_the_layer_forgot_are_renewed(slate_page, slate, monkeypatch):
    monkeypatch.setattr(consumers, "SESSION_CHECK_SECONDS", 0.1)
    viewer = socket(slate_page)
    await viewer.connect()
    await viewer.receive_from()
    layer = get_channel_layer()
    layer.groups.clear()
    await asyncio.sleep(0.25)
    slate.version = 8
    await tell("match.x", type="match.changed", version=8)
    assert await viewer.receive_from() == "<p>8 AnonymousUser</p>"
    await viewer.disconnect()


async def test_a_fragments_form_carries_a_token_that_its_viewers_cookie_proves(slate_page, settings):
    settings.CSRF_FAILURE_VIEW = "django.views.csrf.csrf_failure"

    class Form(slate_page):
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
async def test_a_cookie_that_is_none_gives_no_token(slate_page, cookie):
    class Form(slate_page):
        def render(self):
            return f"<p>{self.csrf_token}</p>"

    viewer = socket(Form)
    viewer.scope["cookies"] = {"csrftoken": cookie}
    await viewer.connect()
    assert await viewer.receive_from() == "<p></p>"
    await viewer.disconnect()


async def test_who_asks_whether_the_line_is_good_is_answered_without_the_page(slate_page, slate):
    viewer = socket(slate_page)
    await viewer.connect()
    await viewer.receive_from()

    await viewer.send_to("ping")

    assert await viewer.receive_from() == "pong"
    assert slate.rendered == 1


async def test_who_comes_back_to_the_page_is_sent_the_present_state(slate_page, slate):
    viewer = socket(slate_page)
    await viewer.connect()
    await viewer.receive_from()
    slate.version = 8

    await viewer.send_to("look")

    assert await viewer.receive_from() == "<p>8 AnonymousUser</p>"


async def test_who_was_refused_is_shown_nothing_for_the_asking(slate_page, slate):
    class Refusing(slate_page):
        def authorize(self):
            return False

    viewer = socket(Refusing)
    await viewer.connect()
    assert (await viewer.receive_output())["code"] == consumers.CLOSE_REFUSED

    await viewer.send_to("look")

    assert await viewer.receive_nothing()
    assert slate.rendered == 0
