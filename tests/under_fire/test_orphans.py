"""Servers end with the test that started them, even if it is killed."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server import ROOT, Site, free_port
from tests.waiting import until

# Each starts a server, prints its port once it answers, and waits.
A_SITE = """
import signal, sys, time
from pathlib import Path
from tests.server import Site

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for background processes

site = Site(Path(sys.argv[1]))
site.start()
print(site.port, flush=True)
time.sleep(600)  # killed before
"""
A_SERVICE = """
import signal, sys, time
from contextlib import ExitStack
from importlib.machinery import SourceFileLoader
from pathlib import Path

signal.signal(signal.SIGINT, signal.default_int_handler)
with_services = SourceFileLoader("with_services", "bin/with-services").load_module()
folder, port = Path(sys.argv[1]), int(sys.argv[2])
command = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", str(port)]
with ExitStack() as stack:
    with_services.start_service(stack, command, port, folder / "log", cwd=folder)
    print(port, flush=True)
    time.sleep(600)
"""


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
@pytest.mark.parametrize("what", [A_SITE, A_SERVICE], ids=["the site", "a service"])
def test_server_ends_with_its_parent(tmp_path: Path, what: str, how: signal.Signals):
    prepared = Site(tmp_path)
    if what == A_SITE:
        prepared.prepare()
        prepared.log.touch()
    command = [sys.executable, "-c", what, str(tmp_path), str(free_port())]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as test:
        port = int(test.stdout.readline())
        assert answers(port)
        os.kill(test.pid, how)
    until(lambda: not answers(port), "the server to end")
