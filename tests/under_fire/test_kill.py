"""A killed server loses no move and plays none twice."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPException
from threading import Event

from games.engine.shuffle import commitment_to
from tests.http_client import HttpClient
from tests.server import Site

KILLS = 3


def sit_down(site: Site, clock: str = "1800+20") -> tuple[str, list[HttpClient]]:
    """Return the code of a new match of All Fives, and its two guests."""
    host, guest = people = [HttpClient(site.url).become_guest() for _ in range(2)]
    table = host.post("/tables/new", preset="all-fives", seats=2, clock=clock, private="on")
    assert "/tables/" in table.url, table.text
    code = table.url.rstrip("/").rpartition("/")[2]
    guest.post(f"/tables/{code}/sit", seat=1)
    for person in people:
        person.post(f"/tables/{code}/commit", commitment="")
    return code, people


def play_on(person: HttpClient, code: str, answered: dict[int, str], over: Event) -> None:
    """Play legal moves until the match ends; add the accepted moves to `answered`, by number."""
    while not over.is_set():
        try:
            seen = person.get(f"/games/{code}/state.json")
            state = seen.json() if seen.status == 200 else {}
            if state.get("status") == "finished":
                over.set()
            elif state and state["turn"] == state["you"]:
                move, version = state["legal"][0], state["version"]
                answer = person.post(
                    f"/games/{code}/move", accept="application/json", move=move, version=version
                )
                if answer.status == 200:
                    answered[version + 1] = move
            else:
                time.sleep(0.01)
        except (OSError, HTTPException):
            time.sleep(0.05)  # the server is down; the next state says whether it accepted the move


@contextmanager
def play_match(site: Site) -> Iterator[Event]:
    """Let two people play a match in the block, and check that its record is valid and has all answered moves.

    Yield an event that is set when the match has ended.
    """
    code, people = sit_down(site)
    answered: list[dict[int, str]] = [{}, {}]
    over = Event()
    with ThreadPoolExecutor(2) as pool:
        playing = [
            pool.submit(play_on, person, code, moves, over)
            for person, moves in zip(people, answered, strict=True)
        ]
        try:
            yield over
            assert over.wait(300), "the match did not end"
        finally:
            over.set()
        for player in playing:
            player.result()
    record = people[0].get(f"/games/{code}/record.json").text
    stored = [move["move"] for round in json.loads(record)["rounds"] for move in round["moves"]]
    promised = answered[0] | answered[1]
    assert len(promised) > 20
    assert {number: stored[number - 1] for number in promised} == promised
    file = site.folder / "record.json"
    file.write_text(record)
    site.manage("verify_record", str(file))


def test_match_survives_killed_server(site: Site):
    with play_match(site) as over:
        for _ in range(KILLS):
            over.wait(0.7)
            site.kill()
            site.start()


def test_shuffle_survives_kill_between_commit_and_reveal(site: Site):
    people = [HttpClient(site.url).become_guest() for _ in range(2)]
    for number, person in enumerate(people):
        commitment = commitment_to(f"nonce{number}")
        table = person.post("/play/draw/", seats=2, clock="180+3", computer="", commitment=commitment)
        code = table.url.rstrip("/").rpartition("/")[2]
    people[0].post(f"/tables/{code}/nonce", nonce="nonce0")
    site.kill()
    site.start()
    forged = people[1].post(f"/tables/{code}/nonce", accept="application/json", nonce="other")
    assert (forged.status, forged.json()["reason"]) == (409, "other_nonce")
    begun = people[1].post(f"/tables/{code}/nonce", accept="application/json", nonce="nonce1")
    assert begun.json()["status"] == "started"
    state = people[0].get(f"/games/{code}/state.json").json()
    people[0].post(f"/games/{code}/move", move="abort", version=state["version"])
    record = people[0].get(f"/games/{code}/record.json").json()
    assert record["entropy"] == "nonce0.nonce1"
    assert record["commitments"] == [commitment_to("nonce0"), commitment_to("nonce1")]


def test_session_survives_killed_server(site: Site):
    guest = HttpClient(site.url).become_guest()
    site.kill()
    site.start()
    assert guest.get("/preferences/").url == f"{site.url}/preferences/"
