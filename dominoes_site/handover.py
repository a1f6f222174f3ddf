"""Hand the listening socket of a server process to its successor, so that a restart refuses no connection.

On SIGHUP the old process starts a new one with its listening socket. The new one loads the site, sends the old one
SIGTERM, and accepts connections once the old one's sockets are closed; until then connections wait in the backlog.
If the new process cannot start, the old one goes on.
"""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from typing import NamedTuple

from core.siblings import SIBLINGS

PORT_VARIABLE, CLOSED_VARIABLE, PID_VARIABLE = "BONEYARD_PORT_FD", "BONEYARD_CLOSED_FD", "BONEYARD_OLD_PID"


class Predecessor(NamedTuple):
    """The process that this one replaces.

    closed_fd  the read end of a pipe that ends when it has closed its connections
    pid        its process ID
    """

    closed_fd: int
    pid: int


class Inheritance(NamedTuple):
    """The listening socket that this process inherits, from its parent or from the process that it replaces."""

    port_fd: int
    predecessor: Predecessor | None = None

    @property
    def descriptors(self) -> list[int]:
        return [self.port_fd] if self.predecessor is None else [self.port_fd, self.predecessor.closed_fd]

    def to_environment(self) -> dict[str, str]:
        """Return the variables that `pop_inheritance` reads."""
        variables = {PORT_VARIABLE: str(self.port_fd)}
        if self.predecessor is not None:
            closed_fd, pid = map(str, self.predecessor)
            variables |= {CLOSED_VARIABLE: closed_fd, PID_VARIABLE: pid}
        return variables

    def take(self) -> socket.socket:
        """Return the listening socket. First stop the process to be replaced, and wait for its connections to close."""
        if self.predecessor is not None:
            if SIBLINGS.number == 0:
                os.kill(self.predecessor.pid, signal.SIGTERM)
            os.read(self.predecessor.closed_fd, 1)
            os.close(self.predecessor.closed_fd)
        return socket.socket(fileno=self.port_fd)


def pop_inheritance() -> Inheritance | None:
    """Return what this process inherits, if anything, and remove it from the environment of its children."""
    port, closed, pid = (os.environ.pop(name, "") for name in (PORT_VARIABLE, CLOSED_VARIABLE, PID_VARIABLE))
    if not port:
        return None
    return Inheritance(int(port), Predecessor(int(closed), int(pid)) if closed and pid else None)


def is_at_terminal() -> bool:
    """Return whether the process was started at a terminal: SIGHUP then means that it was closed."""
    return os.isatty(0)


class Successor:
    """The process that was started to replace this one."""

    def __init__(self, port_fd: int) -> None:
        closed_fd, self._open_fd = os.pipe()
        inheritance = Inheritance(port_fd, Predecessor(closed_fd, os.getpid()))
        self._process = subprocess.Popen(  # noqa: S603  this process's own command
            [sys.executable, *sys.argv],
            pass_fds=inheritance.descriptors,
            env=os.environ | inheritance.to_environment(),
        )
        os.close(closed_fd)

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def start_serving(self) -> None:
        """Let the successor accept connections; call when the sockets of this process are closed."""
        os.close(self._open_fd)


def notify_systemd_ready() -> None:
    """Tell systemd that this process now serves; do nothing without systemd."""
    _notify_systemd(f"MAINPID={os.getpid()}\nREADY=1")


async def run_systemd_watchdog() -> None:
    """Report that the event loop runs, three times per WatchdogSec; systemd restarts a process that hangs."""
    while microseconds := int(os.environ.get("WATCHDOG_USEC", 0)):
        with suppress(OSError):
            _notify_systemd("WATCHDOG=1")
        await asyncio.sleep(microseconds / 3_000_000)


def _notify_systemd(state: str) -> None:
    if address := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
            notify.sendto(state.encode(), address.replace("@", "\0", 1))
