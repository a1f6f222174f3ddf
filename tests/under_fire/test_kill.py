"""A killed server loses no move and plays none twice."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPException
from threading import Event

from boneyard.engine.shuffle import commitment_to
from tests.http_client import HttpClient
from tests.server import Site
from tests.under_fire.playing import code_in, get_state, sit_down
from tests.waiting import attempts

KILLS = 3
MIN_MOVES = 24  # more than a round
PLAY_SECONDS = 0.7  # between two kills
PAUSE_SECONDS = 0.02  # between two requests
MATCH_SECONDS = 300


def play_on(people: list[HttpClient], code: str, over: Event) -> dict[int, str]:
    """Play legal moves until `over` and MIN_MOVES are played, or the match ends. Return those accepted, by number."""
    answered: dict[int, str] = {}
    mover = 0
    for _ in attempts("the last move", seconds=MATCH_SECONDS, interval=PAUSE_SECONDS):
        try:
            seen = people[mover].get(f"/games/{code}/state.json")
            state = seen.json() if seen.status == 200 else {}
            if state.get("status") == "finished" or (over.is_set() and len(answered) >= MIN_MOVES):
                break
            if state and state["turn"] == state["you"]:
                move, version = state["legal"][0], state["version"]
                answer = people[mover].post(
                    f"/games/{code}/move", accept="application/json", move=move, version=version
                )
                if answer.status == 200:
                    answered[version + 1] = move
            elif state:
                mover = 1 - mover
        except (OSError, HTTPException):
            over.wait(0.05)  # the server is down; the next state says whether it accepted the move
    return answered


@contextmanager
def play_match(site: Site) -> Iterator[Event]:
    """Play a match in the block, then end it: its record must be valid and have all moves that were answered.

    Yield an event that nobody sets before the block ends.
    """
    code, people = sit_down(site)
    over = Event()
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(play_on, people, code, over)
        try:
            yield over
        finally:
            over.set()
        promised = playing.result()
    state = get_state(people[0], code)
    if state["status"] == "playing":
        people[0].post(f"/games/{code}/move", move="resign", version=state["version"])
    record = people[0].get(f"/games/{code}/record.json").text
    stored = [move["move"] for round in json.loads(record)["rounds"] for move in round["moves"]]
    assert len(promised) > MIN_MOVES - KILLS
    assert {number: stored[number - 1] for number in promised} == promised
    file = site.folder / "record.json"
    file.write_text(record)
    site.manage("verify_record", str(file))


def test_match_survives_killed_server(site: Site):
    with play_match(site) as over:
        for _ in range(KILLS):
            over.wait(PLAY_SECONDS)
            site.kill()
            site.start()


def test_shuffle_and_sessions_survive_kill_between_commit_and_reveal(site: Site):
    people = [HttpClient(site.url).become_guest() for _ in range(2)]
    for number, person in enumerate(people):
        commitment = commitment_to(f"nonce{number}")
        table = person.post("/play/draw/", seats=2, clock="180+3", computer="", commitment=commitment)
    code = code_in(table.url)
    people[0].post(f"/tables/{code}/nonce", nonce="nonce0")
    site.kill()
    site.start()
    # At once: there are 20 seconds to reveal.
    forged = people[1].post(f"/tables/{code}/nonce", accept="application/json", nonce="other")
    assert (forged.status, forged.json()["reason"]) == (409, "other_nonce")
    begun = people[1].post(f"/tables/{code}/nonce", accept="application/json", nonce="nonce1")
    assert begun.json()["status"] == "started"
    assert people[0].get("/preferences/").url == f"{site.url}/preferences/"
    state = get_state(people[0], code)
    people[0].post(f"/games/{code}/move", move="abort", version=state["version"])
    record = people[0].get(f"/games/{code}/record.json").json()
    assert record["entropy"] == "nonce0.nonce1"
    assert record["commitments"] == [commitment_to("nonce0"), commitment_to("nonce1")]
