"""Streams of JSON lines from a real server, and the example client on it."""

import json
import os
import re
import subprocess
import sys
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.browser.conftest import PASSWORD, post_form
from tests.waiting import TIMEOUT_SECONDS, until

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
CLIENT = EXAMPLES / "client.py"


@pytest.fixture
def alice_context(open_page):
    return open_page("alice").context


@pytest.fixture
def token(alice_context) -> str:
    # Others may have logged this account in long ago.
    post_form(alice_context, "/accounts/reauthenticate/", password=PASSWORD)
    fields = {"name": "a test", "days": "30", "csrfmiddlewaretoken": csrf_of(alice_context)}
    form = "&".join(
        [*(f"{name}={value}" for name, value in fields.items()), "scopes=play", "scopes=challenge"]
    )
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    page = alice_context.request.post("/preferences/tokens/", data=form, headers=headers).text()
    return re.search(r"boneyard_[\w-]+", page)[0]


def csrf_of(context) -> str:
    return next(cookie["value"] for cookie in context.cookies() if cookie["name"].endswith("csrftoken"))


class Reader:
    """A reader of a stream."""

    def __init__(self, site, path: str, token: str) -> None:
        self.connection = HTTPConnection(urlsplit(site.url).netloc, timeout=TIMEOUT_SECONDS)
        self.connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        self.response: HTTPResponse = self.connection.getresponse()

    def read(self) -> dict | None:
        """Return the next line with something in it; None at the end."""
        for line in self.response:
            if line.strip():
                return json.loads(line)
        return None


def begin_match(context) -> str:
    address = post_form(context, "/", "/play/draw/", seats="2", clock="none", computer="club")
    return re.search(r"/(?:games|tables)/(\w+)/", address)[1]


def test_stream_sends_each_state_until_its_token_is_revoked(site, alice_context, token):
    events = Reader(site, "/events", token)
    assert events.response.headers["Content-Type"] == "application/x-ndjson"
    code = begin_match(alice_context)
    until(lambda: events.read() == {"event": "begun", "match": code}, "the match to begin")
    stream = Reader(site, f"/games/{code}/stream", token)
    state = stream.read()
    assert (state["match"], state["you"], len(state["hand"])) == (code, 0, 7)
    if state["turn"] != 0:
        state = until(lambda: (news := stream.read())["turn"] == 0 and news, "the account's turn")
    post_form(
        alice_context, "/", f"/games/{code}/move", move=state["legal"][0], version=str(state["version"])
    )
    assert stream.read()["version"] > state["version"]

    page = alice_context.request.get("/preferences/tokens/").text()
    post_form(alice_context, "/", re.search(r"/preferences/tokens/\d+/revoke", page)[0])

    for reader in (events, stream):
        until(lambda reader=reader: reader.read() is None, "the end of the stream")
    assert Reader(site, "/events", token).response.status == 401


@pytest.mark.parametrize(("path", "status"), [("/games/nothing/stream", 404), ("/events", 401)])
def test_stream_of_nothing_is_refused(site, token, path, status):
    assert Reader(site, path, token if status == 404 else "boneyard_x").response.status == status


@pytest.fixture
def run():
    """Run an example in a process of its own; it ends with the test."""
    running = []

    def start(*arguments: object, token: str = "") -> subprocess.Popen[str]:
        command = [sys.executable, *map(str, arguments)]
        process = subprocess.Popen(
            command, env=os.environ | {"TOKEN": token}, stdout=subprocess.PIPE, text=True
        )
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate()


def test_example_client_follows_a_match_to_its_end(site, alice_context, token, run):
    code = begin_match(alice_context)
    client = run(CLIENT, site.url, "match", code, token=token)
    assert "to play" in client.stdout.readline()
    post_form(alice_context, "/", f"/games/{code}/move?version=any", move="resign", version="0")
    lines = client.communicate(timeout=TIMEOUT_SECONDS)[0].splitlines()
    assert client.returncode == 0
    assert "ended (" in lines[-1]


def test_example_client_follows_a_night_without_a_token_until_it_is_over(site, alice_context, run):
    fields = {"name": "Friday", "start": "2099-11-27T20:30", "zone": "UTC", "preset": "dominican"}
    fields |= {"format": "partners", "draw": "rotate", "where": "wood", "rounds": "3", "hands": "4"}
    fields |= {"last": "hand", "out": "half", "audience": "unlisted"}
    address = urlsplit(post_form(alice_context, "/nights/new", "/nights/new", **fields)).path
    desk = f"{address}people"
    post_form(alice_context, address, desk, names="Ana\nLuis\nRosa\nNuria", version="0")
    post_form(alice_context, address, f"{address}draw", version="1")
    client = run(CLIENT, site.url, "night", address.split("/")[2])
    assert re.match(r"Round 1, table 1: .+ and .+ against .+: no result", client.stdout.readline())
    post_form(alice_context, address, f"{address}close", version="2")
    post_form(alice_context, address, f"{address}finish", version="3")
    assert client.communicate(timeout=TIMEOUT_SECONDS)[0].splitlines()[-1].startswith("Friday, over")
    assert client.returncode == 0


def test_example_client_says_why_it_was_refused(site):
    refused = subprocess.run(
        [sys.executable, CLIENT, site.url, "match", "nothing"],
        env=os.environ | {"TOKEN": "boneyard_x"},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )
    assert refused.returncode == 1
    assert "401 bad_token: This token is unknown" in refused.stderr
