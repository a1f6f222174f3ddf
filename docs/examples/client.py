"""A program that follows a match or a night, and prints what is new.

    python docs/examples/client.py https://domino.example night CODE
    TOKEN=boneyard_… python docs/examples/client.py https://domino.example match CODE

It needs Python 3.11 and nothing else. A night is asked every few seconds with its ETag, which costs the site next to
nothing; it needs no token unless the night is one for the members of its club. A match comes as a stream, whose token
needs the scope `read` or `play`.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

POLL_SECONDS = 5.0
SILENCE_SECONDS = 20.0  # a stream sends at least an empty line every seven seconds
WAIT_SECONDS = (1.0, 2.0, 5.0, 10.0, 30.0)  # before connecting again, the longer the more often it failed


class Refused(Exception):
    """An answer that will not change by asking again: `reason` and `error` are the site's."""

    def __init__(self, status: int, answer: dict) -> None:
        super().__init__(f"{status} {answer.get('reason', '')}: {answer.get('error', '')}")


class Site:
    """The site as a reader with this token sees it; as everybody does, without one."""

    def __init__(self, address: str, token: str = "") -> None:
        self.address = address.rstrip("/")
        self.headers = {"Accept": "application/json"}
        if token:
            self.headers["Authorization"] = f"Bearer {token}"

    def open(self, path: str, **headers: str):
        """Return the open answer. A limit is waited for; another refusal raises `Refused`, 304 `HTTPError`."""
        request = Request(self.address + path, headers=self.headers | headers)
        try:
            return urlopen(request, timeout=SILENCE_SECONDS)
        except HTTPError as answer:
            if answer.code == 429:
                time.sleep(float(answer.headers.get("Retry-After", "1")))
                return self.open(path, **headers)
            if 400 <= answer.code < 500:
                raise Refused(answer.code, read_refusal(answer)) from None
            raise

    def poll(self, path: str) -> Iterator[dict]:
        """Yield the JSON of an address, and again whenever it has changed."""
        etag = ""
        while True:
            try:
                with self.open(path, **({"If-None-Match": etag} if etag else {})) as answer:
                    etag = answer.headers["ETag"]
                    yield json.load(answer)
            except HTTPError as answer:
                if answer.code < 500 and answer.code != 304:
                    raise
            except OSError as fault:
                print(f"no answer ({fault}), asking again", file=sys.stderr)
            time.sleep(POLL_SECONDS)

    def stream(self, path: str) -> Iterator[dict]:
        """Yield the lines of a stream. After a lost line connect again: the first line then is the present state."""
        failures = 0
        while True:
            try:
                with self.open(path) as lines:
                    for line in lines:
                        failures = 0
                        if line.strip():
                            yield json.loads(line)
            except (OSError, HTTPException) as fault:
                print(f"the line was lost ({fault}), connecting again", file=sys.stderr)
            time.sleep(WAIT_SECONDS[min(failures, len(WAIT_SECONDS) - 1)])
            failures += 1


def read_refusal(answer: HTTPError) -> dict:
    """Return the site's JSON; pages that are not found have none."""
    try:
        refusal = json.load(answer)
    except ValueError:
        return {"error": answer.reason}
    return refusal if isinstance(refusal, dict) else {}


def follow_match(site: Site, code: str) -> None:
    """Print each version of a match, until it has ended."""
    shown = -1
    for state in site.stream(f"/games/{code}/stream"):
        if state["version"] > shown:
            shown = state["version"]
            print(describe_match(state), flush=True)
        if state["status"] == "finished":
            return


def describe_match(state: dict) -> str:
    names = [seat["name"] for seat in state["seats"]]
    score = " – ".join(map(str, state["scores"]))
    ends = ", ".join(f"{end} {suit}" for end, suit in state["ends"].items()) or "nothing laid"
    if state["result"]:
        return f"{score}: ended ({state['result']['how']})"
    turn = "nobody" if state["turn"] is None else names[state["turn"]]
    return f"{score}: round {state['round']}, {ends}, {turn} to play"


def follow_night(site: Site, code: str) -> None:
    """Print each result of a night, and the best three after it, until it is over."""
    known: dict[tuple[int, int], str] = {}
    for night in site.poll(f"/nights/{code}/night.json"):
        names = {entry["number"]: entry["name"] for entry in night["entries"]}
        for table in night["tables"]:
            place, words = (table["round"], table["table"]), describe_table(table, names)
            if known.get(place) != words:
                known[place] = words
                print(words, flush=True)
        leaders = [f"{row['place']}. {names[row['number']]}" for row in night["standings"][:3]]
        print(f"{night['name']}, {night['state']}: {', '.join(leaders) or 'no results'}", flush=True)
        if night["state"] in ("over", "cancelled"):
            return


def describe_table(table: dict, names: dict[int, str]) -> str:
    sides = " against ".join(" and ".join(names[each] for each in side) for side in table["sides"])
    points = " – ".join(map(str, table["points"])) if table["points"] else "no result"
    return f"Round {table['round']}, table {table['table']}: {sides}: {points} ({table['state']})"


def main(address: str, kind: str, code: str) -> int:
    follow = {"match": follow_match, "night": follow_night}[kind]
    try:
        follow(Site(address, os.environ.get("TOKEN", "")), code)
    except Refused as refusal:
        print(refusal, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
