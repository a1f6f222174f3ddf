"""A mailbox: in order, none lost, and full when it is full."""

import asyncio

import pytest

from live.layers.mailbox import Mailbox


async def test_messages_come_in_the_order_they_were_sent():
    mailbox = Mailbox()
    for number in range(3):
        mailbox.put_nowait(number)
    assert [await mailbox.get() for _ in range(3)] == [0, 1, 2]
    assert mailbox.empty()


async def test_whoever_waits_gets_what_comes():
    mailbox = Mailbox()
    reader = asyncio.create_task(mailbox.get())
    await asyncio.sleep(0)
    mailbox.put_nowait("first")
    mailbox.put_nowait("second")
    assert await reader == "first"
    assert await mailbox.get() == "second"


async def test_what_came_as_the_reader_was_cancelled_is_there_for_the_next():
    mailbox = Mailbox()
    reader = asyncio.create_task(mailbox.get())
    await asyncio.sleep(0)
    mailbox.put_nowait("here")
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    assert await mailbox.get() == "here"


async def test_a_full_one_takes_no_more():
    mailbox = Mailbox(2)
    mailbox.put_nowait(1)
    mailbox.put_nowait(2)
    with pytest.raises(asyncio.QueueFull):
        mailbox.put_nowait(3)
    assert await mailbox.get() == 1
    mailbox.put_nowait(3)


async def test_a_second_reader_is_refused_rather_than_left_to_wait():
    mailbox = Mailbox()
    reader = asyncio.create_task(mailbox.get())
    await asyncio.sleep(0)
    with pytest.raises(RuntimeError):
        await mailbox.get()
    mailbox.put_nowait("for the first")
    assert await reader == "for the first"
