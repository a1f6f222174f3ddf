"""Sockets visit one thread, one after the other, and it never goes on with a connection that is broken."""

import asyncio
import subprocess
import sys
import threading

import pytest
from django.db import connection

from live.database_thread import get_calling_loop, run_in_database_thread

pytestmark = pytest.mark.django_db(transaction=True)


async def test_what_is_returned_or_raised_there_is_returned_or_raised_here():
    assert await run_in_database_thread(int, "12", base=8) == 10
    with pytest.raises(ValueError, match="invalid literal"):
        await run_in_database_thread(int, "twelve")


async def test_visits_come_one_after_the_other_in_the_same_thread():
    visits = []

    def visit(number: int) -> int:
        visits.append((number, threading.get_ident()))
        return threading.active_count()

    await asyncio.gather(*(run_in_database_thread(visit, number) for number in range(20)))
    assert [number for number, _thread in visits] == list(range(20))
    assert len({thread for _number, thread in visits} - {threading.get_ident()}) == 1


async def test_what_has_begun_is_done_and_what_has_not_is_not_when_nobody_waits_for_it_any_more():
    began, may_end, done = threading.Event(), threading.Event(), []

    def long() -> None:
        began.set()
        may_end.wait(10)
        done.append("long")

    first, second = (
        asyncio.create_task(run_in_database_thread(long)),
        asyncio.create_task(run_in_database_thread(done.append, "second")),
    )
    while not began.is_set():  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    for task in (first, second):
        task.cancel()
    await asyncio.wait([first, second])
    may_end.set()
    await run_in_database_thread(done.append, "third")
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
        await run_in_database_thread(break_it)
        assert await run_in_database_thread(ask) == 1


async def test_a_visit_knows_the_loop_that_asked_and_no_other_thread_does():
    assert await run_in_database_thread(get_calling_loop) is asyncio.get_running_loop()
    assert await asyncio.to_thread(get_calling_loop) is None


def test_a_loop_that_is_closed_meanwhile_does_not_end_the_thread():
    began, may_end = threading.Event(), threading.Event()

    def long() -> None:
        began.set()
        may_end.wait(10)

    async def give_up() -> None:
        asking = asyncio.create_task(run_in_database_thread(long))
        await asyncio.to_thread(began.wait, 10)
        asking.cancel()

    asyncio.run(give_up())
    may_end.set()
    assert asyncio.run(run_in_database_thread(int, "12")) == 12


def printed_by(script: str) -> str:
    """What a process of its own prints that runs it."""
    script = f"import asyncio, os, threading, time\nfrom live.database_thread import run_in_database_thread\n{script}"
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout


def test_a_process_ends_when_what_has_begun_is_done():
    assert (
        printed_by("""
began = threading.Event()

def long():
    began.set()
    time.sleep(0.3)
    print("done")

async def give_up():
    asking = asyncio.create_task(run_in_database_thread(long))
    await asyncio.to_thread(began.wait)
    asking.cancel()

asyncio.run(give_up())
""")
        == "done\n"
    )


def test_a_process_that_is_forked_has_a_thread_of_its_own():
    assert (
        printed_by("""
asyncio.run(run_in_database_thread(int, "1"))
if child := os.fork():
    os.waitpid(child, 0)
else:
    print(asyncio.run(run_in_database_thread(int, "2")))
""")
        == "2\n"
    )
