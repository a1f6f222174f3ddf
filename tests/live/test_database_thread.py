"""The database thread runs functions in order and replaces broken connections."""

import asyncio
import subprocess
import sys
import threading

import pytest
from django.db import connection

from live.database_thread import get_calling_loop, run_in_database_thread
from tests.waiting import until_async

pytestmark = pytest.mark.django_db(transaction=True)


async def test_result_or_exception_reaches_caller():
    assert await run_in_database_thread(int, "12", base=8) == 10
    with pytest.raises(ValueError, match="invalid literal"):
        await run_in_database_thread(int, "twelve")


async def test_functions_run_in_order_in_one_thread():
    calls = []

    def note_call(number: int) -> int:
        calls.append((number, threading.get_ident()))
        return threading.active_count()

    await asyncio.gather(*(run_in_database_thread(note_call, number) for number in range(20)))
    assert [number for number, _thread in calls] == list(range(20))
    assert len({thread for _number, thread in calls} - {threading.get_ident()}) == 1


async def test_cancelled_function_is_skipped_unless_started():
    began, may_end, done = threading.Event(), threading.Event(), []

    def long() -> None:
        began.set()
        may_end.wait(10)
        done.append("long")

    first, second = (
        asyncio.create_task(run_in_database_thread(long)),
        asyncio.create_task(run_in_database_thread(done.append, "second")),
    )
    await until_async(began.is_set, "the first task to begin")
    for task in (first, second):
        task.cancel()
    await asyncio.wait([first, second])
    may_end.set()
    await run_in_database_thread(done.append, "third")
    assert done == ["long", "third"]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="a file is never away")
async def test_broken_connection_is_replaced():
    def break_connection() -> None:
        connection.ensure_connection()
        connection.close_at = None  # not closed because of its age
        connection.connection.close()

    def query() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return cursor.fetchone()[0]

    for _ in range(2):
        await run_in_database_thread(break_connection)
        assert await run_in_database_thread(query) == 1


async def test_calling_loop_is_known_in_database_thread_only():
    assert await run_in_database_thread(get_calling_loop) is asyncio.get_running_loop()
    assert await asyncio.to_thread(get_calling_loop) is None


def test_thread_survives_closed_loop():
    began, may_end = threading.Event(), threading.Event()

    def long() -> None:
        began.set()
        may_end.wait(10)

    async def cancel() -> None:
        asking = asyncio.create_task(run_in_database_thread(long))
        await asyncio.to_thread(began.wait, 10)
        asking.cancel()

    asyncio.run(cancel())
    may_end.set()
    assert asyncio.run(run_in_database_thread(int, "12")) == 12


def run_script(script: str) -> str:
    """Run the script in a new process; return what it prints."""
    script = f"import asyncio, os, threading, time\nfrom live.database_thread import run_in_database_thread\n{script}"
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout


def test_process_exit_waits_for_started_function():
    assert (
        run_script("""
began = threading.Event()

def long():
    began.set()
    time.sleep(0.3)
    print("done")

async def cancel():
    asking = asyncio.create_task(run_in_database_thread(long))
    await asyncio.to_thread(began.wait)
    asking.cancel()

asyncio.run(cancel())
""")
        == "done\n"
    )


def test_forked_process_has_its_own_thread():
    assert (
        run_script("""
asyncio.run(run_in_database_thread(int, "1"))
if child := os.fork():
    os.waitpid(child, 0)
else:
    print(asyncio.run(run_in_database_thread(int, "2")))
""")
        == "2\n"
    )
