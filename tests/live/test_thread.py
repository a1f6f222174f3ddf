"""Sockets visit one thread, one after the other, and it never goes on with a connection that is broken."""

import asyncio
import threading

import pytest
from django.db import connection

from live.thread import asked_by, in_thread

pytestmark = pytest.mark.django_db(transaction=True)


async def test_what_is_returned_or_raised_there_is_returned_or_raised_here():
    assert await in_thread(int, "12", base=8) == 10
    with pytest.raises(ValueError, match="invalid literal"):
        await in_thread(int, "twelve")


async def test_visits_come_one_after_the_other_in_the_same_thread():
    visits = []

    def visit(number: int) -> int:
        visits.append((number, threading.get_ident()))
        return threading.active_count()

    await asyncio.gather(*(in_thread(visit, number) for number in range(20)))
    assert [number for number, _thread in visits] == list(range(20))
    assert len({thread for _number, thread in visits} - {threading.get_ident()}) == 1


async def test_what_has_begun_is_done_and_what_has_not_is_not_when_nobody_waits_for_it_any_more():
    began, may_end, done = threading.Event(), threading.Event(), []

    def long() -> None:
        began.set()
        may_end.wait(10)
        done.append("long")

    first, second = (
        asyncio.create_task(in_thread(long)),
        asyncio.create_task(in_thread(done.append, "second")),
    )
    while not began.is_set():  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    for task in (first, second):
        task.cancel()
    await asyncio.wait([first, second])
    may_end.set()
    await in_thread(done.append, "third")
    assert done == ["long", "third"]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="a file is never away")
async def test_a_connection_that_is_broken_is_replaced_at_the_next_visit():
    def break_it() -> None:
        connection.ensure_connection()
        connection.close_at = None  # as young as one that is kept
        connection.connection.close()

    def ask() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return cursor.fetchone()[0]

    for _ in range(2):
        await in_thread(break_it)
        assert await in_thread(ask) == 1


async def test_a_visit_knows_the_loop_that_asked_and_no_other_thread_does():
    assert await in_thread(asked_by) is asyncio.get_running_loop()
    assert await asyncio.to_thread(asked_by) is None
