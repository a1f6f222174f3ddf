"""Two guests at a table, and their moves over HTTP."""

from typing import Any

from tests.http_client import HttpClient
from tests.server import Site


def sit_down(site: Site, clock: str = "1800+20", preset: str = "all-fives") -> tuple[str, list[HttpClient]]:
    """Return the code of a new match, and its two guests."""
    host, guest = people = [HttpClient(site.url).become_guest() for _ in range(2)]
    table = host.post("/tables/new", preset=preset, seats=2, clock=clock, private="on")
    assert "/tables/" in table.url, table.text
    code = code_in(table.url)
    guest.post(f"/tables/{code}/sit", seat=1)
    for person in people:
        person.post(f"/tables/{code}/commit", commitment="")
    return code, people


def against_a_computer(site: Site) -> tuple[HttpClient, str]:
    """Return a guest in a match against a computer, and its code."""
    guest = HttpClient(site.url).become_guest()
    return guest, code_in(guest.post("/play/all-fives/", seats=2, clock="none", computer="strong").url)


def code_in(url: str) -> str:
    """Return the code in the address of a table or match."""
    return url.rstrip("/").rpartition("/")[2]


def get_state(person: HttpClient, code: str) -> dict[str, Any]:
    return person.get(f"/games/{code}/state.json").json()


def on_turn(people: list[HttpClient], code: str) -> tuple[HttpClient, dict[str, Any]]:
    """Return the player on turn, and their state.json."""
    for person in people:
        state = get_state(person, code)
        assert state["status"] == "playing", state["result"]
        if state["turn"] == state["you"]:
            return person, state
    raise AssertionError("nobody is on turn")


def play_first_legal(person: HttpClient, code: str, state: dict[str, Any]) -> dict[str, Any]:
    """Play the first legal move of `state`; return this person's state after it."""
    move = {"move": state["legal"][0], "version": state["version"]}
    answer = person.post(f"/games/{code}/move", accept="application/json", **move)
    assert answer.status == 200, answer.text
    return answer.json()
