"""Two of the example bots on a real server: a challenge, a rated match, a rematch."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.server import ROOT, Site
from tests.waiting import TIMEOUT_SECONDS, until

BOT = ROOT / "docs" / "examples" / "bot.py"
MATCHES = 2
MAKE_BOTS = """
from accounts.models import User
from api import bots, tokens
from api.scopes import Scope
for name in ("rex", "fido"):
    user = User.objects.create_user(name)
    bots.become_bot(user)
    print(tokens.make(user, "a test", [Scope.PLAY, Scope.CHALLENGE], None))
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path / "site")
    site.start()
    yield site
    site.end()


def read_json(address: str) -> dict:
    with urlopen(Request(address, headers={"Accept": "application/json"})) as answer:
        return json.load(answer)


def test_two_bots_play_a_rated_match_and_a_rematch(site):
    texts = site.manage("shell", "-v", "0", "-c", MAKE_BOTS).split()
    running = [
        subprocess.Popen(
            [sys.executable, BOT, site.url, str(MATCHES), *other],
            env=os.environ | {"TOKEN": text},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for text, other in zip(texts, ([], ["rex"]), strict=True)
    ]
    until(
        lambda: all(bot.poll() is not None for bot in running),
        "the matches to end",
        seconds=5 * TIMEOUT_SECONDS,
    )
    said = [bot.communicate() for bot in running]
    assert [bot.returncode for bot in running] == [0, 0], said
    for lines, _errors in said:
        events = [event for line in lines.splitlines() for event in [line.split("'")[3]]]
        assert events.count("begun") == events.count("ended") == MATCHES
    assert "'rematch'" in said[0][0] + said[1][0]
    codes = {line.split("'match': '")[1][:10] for line in said[0][0].splitlines() if "'ended'" in line}
    assert len(codes) == MATCHES
    for code in codes:
        state = read_json(f"{site.url}/games/{code}/state.json")
        assert (state["status"], state["rated"], state["result"]["how"]) == ("finished", True, "target")
        assert all(seat["bot"] for seat in state["seats"])
        assert len(read_json(f"{site.url}/games/{code}/record.json")["rounds"]) == state["round"]
