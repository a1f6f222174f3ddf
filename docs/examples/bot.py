"""A bot: it plays every match of its account, and begins one against a computer if it has none.

    TOKEN=boneyard_… python docs/examples/bot.py https://domino.example [MATCHES]

It needs Python 3.11 and nothing else. The token needs the scopes `play` and `challenge`.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

GAME = {"seats": "2", "clock": "none", "computer": "club"}


class Site:
    """The site as an account sees it."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address.rstrip("/")
        self.headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}

    def ask(self, path: str, form: bytes | None = None) -> dict:
        """Return the answer. A refusal is one, too: it has `reason` and `error`."""
        try:
            with urlopen(Request(self.address + path, form, self.headers)) as answer:
                return json.load(answer)
        except HTTPError as refused:
            if refused.code != 429:
                return json.load(refused)
            time.sleep(float(refused.headers["Retry-After"]))
            return self.ask(path, form)

    def send(self, path: str, **fields: object) -> dict:
        return self.ask(path, urlencode(fields).encode())

    def events(self) -> Iterator[dict]:
        """Yield what concerns the account, as it happens; every seven seconds an empty line says that all is well."""
        with urlopen(Request(f"{self.address}/events", headers=self.headers)) as lines:
            yield from (json.loads(line) for line in lines if line.strip())


def choose(state: dict) -> dict:
    """Return the form of a move: any that is legal, heavy tiles first. Put your own idea here."""
    plays = [move for move in state["legal"] if "@" in move or "-" in move]
    move = max(plays, key=count_pips) if plays else state["legal"][0]
    return {"move": move, "version": state["version"]}


def count_pips(move: str) -> int:
    """Return the pips of the first tile of a move: 11 for 6-5@L."""
    return sum(map(int, move.partition("@")[0].split("+")[0].split("-")))


def main(address: str, matches: int = 1) -> None:
    site, left = Site(address, os.environ["TOKEN"]), matches
    site.send("/play/draw/", **GAME)
    for event in site.events():
        print(event, flush=True)
        if event["event"] == "turn":
            state = site.ask(f"/games/{event['match']}/state.json")
            if state["legal"]:
                site.send(f"/games/{event['match']}/move", **choose(state))
        elif event["event"] == "ended" and (left := left - 1):
            site.send("/play/draw/", **GAME)
        elif event["event"] == "ended":
            return


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]))
