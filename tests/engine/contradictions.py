"""Records that contradict themselves: the same list for the engine, the reference and the browser."""

import copy
from collections.abc import Callable, Iterator

from boneyard.engine.shuffle import commitment_to

NAMES = ("mara", "tiago", "kim", "zoe")
SET_NAME = "daily-2026-11-26"


def add_times(record: dict) -> dict:
    """Return the record of a rated match between players, with a time of everything and a nonce of each seat."""
    timed = copy.deepcopy(record)
    seconds = iter(range(10, 60_000, 7))

    def next_time() -> str:
        second = next(seconds)
        return f"2026-11-21T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"

    seats = [{"name": name, "kind": "player", "level": None} for name in NAMES[: len(record["seats"])]]
    timed |= {"rated": True, "seats": seats, "started": next_time()}
    for row in (row for recorded in timed["rounds"] for row in recorded["moves"]):
        row["at"] = next_time()
    timed["ended"] = next_time()
    timed["commitments"] = [commitment_to(nonce) for nonce in record["entropy"].split(".")]
    return timed


def contradict(timed: dict) -> Iterator[tuple[str, str, dict]]:
    """Yield what is contradicted, the kind of the fault, and the record; `timed` is what `add_times` returns."""
    for what, kind, change in _changes():
        changed = copy.deepcopy(timed)
        change(changed)
        yield what, kind, changed


def _changes() -> list[tuple[str, str, Callable[[dict], object]]]:
    def moves(record: dict) -> list[dict]:
        return [row for recorded in record["rounds"] for row in recorded["moves"]]

    def drop_commitments(record: dict, **changes: object) -> None:
        del record["commitments"]
        record.update(changes)

    def play_set(record: dict, **changes: object) -> None:
        drop_commitments(record, deals=SET_NAME, entropy=SET_NAME, **changes)

    def set_entropy(parts: Callable[[list[str]], list[str]]) -> Callable[[dict], object]:
        return lambda record: drop_commitments(record, entropy=".".join(parts(record["entropy"].split("."))))

    return [
        ("a match without a name", "shape", lambda record: record.update(match="")),
        ("a start without an end", "times", lambda record: record.update(ended=None)),
        ("an end without a start", "times", lambda record: record.update(started=None)),
        ("times of moves alone", "times", lambda record: record.update(started=None, ended=None)),
        ("times of the match alone", "times", lambda record: [row.pop("at") for row in moves(record)]),
        ("a move without a time", "times", lambda record: moves(record)[3].pop("at")),
        ("an empty time", "shape", lambda record: moves(record)[3].update(at=None)),
        ("a start after the end", "backwards", lambda record: record.update(started="2026-11-22T00:00:00Z")),
        ("an end before the last move", "backwards", lambda record: record.update(ended=record["started"])),
        (
            "a move before the start",
            "backwards",
            lambda record: moves(record)[0].update(at="2026-11-20T00:00:00Z"),
        ),
        (
            "a move before the one before",
            "backwards",
            lambda record: moves(record)[4].update(at=moves(record)[2]["at"]),
        ),
        ("a part of the entropy too few", "parts", set_entropy(lambda parts: parts[1:])),
        ("a part of the entropy too many", "parts", set_entropy(lambda parts: [*parts, ""])),
        ("a capital in the entropy", "parts", set_entropy(lambda parts: ["A", *parts[1:]])),
        ("a space in the entropy", "parts", set_entropy(lambda parts: ["a b", *parts[1:]])),
        ("65 characters in the entropy", "parts", set_entropy(lambda parts: ["a" * 65, *parts[1:]])),
        ("a rated computer", "rated", lambda record: record["seats"][1].update(kind="computer")),
        ("a rated guest", "rated", lambda record: record["seats"][0].update(kind="guest")),
        ("a rated game without a name", "rated", lambda record: record.update(preset=None)),
        ("a set of other deals", "differs", lambda record: drop_commitments(record, deals=SET_NAME)),
        ("a rated match of a set", "set", lambda record: play_set(record, preset=None)),
        ("a preset of a set", "set", lambda record: play_set(record, rated=False)),
    ]
