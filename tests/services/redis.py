"""A Redis server for one test, which can be stopped, frozen and restarted."""

import signal
import socket
import subprocess
from contextlib import closing

from tests.server import free_port
from tests.waiting import until


class Redis:
    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        command = ["redis-server", "--bind", "127.0.0.1", "--port", str(self.port), "--save", ""]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        until(self._answers, "Redis to start")

    def _answers(self) -> bool:
        with closing(socket.socket()) as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)
