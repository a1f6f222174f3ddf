"""PageConsumer handles one message at a time, and cleans up."""

import asyncio

import pytest
from channels.layers import get_channel_layer
from django.contrib.auth.models import AnonymousUser

from live import open_sockets
from live.consumers import PageConsumer
from tests.socket_client import Socket
from tests.waiting import until_async

pytestmark = pytest.mark.django_db(transaction=True)


async def send_to_group(group: str, **message) -> None:
    await get_channel_layer().group_send(group, message)


class NotingPage(PageConsumer):
    """A page that notes when its handlers begin and end; they wait for the event `hold`."""

    def __init__(self, notes: list[str], hold: asyncio.Event) -> None:
        super().__init__()
        self.notes, self.hold = notes, hold

    def groups(self):
        return ["match.x"]

    def render(self):
        return "there"

    async def handle_text(self, text):
        await self._note(text)

    async def page_changed(self, message):
        await self._note(message["topic"])

    async def _disconnect(self, code):
        await super()._disconnect(code)
        self.notes.append(f"left with {code}")

    async def _note(self, what: str) -> None:
        self.notes.append(f"{what} begins")
        await self.hold.wait()
        self.notes.append(f"{what} ends")


async def connect(notes: list[str], hold: asyncio.Event) -> Socket:
    page = Socket(NotingPage.as_asgi(notes=notes, hold=hold), "/ws/x/")
    page.scope |= {"user": AnonymousUser(), "headers": []}
    await page.connect()
    assert await page.receive_from() == "there"  # after joining its groups
    return page


async def wait_for_notes(notes: list[str], number: int) -> list[str]:
    await until_async(lambda: len(notes) >= number, f"{number} notes")
    return notes


@pytest.mark.parametrize("first", ["browser", "others"])
async def test_messages_wait_while_handler_runs(first):
    notes: list[str] = []
    hold = asyncio.Event()
    viewer = await connect(notes, hold)
    if first == "browser":
        await viewer.send_to("mine")
        await wait_for_notes(notes, 1)
    for topic in ("one", "two"):
        await send_to_group("match.x", type="page.changed", topic=topic, changed_at_us=1)
    if first == "others":
        await wait_for_notes(notes, 1)
        await viewer.send_to("mine")
    await asyncio.sleep(0.1)
    assert len(notes) == 1
    hold.set()
    await wait_for_notes(notes, 6)
    ended = [note.removesuffix(" ends") for note in notes[1::2]]
    assert notes == [note for what in ended for note in (f"{what} begins", f"{what} ends")]
    assert sorted(ended) == ["mine", "one", "two"]
    assert ended.index("one") < ended.index("two")
    await viewer.disconnect()


async def test_browser_messages_are_handled_in_order():
    notes: list[str] = []
    hold = asyncio.Event()
    hold.set()
    viewer = await connect(notes, hold)
    for number in range(5):
        await viewer.send_to(str(number))
    await wait_for_notes(notes, 10)
    assert notes[::2] == [f"{number} begins" for number in range(5)]
    await viewer.disconnect()


async def test_disconnect_waits_for_running_handler():
    notes: list[str] = []
    hold = asyncio.Event()
    viewer = await connect(notes, hold)
    await send_to_group("match.x", type="page.changed", topic="news", changed_at_us=1)
    await wait_for_notes(notes, 1)
    await viewer.send_input({"type": "websocket.disconnect", "code": 1001})
    await asyncio.sleep(0.1)
    assert not viewer.future.done()
    hold.set()
    await viewer.wait()
    assert notes == ["news begins", "news ends", "left with 1001"]
    layer = get_channel_layer()
    assert not layer.groups.get("match.x")
    assert not layer.channels


@pytest.mark.parametrize("who", ["browser", "others"])
async def test_failed_handler_closes_socket(who):
    notes: list[str] = []
    viewer = await connect(notes, asyncio.Event())
    if who == "browser":
        await viewer.send_input({"type": "websocket.unknown"})
    else:
        await send_to_group("match.x", type="page.changed")
    with pytest.raises((AttributeError, KeyError)):
        await viewer.wait(timeout=10)
    assert notes == ["left with 1011"]
    assert not get_channel_layer().groups.get("match.x")
    assert not open_sockets._open_sockets


async def test_cancelled_socket_is_cleaned_up():
    notes: list[str] = []
    viewer = await connect(notes, asyncio.Event())
    await send_to_group("match.x", type="page.changed", topic="news", changed_at_us=1)
    await wait_for_notes(notes, 1)
    viewer.future.cancel()
    await asyncio.wait([viewer.future])
    assert viewer.future.cancelled()
    assert notes == ["news begins"]
    assert not get_channel_layer().groups.get("match.x")
    others = asyncio.all_tasks() - {asyncio.current_task()}
    assert not [task for task in others if "PageConsumer" in repr(task)]
