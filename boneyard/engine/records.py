"""Writing and verifying match records (docs/record.md).

>>> from .moves import RESIGN
>>> rules = PRESETS["block"].rules
>>> match = matches.begin(rules, 2, bytes(range(32)), ".").play(0, RESIGN)
>>> people = [{"name": name, "kind": "player", "level": None} for name in ("mara", "tiago")]
>>> written = record(
...     match, code="k3v9", preset="block", seats=people, rated=False, started=None, ended=None, times=None
... )
>>> written["result"]
{'how': 'resigned', 'winners': [1], 'scores': [0, 0]}
>>> verify(written).result == match.result
True
>>> verify(written | {"entropy": "x."})
Traceback (most recent call last):
boneyard.engine.records.Fault: round 1: lots is ["3-1","0-0"], but should be ["6-0","2-1"]
"""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, get_args

from . import matches, moves
from .errors import Illegal, InvalidRules, Malformed
from .matches import Match, Result
from .moves import LEAVING
from .presets import PRESETS
from .round_ends import EndedRound
from .rounds import Deal, Entry
from .rules import Rules
from .shuffle import commitment_to, is_preimage, published_keys
from .tiles import NAMES, Tile

FORMAT = "domino-record/1"
KINDS = ("player", "guest", "computer")
Level = Literal["beginner", "casual", "club", "strong", "master"]
LEVELS: tuple[Level, ...] = get_args(Level)
DEFAULT_LEVEL: Level = "club"
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z")

_HEADER = {"format", "match", "preset", "rules", "seats", "rated", "seal", "entropy", "rounds", "result"}
# Optional: a record of a match without a clock has no times.
_TIMES = {"started", "ended"}
# Absent in records made before commitments, and in those of shared deals, which name their set instead.
_OPTIONAL = _TIMES | {"commitments", "deals"}
_SET_NAME = re.compile(r"[a-z0-9-]{1,40}")
_ROUND = {
    "number", "secret", "attempt", "lots", "hands", "boneyard", "lead_draws", "leader", "named",
    "moves", "end", "scores",
}  # fmt: skip


class Fault(Exception):
    """The first fault of a record: the round and the move in it, both from 1 or None, and the reason."""

    def __init__(self, round: int | None, move: int | None, reason: str) -> None:
        super().__init__(round, move, reason)
        self.round = round
        self.move = move
        self.reason = reason

    def __str__(self) -> str:
        where = [
            f"{what} {number}"
            for what, number in (("round", self.round), ("move", self.move))
            if number is not None
        ]
        return ": ".join([", ".join(where), self.reason] if where else [self.reason])


def record(
    match: Match,
    *,
    code: str,
    preset: str | None,
    seats: Sequence[Mapping[str, Any]],
    rated: bool,
    started: str | None,
    ended: str | None,
    times: Sequence[str | None] | None,
    commitments: Sequence[str | None] | None = None,
    deals: str | None = None,
    legal: bool = False,
) -> dict[str, Any]:
    """Return the record of a finished match. Raise `ValueError` if the match is not over.

    seats         name, kind and level of each seat
    times         the time of each move, by its index in the whole match; None without a clock
    commitments   by seat, what it committed to; None for a match made before commitments
    deals         the name of the set of shared deals, or None
    legal         whether to include the legal moves before each move
    """
    if match.result is None:
        raise ValueError("a running match has no record")
    listed = _legal_moves(match) if legal else None
    rounds, number = [], 0
    for finished in match.ended:
        rows = []
        for entry in finished.log:
            row = entry_data(entry, match.terms.must_claim)
            if times is not None and times[number] is not None:
                row["at"] = times[number]
            if listed is not None and listed[number] is not None:
                row["legal"] = listed[number]
            rows.append(row)
            number += 1
        rounds.append(deal_data(finished.round.deal) | {"moves": rows} | round_end_data(finished))
    optional: dict[str, Any] = {} if commitments is None else {"commitments": list(commitments)}
    if deals is not None:
        optional["deals"] = deals
    return {
        "format": FORMAT,
        "match": code,
        "preset": preset,
        "rules": match.rules.written(),
        "seats": [{name: seat[name] for name in ("name", "kind", "level")} for seat in seats],
        "rated": rated,
        "started": started,
        "ended": ended,
        "seal": match.keys.seal,
        "entropy": match.entropy,
        "rounds": rounds,
        "result": result_data(match.result),
    } | optional


