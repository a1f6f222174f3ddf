"""The mailbox keeps order, loses no message, and has a limit."""

import asyncio

import pytest

from live.layers.mailbox import Mailbox


async def test_messages_are_received_in_order():
    mailbox = Mailbox()
    for number in range(3):
        mailbox.put_nowait(number)
    assert [await mailbox.get() for _ in range(3)] == [0, 1, 2]
    assert mailbox.empty()


async def test_waiting_reader_gets_message():
    mailbox = Mailbox()
    reader = asyncio.create_task(mailbox.get())
    await asyncio.sleep(0)
    mailbox.put_nowait("first")
    mailbox.put_nowait("second")
    assert await reader == "first"
    assert await mailbox.get() == "second"


async def test_message_of_cancelled_reader_is_kept():
    mailbox = Mailbox()
    reader = asyncio.create_task(mailbox.get())
    await asyncio.sleep(0)
    mailbox.put_nowait("here")
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    assert await mailbox.get() == "here"


async def test_full_mailbox_raises():
    mailbox = Mailbox(2)
    mailbox.put_nowait(1)
    mailbox.put_nowait(2)
    with pytest.raises(asyncio.QueueFull):
        mailbox.put_nowait(3)
    assert await mailbox.get() == 1
    mailbox.put_nowait(3)


async def test_second_reader_is_refused():
    mailbox = Mailbox()
    reader = asyncio.create_task(mailbox.get())
    await asyncio.sleep(0)
    with pytest.raises(RuntimeError):
        await mailbox.get()
    mailbox.put_nowait("for the first")
    assert await reader == "for the first"
