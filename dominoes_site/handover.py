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
from dataclasses import dataclass

PORT_VARIABLE, CLOSED_VARIABLE, PID_VARIABLE = "BONEYARD_PORT_FD", "BONEYARD_CLOSED_FD", "BONEYARD_OLD_PID"


@dataclass(frozen=True)
class Inheritance:
    """The file descriptors and the process id that the old process hands over.

    port_fd    its listening socket
    closed_fd  a pipe that ends when the old process has closed its connections
    old_pid    its process ID
    """

    port_fd: int
    closed_fd: int
    old_pid: int

    def take(self) -> socket.socket:
        """Stop the old process; return the listening socket once the old process has closed its connections."""
        os.kill(self.old_pid, signal.SIGTERM)
        os.read(self.closed_fd, 1)
        os.close(self.closed_fd)
        return socket.socket(fileno=self.port_fd)


def pop_inheritance() -> Inheritance | None:
    """Return what this process inherits if it is a successor, and remove it from the environment of its children."""
    values = [os.environ.pop(name, "") for name in (PORT_VARIABLE, CLOSED_VARIABLE, PID_VARIABLE)]
    return Inheritance(*map(int, values)) if all(values) else None


class Successor:
    """The process that was started to replace this one."""

    def __init__(self, port_fd: int) -> None:
        closed_fd, self._open_fd = os.pipe()
        inheritance = {
            PORT_VARIABLE: str(port_fd),
            CLOSED_VARIABLE: str(closed_fd),
            PID_VARIABLE: str(os.getpid()),
        }
        self._process = subprocess.Popen(  # noqa: S603  this process's own command
            [sys.executable, *sys.argv], pass_fds=[port_fd, closed_fd], env=os.environ | inheritance
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
