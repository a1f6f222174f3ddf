"""Run an act in a child process that is killed in the middle of it."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable
from typing import Any

from django.db import connection, connections

CHILD_SECONDS = 60  # a child that hangs longer ends by its alarm, which is a fault


class ChildFailed(Exception):
    """The child ended in another way than by being killed."""


class StatementCounter:
    """Counts the statements of a connection; kills the process after statement `last`, if it is given."""

    def __init__(self, last: int | None = None) -> None:
        self.count = 0
        self.last = last

    def __call__(self, execute: Callable[..., Any], *args: Any) -> Any:
        result = execute(*args)
        self.count += 1
        if self.count == self.last:
            os.kill(os.getpid(), signal.SIGKILL)
        return result


def count_statements(act: Callable[[], object]) -> int:
    """Run the act here; return how many statements it took."""
    counter = StatementCounter()
    with connection.execute_wrapper(counter):
        act()
    return counter.count


def run_and_kill(act: Callable[[], object], statement: int) -> None:
    """Run the act in a child that is killed after so many statements, or once the act has returned.

    The number of statements is a moment that a seed repeats; a number of milliseconds is not. The last statement comes
    before the commit. Raise `ChildFailed`.
    """
    connections.close_all()  # two processes must not share one
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(CHILD_SECONDS)
            with connection.execute_wrapper(StatementCounter(statement)):
                act()
            os.kill(os.getpid(), signal.SIGKILL)
        except BaseException:
            traceback.print_exc()
        os._exit(1)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
        raise ChildFailed(f"The child ended with status {status}.")