def dumps(record: Mapping[str, Any]) -> str:
    """Return the record as JSON on one line with sorted keys."""
    return json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _names(tiles: Sequence[Tile]) -> list[str]:
    return [NAMES[tile] for tile in tiles]


def deal_data(deal: Deal) -> dict[str, Any]:
    return {
        "number": deal.number,
        "secret": deal.key.hex(),
        "attempt": deal.attempt,
        "lots": None if deal.lots is None else _names(deal.lots),
        "hands": [_names(hand) for hand in deal.hands],
        "boneyard": _names(deal.boneyard),
        "lead_draws": [[seat, NAMES[tile]] for seat, tile in deal.lead_draws],
        "leader": deal.leader,
        "named": None if deal.named is None else NAMES[deal.named],
    }


def entry_data(entry: Entry, called: bool) -> dict[str, Any]:
    row: dict[str, Any] = {"seat": entry.seat, "move": entry.move.text}
    if entry.move.kind == "play":
        row |= {"count": entry.count, "points": entry.points, "scored": entry.scored}
        if called:
            row["claim"] = entry.claim
    elif entry.tile is not None:
        row["tile"] = NAMES[entry.tile]
    elif entry.move.kind == "muggins":
        row["scored"] = entry.scored
    if entry.award is not None:
        row["award"] = list(entry.award)
    return row


def round_end_data(finished: EndedRound) -> dict[str, Any]:
    end = finished.end
    row: dict[str, Any] = {
        "how": end.how,
        "winner": end.winner,
        "pips": list(end.pips),
        "bonus": list(end.bonus),
    }
    if end.extras:
        row["extras"] = dict(end.extras)
    if end.taken:
        row["taken"] = list(end.taken)
    return {"end": row, "scores": list(finished.scores)}


def result_data(result: Result) -> dict[str, Any]:
    how, winners, scores = result
    return {"how": how, "winners": list(winners), "scores": list(scores)}


def _legal_moves(match: Match) -> list[list[str] | None]:
    """Return the legal moves before each move; None for calls, `close` and moves of seats that leave."""
    value = matches.begin_with_keys(match.rules, match.seats, match.keys, match.entropy)
    listed = []
    for finished in match.ended:
        for entry in finished.log:
            listed.append(_legal(value, entry.seat, entry.move))
            value = value.play(entry.seat, entry.move, entry.claim)
    return listed


def _legal(match: Match, seat: int, move: moves.Move) -> list[str] | None:
    if move.kind in ("muggins", "close") or move.kind in LEAVING:
        return None
    return sorted(legal.text for legal in match.legal(seat))


def verify(record: Any) -> Match:
    """Replay a record and return its finished match.

    Raise `Fault` for the first value that the rules, the seal or the entropy contradict, or that is missing or
    unknown.
    """
    _check_header(record)
    rules = _check_rules(record)
    keys = _check_keys(record)
    if len(record["seats"]) not in rules.players:
        raise Fault(None, None, f"the rules allow no {len(record['seats'])} seats")
    with_legal = any("legal" in row for each in record["rounds"] for row in each["moves"])
    match = matches.begin_with_keys(rules, len(record["seats"]), keys, record["entropy"])
    for number, round_data in enumerate(record["rounds"], 1):
        match = _check_round(match, number, round_data, with_legal)
    if match.result is None:
        raise Fault(len(record["rounds"]), None, "the match goes on after this round")
    _compare(record["result"], result_data(match.result), "result", None, None)
    return match


