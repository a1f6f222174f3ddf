"""The same tables at the server that one would take instead of this one: boardgame.io on Node, its matches in files.

Neither Node nor the packages are needed for anything else. They are installed once, beside the other data that git does
not keep, and again when the lock has changed: within this folder every test that reads our sources would read them.
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

from bench.cores import PLAYERS, SERVERS, on_core
from bench.tables import ANSWER, OPPONENT

HERE = Path(__file__).resolve().parent
INSTALLED = HERE.parent.parent / "var" / "peers"
LOCK = "package-lock.json"
INSTALLING = 300.0  # seconds at most, of which the network takes most


class Unavailable(Exception):
    """Nothing could be measured, and why."""


class Peer(NamedTuple):
    """What was measured while all tables played."""

    version: str  # of boardgame.io
    times: dict[str, list[float]]  # milliseconds by what took them, named as ours are
    frames: list[int]  # bytes of the updates that were pushed
    moves: int  # that were answered
    matches: int  # that were played to their end, before and while it was measured
    window: float  # seconds
    cpu: float  # seconds of the server's process
    own: float  # seconds of the players' process
    memory: float  # bytes of the server that are resident


class Used(NamedTuple):
    """What a process has used up; nan where the system does not tell."""

    cpu: float  # seconds
    memory: float  # bytes that are resident

    @classmethod
    def by(cls, pid: int) -> "Used":
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return cls(math.nan, math.nan)
        fields = stat.rpartition(") ")[2].split()  # the name before them may have spaces
        ticks, pages = int(fields[11]) + int(fields[12]), int(fields[21])
        return cls(ticks / os.sysconf("SC_CLK_TCK"), float(pages * os.sysconf("SC_PAGE_SIZE")))


def figures(tables: int, think: float, seconds: float) -> Peer | None:
    """Plays at this many tables of two, each player thinking `think` seconds, half more or less, and measures for
    `seconds`. None where that cannot be done, and a sentence to standard error that says why."""
    try:
        _install()
        return _measured(tables, think, seconds)
    except Unavailable as reason:
        print(f"boardgame.io is left out: {reason}", file=sys.stderr, flush=True)
        return None


def _install() -> None:
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise Unavailable(f"{program} is not installed")
    marker = INSTALLED / "installed.json"  # the lock of what is there, written when all of it is
    if marker.exists() and marker.read_bytes() == (HERE / LOCK).read_bytes():
        return
    print("installing boardgame.io", file=sys.stderr, flush=True)
    try:
        INSTALLED.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", LOCK, ".npmrc"):
            shutil.copy(HERE / name, INSTALLED)
        command = ["npm", "ci", "--omit=dev", "--no-audit", "--no-fund"]
        subprocess.run(command, cwd=INSTALLED, check=True, capture_output=True, text=True, timeout=INSTALLING)
        shutil.copy(HERE / LOCK, marker)
    except subprocess.CalledProcessError as failed:
        raise Unavailable(f"its packages were not installed: {failed.stderr.strip()[-500:]}") from failed
    except (OSError, subprocess.TimeoutExpired) as failed:
        raise Unavailable(f"its packages were not installed: {failed}") from failed


def _measured(tables: int, think: float, seconds: float) -> Peer:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="boneyard-peer-")))
        log = stack.enter_context((folder / "server.log").open("w+"))
        with on_core(SERVERS):
            server = stack.enter_context(_running("server.js", str(folder / "matches"), stderr=log))
        port = server.stdout.readline().strip()
        if not port:
            raise Unavailable(f"its server did not start: {_end_of(log.name)}")
        asked = (f"http://127.0.0.1:{port}", str(tables), str(think), str(seconds))
        with on_core(PLAYERS):
            players = stack.enter_context(_running("players.js", *asked, stderr=subprocess.PIPE))
        used = [Used.by(server.pid) for _mark in _marks(players)]
        told, _rest = players.communicate()
        if players.returncode or len(used) != 2:
            raise Unavailable(f"its players ended before their time; its server said: {_end_of(log.name)}")
        return _peer(json.loads(told), *used)


@contextmanager
def _running(script: str, *arguments: str, stderr: Any) -> Iterator["subprocess.Popen[str]"]:
    """A script of this folder, which ends with the block. Its standard input closes if this process is killed."""
    environment = os.environ | {"NODE_PATH": str(INSTALLED / "node_modules"), "NODE_ENV": "production"}
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


def _marks(players: "subprocess.Popen[str]") -> Iterator[str]:
    """The moments at which the measurement begins and ends, as the players come to them. What else they say is
    passed on."""
    for line in players.stderr:
        mark = line.strip()
        if mark in ("measuring", "measured"):
            yield mark
        else:
            print(line, end="", file=sys.stderr, flush=True)
        if mark == "measured":
            return


def _peer(told: dict[str, Any], before: Used, after: Used) -> Peer:
    return Peer(
        version=json.loads((HERE / "package.json").read_text())["dependencies"]["boardgame.io"],
        times={ANSWER: told["answers"], OPPONENT: told["seen"]},
        frames=told["frames"],
        moves=told["moves"],
        matches=told["matches"],
        window=told["window"],
        cpu=after.cpu - before.cpu,
        own=told["own"],
        memory=after.memory,
    )


def _end_of(log: str) -> str:
    return Path(log).read_text()[-2000:].strip() or "nothing"
