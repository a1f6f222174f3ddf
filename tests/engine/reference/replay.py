"""Replaying a record: docs/record.md, "The record"."""

import hashlib
import re

from tests.engine.reference.defaults import written
from tests.engine.reference.match import LEAVING, Match, NotAllowed
from tests.engine.reference.shuffle import ROUNDS

OPENING = ["number", "secret", "attempt", "lots", "hands", "boneyard", "lead_draws", "leader", "named"]
ROUND = sorted([*OPENING, "moves", "end", "scores"])
NONCE = re.compile("[0-9a-z]{0,64}")


def replay(record: dict) -> list[str]:
    """Return a sentence for each value of the record that the rules, the seal and the entropy contradict.

    A fault names its round and move (from 1). Checking stops at a move that cannot be played.
    """
    faults = _broken_chain(record) + _differences("rules", record["rules"], written(record["rules"]))
    faults += _contradictions(record)
    if "commitments" in record:
        faults += _broken_commitments(record["commitments"], record["entropy"].split("."))
    if faults:
        return faults
    keys = [bytes.fromhex(recorded["secret"]) for recorded in record["rounds"]]
    match = Match(record["rules"], len(record["seats"]), record["entropy"], lambda number: _key(keys, number))
    for recorded in record["rounds"]:
        faults += _replay_round(match, recorded)
        if faults:
            return faults
    return _differences("result", record["result"], match.result)


def _key(keys: list[bytes], number: int) -> bytes:
    """Return the key of a round, or zeros if the record does not have it: that round is not compared."""
    return keys[number - 1] if number <= len(keys) else bytes(32)


def _broken_chain(record: dict) -> list[str]:
    if not record["rounds"]:
        return ["no round was dealt"]
    if len(record["rounds"]) > ROUNDS:
        return [f"more than {ROUNDS} rounds"]
    faults = []
    before = bytes.fromhex(record["seal"])
    for recorded in record["rounds"]:
        key = bytes.fromhex(recorded["secret"])
        if hashlib.sha256(key).digest() != before:
            faults.append(f"round {recorded['number']}: its secret does not lead to the seal")
        before = key
    return faults


def _broken_commitments(commitments: list, nonces: list[str]) -> list[str]:
    hashes = [hashlib.sha256(b"nonce:" + nonce.encode()).hexdigest() for nonce in nonces]
    if len(hashes) != len(commitments):
        return ["not as many commitments as nonces"]
    return [
        f"seat {seat}: what it added is not what it committed to"
        for seat, (commitment, digest) in enumerate(zip(commitments, hashes, strict=True))
        if (nonces[seat] != "" if commitment is None else commitment != digest)
    ]


def _contradictions(record: dict) -> list[str]:
    """Return what the record says against itself: docs/record.md, "What a record must keep"."""
    rows = [row for recorded in record["rounds"] for row in recorded["moves"]]
    ends = [record.get("started"), record.get("ended")]
    times = [ends[0], *(row.get("at") for row in rows), ends[1]]
    nonces = record["entropy"].split(".")
    kinds = {seat.get("kind") for seat in record["seats"]}
    faults = {
        "the match has no name": record.get("match") == "",
        "some times are missing": len({time is None for time in times}) > 1,
        "a move without a clock has a time": ends == [None, None] and any("at" in row for row in rows),
        "time runs backwards": None not in times and times != sorted(times),
        "the entropy is not the name of the set": record.get("deals", record["entropy"]) != record["entropy"],
        "a match of a set of deals has a preset or was rated": "deals" in record
        and (record["preset"] is not None or bool(record.get("rated"))),
        "not one part of the entropy for each seat": "deals" not in record
        and (len(nonces) != len(record["seats"]) or any(not NONCE.fullmatch(nonce) for nonce in nonces)),
        "the match cannot have been rated": bool(record.get("rated"))
        and (record["preset"] is None or kinds != {"player"}),
    }
    return [fault for fault, found in faults.items() if found]


def _replay_round(match: Match, recorded: dict) -> list[str]:
    if match.result is not None:
        return [f"round {recorded['number']}: the match was over"]
    number = len(match.ended) + 1
    opening = match.round.opening()
    faults = _differences(f"round {number}", sorted(recorded), ROUND)
    faults += _differences(f"round {number}", {key: recorded.get(key) for key in OPENING}, opening)
    for place, entry in enumerate(recorded["moves"], start=1):
        where = f"round {number}, move {place}"
        if faults:
            return faults
        if len(match.ended) == number:
            return [f"{where}: the round was over"]
        faults += _replay_move(match, entry, where)
    if faults:
        return faults
    if len(match.ended) < number:
        return [f"round {number}: it was not over"]
    expected = match.ended[-1]
    faults += _differences(f"round {number}, end", recorded["end"], expected["end"])
    return faults + _differences(
        f"round {number}", {"scores": recorded["scores"]}, {"scores": expected["scores"]}
    )


def _replay_move(match: Match, entry: dict, where: str) -> list[str]:
    try:
        expected = dict(match.play(entry["seat"], entry["move"], entry.get("claim")))
    except NotAllowed as refusal:
        return [f"{where}: seat {entry['seat']} may not {entry['move']}: {refusal}"]
    if "legal" not in entry and entry["move"] not in LEAVING:
        expected.pop("legal", None)
    recorded = {key: value for key, value in entry.items() if key != "at"}
    return _differences(where, recorded, expected)


def _differences(where: str, recorded: object, expected: object) -> list[str]:
    """Return one sentence for each key in which two dicts differ, or one for two other values."""
    if recorded == expected:
        return []
    if not isinstance(recorded, dict) or not isinstance(expected, dict):
        return [f"{where}: {recorded!r} where the reference has {expected!r}"]
    keys = sorted(set(recorded) | set(expected))
    return [
        f"{where}: {key} {recorded.get(key)!r} where the reference has {expected.get(key)!r}"
        for key in keys
        if recorded.get(key) != expected.get(key) or (key in recorded) != (key in expected)
    ]
