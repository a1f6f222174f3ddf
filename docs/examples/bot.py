"""A bot: it accepts challenges and rematches, and plays them to the end.

    TOKEN=boneyard_… python docs/examples/bot.py https://domino.example [MATCHES [OTHER_BOT]]

It challenges OTHER_BOT, if there is one named, and ends after so many MATCHES. It needs Python 3.11 and nothing else.
Make the account a bot and the token, with the scopes `play` and `challenge`, at /preferences/tokens/.
"""

import json
import os
import secrets
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

GAME = {"preset": "draw", "seats": 2, "clock": "300+5", "rated": "on"}


class Site:
    """The site as an account sees it."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address.rstrip("/")
        self.headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        self.nonces: dict[str, str] = {}

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

    def sit(self, path: str, **fields: object) -> None:
        """Sit down, and commit to a nonce before anybody knows the others': so nobody chooses the deals."""
        nonce = secrets.token_hex(16)
        answer = self.send(path, commitment=sha256(f"nonce:{nonce}".encode()).hexdigest(), **fields)
        self.nonces[answer.get("table", "")] = nonce

    def events(self) -> Iterator[dict]:
        """Yield what concerns the account, as it happens; every seven seconds an empty line says that all is well."""
        with urlopen(Request(f"{self.address}/events", headers=self.headers), timeout=20) as lines:
            yield from (json.loads(line) for line in lines if line.strip())


def choose(state: dict) -> dict:
    """Return the form of a move: any that is legal, heavy tiles first. Put your own idea here."""
    plays = [move for move in state["legal"] if "-" in move]
    move = max(plays, key=count_pips) if plays else state["legal"][0]
    return {"move": move, "version": state["version"]}


def count_pips(move: str) -> int:
    """Return the pips of the first tile of a move: 11 for 6-5@L."""
    return sum(map(int, move.partition("@")[0].split("+")[0].split("-")))


def main(address: str, matches: int = 1, other: str = "") -> None:
    site, left = Site(address, os.environ["TOKEN"]), matches
    if other:
        site.sit(f"/players/{other}/challenge", **GAME)
    for event in site.events():
        print(event, flush=True)
        match event:
            case {"event": "challenge", "table": table}:
                site.sit(f"/tables/{table}/sit")
            case {"event": "rematch", "match": code}:
                site.sit(f"/tables/{code}/rematch", on=1)
            case {"event": "nonce", "table": table}:
                site.send(f"/tables/{table}/nonce", nonce=site.nonces.pop(table, ""))
            case {"event": "turn" | "wait_over", "match": code}:
                state = site.ask(f"/games/{code}/state.json")
                while state.get("legal") and not state["wait_until"]:
                    state = site.send(f"/games/{code}/move", **choose(state))
            case {"event": "ended", "match": code}:
                if (left := left - 1) <= 0:
                    return
                if other:
                    site.sit(f"/tables/{code}/rematch", on=1)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]), *sys.argv[3:4])
