"""A record played again: docs/record.md, "The record"."""

import hashlib

from tests.engine.reference.defaults import written
from tests.engine.reference.match import LEAVING, Match, NotAllowed
from tests.engine.reference.shuffle import ROUNDS

OPENING = ["number", "secret", "attempt", "lots", "hands", "boneyard", "lead_draws", "leader", "named"]
ROUND = sorted([*OPENING, "moves", "end", "scores"])


def replay(record: dict) -> list[str]:
    """Everything in the record that the rules, the seal and the entropy would have otherwise; [] when right.

    A fault names its round and move (from 1). After a move that cannot be played nothing further is looked at.
    """
    faults = _broken_chain(record) + _differences("rules", record["rules"], written(record["rules"]))
    if faults:
        return faults
    keys = [bytes.fromhex(told["secret"]) for told in record["rounds"]]
    match = Match(record["rules"], len(record["seats"]), record["entropy"], lambda number: _key(keys, number))
    for told in record["rounds"]:
        faults += _replay_round(match, told)
        if faults:
            return faults
    return _differences("result", record["result"], match.result)


def _key(keys: list[bytes], number: int) -> bytes:
    """A key that the record does not give is no key at all: the round it deals is never looked at."""
    return keys[number - 1] if number <= len(keys) else bytes(32)


def _broken_chain(record: dict) -> list[str]:
    if not record["rounds"]:
        return ["no round was dealt"]
    if len(record["rounds"]) > ROUNDS:
        return [f"more than {ROUNDS} rounds"]
    faults = []
    before = bytes.fromhex(record["seal"])
    for told in record["rounds"]:
        key = bytes.fromhex(told["secret"])
        if hashlib.sha256(key).digest() != before:
            faults.append(f"round {told['number']}: its secret does not lead to the seal")
        before = key
    return faults


def _replay_round(match: Match, told: dict) -> list[str]:
    if match.result is not None:
        return [f"round {told['number']}: the match was over"]
    number = len(match.ended) + 1
    opening = match.round.opening()
    faults = _differences(f"round {number}", sorted(told), ROUND)
    faults += _differences(f"round {number}", {key: told.get(key) for key in OPENING}, opening)
    for place, entry in enumerate(told["moves"], start=1):
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
    own = match.ended[-1]
    faults += _differences(f"round {number}, end", told["end"], own["end"])
    return faults + _differences(f"round {number}", {"scores": told["scores"]}, {"scores": own["scores"]})


def _replay_move(match: Match, entry: dict, where: str) -> list[str]:
    try:
        own = dict(match.play(entry["seat"], entry["move"], entry.get("claim")))
    except NotAllowed as refusal:
        return [f"{where}: seat {entry['seat']} may not {entry['move']}: {refusal}"]
    if "legal" not in entry and entry["move"] not in LEAVING:
        own.pop("legal", None)
    told = {key: value for key, value in entry.items() if key != "at"}
    return _differences(where, told, own)


def _differences(where: str, told: object, own: object) -> list[str]:
    """One sentence for each key in which two dicts differ, or one for two values."""
    if told == own:
        return []
    if not isinstance(told, dict) or not isinstance(own, dict):
        return [f"{where}: {told!r} where the reference has {own!r}"]
    keys = sorted(set(told) | set(own))
    return [
        f"{where}: {key} {told.get(key)!r} where the reference has {own.get(key)!r}"
        for key in keys
        if told.get(key) != own.get(key) or (key in told) != (key in own)
    ]
