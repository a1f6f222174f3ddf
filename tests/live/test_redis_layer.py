"""The Redis channel layer, without Redis."""

import asyncio

import pytest

from live.layers import redis


async def test_cancellation_that_a_command_loses_is_raised():
    done = asyncio.get_running_loop().create_future()

    async def wait_as_redis_does() -> None:
        await asyncio.wait_for(done, 60)

    task = asyncio.create_task(redis._run(wait_as_redis_does))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    done.set_result(None)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_error_of_a_cancelled_tasks_command_is_returned():
    async def fail() -> None:
        raise OSError("no route")

    async def run_cancelled() -> str | None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:  # as in the clean-up of a socket at shutdown
            return await redis._run(fail)
        return None

    task = asyncio.create_task(run_cancelled())
    await asyncio.sleep(0)
    task.cancel()
    assert await task == "no route"