def _check_header(record: Any) -> None:
    _check_keys_of(record, _HEADER, _OPTIONAL, "the record", None, None)
    if record["format"] != FORMAT:
        raise Fault(None, None, f"the format is not {FORMAT}")
    for name, kind in (("match", str), ("rated", bool), ("entropy", str), ("seats", list), ("rounds", list)):
        if type(record[name]) is not kind:
            raise Fault(None, None, f"{name} is no {kind.__name__}")
    for name in _TIMES & set(record):
        if record[name] is not None and not _is_time(record[name]):
            raise Fault(None, None, f"{name} is no time")
    if not record["entropy"].isascii():
        raise Fault(None, None, "the entropy is not in ASCII")
    for number, seat in enumerate(record["seats"]):
        _check_seat(number, seat)
    if "deals" in record:
        _check_deals(record)
    elif "commitments" in record:
        _check_commitments(record)
    if not record["rounds"]:
        raise Fault(None, None, "there are no rounds")
    for number, round_data in enumerate(record["rounds"], 1):
        _check_keys_of(round_data, _ROUND, set(), "the round", number, None)
        if not isinstance(round_data["moves"], list):
            raise Fault(number, None, "moves is no list of moves")
        for move_number, row in enumerate(round_data["moves"], 1):
            if not isinstance(row, dict):
                raise Fault(number, move_number, "the move is no object")


def _check_seat(number: int, seat: Any) -> None:
    _check_keys_of(seat, {"name", "kind", "level"}, set(), f"seat {number}", None, None)
    if not isinstance(seat["name"], str) or not seat["name"].strip() or seat["kind"] not in KINDS:
        raise Fault(None, None, f"seat {number} has no proper name or kind")
    level = seat["level"]
    if level is not None and (level not in LEVELS or seat["kind"] != "computer"):
        raise Fault(None, None, f"seat {number} has a level that is none, or is no computer")


def _check_deals(record: Mapping[str, Any]) -> None:
    deals = record["deals"]
    if not isinstance(deals, str) or not _SET_NAME.fullmatch(deals):
        raise Fault(None, None, "deals is no name of a set")
    if "commitments" in record:
        raise Fault(None, None, "a match of shared deals has no commitments")
    _compare(record["entropy"], deals, "entropy", None, None)


def _check_commitments(record: Mapping[str, Any]) -> None:
    commitments, nonces = record["commitments"], record["entropy"].split(".")
    if not isinstance(commitments, list) or not len(commitments) == len(nonces) == len(record["seats"]):
        raise Fault(None, None, "there is no commitment, or no nonce, for each seat")
    for number, (commitment, nonce) in enumerate(zip(commitments, nonces, strict=True)):
        if commitment is None and nonce:
            raise Fault(None, None, f"seat {number} has a nonce and no commitment")
        if commitment is not None:
            _compare(commitment, commitment_to(nonce), f"commitment {number}", None, None)


def _is_time(value: Any) -> bool:
    """Return whether `value` is a time written like 2026-11-21T10:00:00Z."""
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _check_rules(record: Mapping[str, Any]) -> Rules:
    try:
        rules = Rules.from_dict(record["rules"])
    except InvalidRules as fault:
        raise Fault(None, None, f"rules: {fault}") from None
    _compare(record["rules"], rules.written(), "rules", None, None)
    preset = record["preset"]
    if preset is not None:
        if not isinstance(preset, str) or preset not in PRESETS:
            raise Fault(None, None, f"there is no preset {preset}")
        if not PRESETS[preset].is_played_by(rules):
            _compare(record["rules"], PRESETS[preset].rules.written(), f"the preset {preset}", None, None)
    return rules


