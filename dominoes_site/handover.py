"""A server process hands its port to the next one, so that a restart of one process refuses nobody.

On SIGHUP the old one starts the new one with its listening socket. The new one loads the site, tells the old one to
end, and takes the port when the sockets of the old one are closed; whoever comes meanwhile waits in the port's queue.
A new one that cannot start leaves the old one as it is.
"""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass

PORT, CLOSED, OLD = "BONEYARD_PORT_FD", "BONEYARD_CLOSED_FD", "BONEYARD_OLD_PID"


@dataclass(frozen=True)
class Inheritance:
    """What the old process leaves: its listening socket, and a pipe that ends when its own sockets are closed."""

    port: int
    closed: int
    old: int

    def take(self) -> socket.socket:
        """Have the old process end; its socket, once nobody is connected to it any more."""
        os.kill(self.old, signal.SIGTERM)
        os.read(self.closed, 1)
        os.close(self.closed)
        return socket.socket(fileno=self.port)


def inherited() -> Inheritance | None:
    """What this process was started with, if it is a successor. Asked once: its children inherit nothing."""
    found = [os.environ.pop(name, "") for name in (PORT, CLOSED, OLD)]
    return Inheritance(*map(int, found)) if all(found) else None


class Successor:
    """The process that was started to follow this one."""

    def __init__(self, port: int) -> None:
        closed, self._open = os.pipe()
        inheritance = {PORT: str(port), CLOSED: str(closed), OLD: str(os.getpid())}
        self._process = subprocess.Popen(  # noqa: S603  what was started before
            [sys.executable, *sys.argv], pass_fds=[port, closed], env=os.environ | inheritance
        )
        os.close(closed)

    @property
    def coming(self) -> bool:
        return self._process.poll() is None

    def may_begin(self) -> None:
        """The sockets of this process are closed."""
        os.close(self._open)


def tell_systemd() -> None:
    """This process serves now, whoever was started first; nothing where systemd does not ask for it."""
    _notify(f"MAINPID={os.getpid()}\nREADY=1")


async def keep_systemd_calm() -> None:
    """Report that the loop is running, three times as often as systemd asks (WatchdogSec): a process that is frozen or
    hangs is ended and started again."""
    while asked := int(os.environ.get("WATCHDOG_USEC", 0)):
        with suppress(OSError):
            _notify("WATCHDOG=1")
        await asyncio.sleep(asked / 3_000_000)


def _notify(said: str) -> None:
    if address := os.environ.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
            notify.sendto(said.encode(), address.replace("@", "\0", 1))
