"""Measure the same load at boardgame.io on Node, with its file storage.

Nothing else needs Node or these packages. They are installed under var/, outside of the folders that tests scan, and
again when the lock file changes.
"""

import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bench.cpu_affinity import PLAYERS, SERVERS, pinned_to_core
from bench.tables import ANSWER, OPPONENT

HERE = Path(__file__).resolve().parent
INSTALL_FOLDER = HERE.parent.parent / "var" / "peers"
LOCK = "package-lock.json"
INSTALL_TIMEOUT_SECONDS = 300.0


class Unavailable(Exception):
    """The peer cannot be measured; the message has the reason."""


class Peer(NamedTuple):
    """The figures of one run."""

    version: str  # of boardgame.io
    times: dict[str, list[float]]  # milliseconds, by the labels of bench.tables
    frames: list[int]  # sizes of the pushed updates, in bytes
    moves: int  # answered while measuring
    matches: int  # finished, warm-up included
    window: float  # seconds
    cpu: float  # seconds of the server process
    player_cpu: float  # seconds of the player process
    memory: float  # resident bytes of the server


class ProcessUsage(NamedTuple):
    """Resources that a process has used; nan without /proc."""

    cpu: float  # seconds
    memory: float  # resident bytes

    @classmethod
    def read(cls, pid: int) -> "ProcessUsage":
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return cls(math.nan, math.nan)
        fields = stat.rpartition(") ")[2].split()  # the process name before them may contain spaces
        ticks, pages = int(fields[11]) + int(fields[12]), int(fields[21])
        return cls(ticks / os.sysconf("SC_CLK_TCK"), float(pages * os.sysconf("SC_PAGE_SIZE")))


def measure_peer(tables: int, think: float, seconds: float) -> Peer | None:
    """Measure `tables` tables of two for `seconds`; players think `think` seconds, plus or minus half.

    Return None, and print the reason to standard error, if the peer is unavailable.
    """
    try:
        _install()
        return _measure(tables, think, seconds)
    except Unavailable as reason:
        print(f"boardgame.io is left out: {reason}", file=sys.stderr, flush=True)
        return None


def _install() -> None:
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise Unavailable(f"{program} is not installed")
    marker = INSTALL_FOLDER / "installed.json"  # a copy of the lock, written after a complete installation
    if marker.exists() and marker.read_bytes() == (HERE / LOCK).read_bytes():
        return
    print("installing boardgame.io", file=sys.stderr, flush=True)
    try:
        INSTALL_FOLDER.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", LOCK, ".npmrc"):
            shutil.copy(HERE / name, INSTALL_FOLDER)
        command = ["npm", "ci", "--omit=dev", "--no-audit", "--no-fund"]
        subprocess.run(
            command,
            cwd=INSTALL_FOLDER,
            check=True,
            capture_output=True,
            text=True,
            timeout=INSTALL_TIMEOUT_SECONDS,
        )
        shutil.copy(HERE / LOCK, marker)
    except subprocess.CalledProcessError as error:
        raise Unavailable(f"its packages were not installed: {error.stderr.strip()[-500:]}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"its packages were not installed: {error}") from error


def _measure(tables: int, think: float, seconds: float) -> Peer:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="boneyard-peer-")))
        log = stack.enter_context((folder / "server.log").open("w+"))
        with pinned_to_core(SERVERS):
            server = stack.enter_context(_run_script("server.js", str(folder / "matches"), stderr=log))
        port = server.stdout.readline().strip()
        if not port:
            raise Unavailable(f"its server did not start: {_log_tail(log.name)}")
        arguments = (f"http://127.0.0.1:{port}", str(tables), str(think), str(seconds))
        with pinned_to_core(PLAYERS):
            players = stack.enter_context(_run_script("players.js", *arguments, stderr=subprocess.PIPE))
        usage = [ProcessUsage.read(server.pid) for _mark in _read_marks(players)]
        output, _rest = players.communicate()
        if players.returncode or len(usage) != 2:
            raise Unavailable(f"its players ended before their time; its server said: {_log_tail(log.name)}")
        return _peer(json.loads(output), *usage)


@contextmanager
def _run_script(script: str, *arguments: str, stderr: Any) -> Iterator["subprocess.Popen[str]"]:
    """Run a script of this folder until the end of the block. Its standard input closes if this process dies."""
    environment = os.environ | {"NODE_PATH": str(INSTALL_FOLDER / "node_modules"), "NODE_ENV": "production"}
    process = subprocess.Popen(
        ["node", str(HERE / script), *arguments],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def _read_marks(players: "subprocess.Popen[str]") -> Iterator[str]:
    """Yield the marks for the begin and end of the measurement; forward other output."""
    for line in players.stderr:
        mark = line.strip()
        if mark in ("measuring", "measured"):
            yield mark
        else:
            print(line, end="", file=sys.stderr, flush=True)
        if mark == "measured":
            return


def _peer(output: dict[str, Any], before: ProcessUsage, after: ProcessUsage) -> Peer:
    return Peer(
        version=json.loads((HERE / "package.json").read_text())["dependencies"]["boardgame.io"],
        times={ANSWER: output["answers"], OPPONENT: output["seen"]},
        frames=output["frames"],
        moves=output["moves"],
        matches=output["matches"],
        window=output["window"],
        cpu=after.cpu - before.cpu,
        player_cpu=output["playerCpu"],
        memory=after.memory,
    )


def _log_tail(log: str) -> str:
    return Path(log).read_text()[-2000:].strip() or "nothing"