def _check_keys(record: Mapping[str, Any]) -> Any:
    secrets = [round_data["secret"] for round_data in record["rounds"]]
    if len(secrets) > matches.MAX_ROUNDS:
        raise Fault(matches.MAX_ROUNDS + 1, None, f"a match has at most {matches.MAX_ROUNDS} rounds")
    for number, key in enumerate([record["seal"], *secrets]):
        if not isinstance(key, str) or len(key) != 64 or not set(key) <= set("0123456789abcdef"):
            raise Fault(
                number or None, None, f"{'secret' if number else 'seal'} is not 64 hexadecimal digits"
            )
    keys = published_keys(record["seal"], secrets)
    earlier = bytes.fromhex(record["seal"])
    for number in range(1, len(secrets) + 1):
        if not is_preimage(keys.key(number), earlier):
            raise Fault(number, None, "the secret does not lead back to the seal")
        earlier = keys.key(number)
    return keys


def _check_round(match: Match, number: int, round_data: Mapping[str, Any], with_legal: bool) -> Match:
    if match.result is not None:
        raise Fault(number, None, "the match was over before this round")
    for name, value in deal_data(match.round.deal).items():
        _compare(round_data[name], value, name, number, None)
    for move_number, row in enumerate(round_data["moves"], 1):
        if len(match.ended) == number:
            raise Fault(number, move_number, "the round was over before this move")
        match = _check_move(match, number, move_number, row, with_legal)
    if len(match.ended) < number:
        raise Fault(number, None, "the round is not over after its last move")
    for name, value in round_end_data(match.ended[-1]).items():
        _compare(round_data[name], value, name, number, None)
    return match


def _check_move(
    match: Match, number: int, move_number: int, row: Mapping[str, Any], with_legal: bool
) -> Match:
    seat: Any = row.get("seat")
    text: Any = row.get("move")
    claim: Any = row.get("claim")
    if type(seat) is not int or (claim is not None and type(claim) is not int):
        raise Fault(number, move_number, "seat or claim is no number")
    try:
        move = moves.parse(text)
        legal = _legal(match, seat, move) if with_legal else None
        after = match.play(seat, move, claim)
    except (Malformed, Illegal) as refusal:
        raise Fault(number, move_number, f"{text}: {refusal}") from None
    except LookupError:
        raise Fault(number, move_number, "the match goes on after this move") from None
    log = after.round.log if len(after.ended) < number else after.ended[number - 1].log
    expected = entry_data(log[-1], match.terms.must_claim)
    if legal is not None:
        expected["legal"] = legal
    _check_keys_of(row, set(expected), {"at"}, "the move", number, move_number)
    if "at" in row and not _is_time(row["at"]):
        raise Fault(number, move_number, "at is no time")
    for name, value in expected.items():
        _compare(row[name], value, name, number, move_number)
    return after


def _check_keys_of(
    data: Any, needed: set[str], allowed: set[str], what: str, number: int | None, move_number: int | None
) -> None:
    if not isinstance(data, dict):
        raise Fault(number, move_number, f"{what} is no object")
    for name in sorted(needed - set(data)):
        raise Fault(number, move_number, f"{what} has no {name}")
    for name in sorted(set(data) - needed - allowed):
        raise Fault(number, move_number, f"{what} has an unknown {name}")


def _compare(actual: Any, expected: Any, name: str, number: int | None, move_number: int | None) -> None:
    # Compare as JSON: in Python 1, 1.0 and True are equal.
    if dumps(actual) == dumps(expected):
        return
    if isinstance(actual, dict) and isinstance(expected, dict):
        for key in sorted({*actual, *expected}):
            if key not in expected:
                raise Fault(number, move_number, f"{name} has {key}, which is not to be written there")
            if key not in actual:
                raise Fault(number, move_number, f"{name} has no {key}")
            _compare(actual[key], expected[key], f"{key} of {name}", number, move_number)
    raise Fault(
        number, move_number, f"{name} is {dumps(actual)[:200]}, but should be {dumps(expected)[:200]}"
    )
