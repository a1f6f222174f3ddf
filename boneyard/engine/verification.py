"""Verifying match records (docs/record.md): the first value that rules, seal, entropy or another value contradict.

>>> from .moves import RESIGN
>>> from .records import record
>>> match = matches.begin(PRESETS["block"].rules, 2, bytes(range(32)), ".").play(0, RESIGN)
>>> people = [{"name": name, "kind": "player", "level": None} for name in ("mara", "tiago")]
>>> written = record(
...     match, code="k3v9", preset="block", seats=people, rated=True, started=None, ended=None, times=None
... )
>>> verify(written).result == match.result
True
>>> verify(written | {"entropy": "x"})
Traceback (most recent call last):
boneyard.engine.verification.Fault: parts
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from . import matches, moves
from .errors import EngineError, Illegal, InvalidRules, Malformed
from .matches import Match
from .presets import PRESETS
from .records import (
    FORMAT,
    KINDS,
    LEVELS,
    deal_data,
    dumps,
    entry_data,
    legal_moves,
    result_data,
    round_end_data,
)
from .rules import Rules
from .shuffle import Keys, commitment_to, is_preimage, published_keys

_HEADER = {"format", "match", "preset", "rules", "seats", "rated", "seal", "entropy", "rounds", "result"}
# Records made outside the site (self-play) have no times, older ones no commitments; those of shared deals name their
# set instead.
_OPTIONAL = {"started", "ended", "commitments", "deals"}
_ROUND = {
    "number", "secret", "attempt", "lots", "hands", "boneyard", "lead_draws", "leader", "named",
    "moves", "end", "scores",
}  # fmt: skip
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z")
_KEY = re.compile(r"[0-9a-f]{64}")
_SET_NAME = re.compile(r"[a-z0-9-]{1,40}")
_NONCE = re.compile(r"[0-9a-z]{0,64}")
_MAX_EXCERPT_LENGTH = 200
# The kind of a fault by the code of the engine's refusal.
_REFUSED = {
    "no_such_seat": "seat", "has_left": "gone", "not_your_turn": "turn", "not_held": "not_held",
    "no_fit": "no_fit", "not_open": "no_fit", "needs_end": "no_fit", "cross_first": "no_fit",
    "lead_has_no_end": "lead", "must_lead": "lead", "lead_must_score": "lead",
    "one_tile_only": "one_tile", "two_doubles_only": "one_tile", "not_a_multiple": "one_tile",
    "cannot_draw_lead": "draw", "no_drawing": "draw", "boneyard_empty": "draw", "boneyard_reserved": "draw",
    "cannot_pass_lead": "pass", "can_play": "pass", "must_draw": "pass",
    "claims_off": "claim", "claim_needs_play": "claim", "bad_claim": "claim",
    "nothing_to_call": "call", "own_side": "call", "nothing_to_close": "close",
    "too_late_to_abort": "abort", "over": "over",
}  # fmt: skip


class Fault(Exception):
    """The first fault of a record: the round and the move in it, both from 1 or None, its kind and details.

    The kinds are those of the verification page (`games/wording/record_faults.py` has their sentences). Seats among the
    details are counted from 1.
    """

    def __init__(self, kind: str, **details: object) -> None:
        super().__init__(kind)
        self.kind = kind
        self.details = details
        self.round: int | None = None
        self.move: int | None = None

    def __str__(self) -> str:
        where = [f"{what} {n}" for what, n in (("round", self.round), ("move", self.move)) if n is not None]
        details = ", ".join(f"{name} {value}" for name, value in self.details.items())
        reason = f"{self.kind} ({details})" if details else self.kind
        return ": ".join([", ".join(where), reason] if where else [reason])

    def at(self, number: int, move_number: int | None = None) -> "Fault":
        """Return this fault, which is in a round or move, unless it has a place."""
        if self.round is None:
            self.round, self.move = number, move_number
        return self


def verify(record: Any) -> Match:
    """Replay a record and return its finished match.

    Raise `Fault` for the first value that the rules, the seal, the entropy or another value contradict, or that is
    missing or unknown.
    """
    _check_header(record)
    rules = _check_rules(record["rules"])
    _check_preset(record["preset"], rules)
    _ensure(len(record["seats"]) in rules.players, "seats")
    _check_entropy(record)
    keys = _check_keys(record)
    _check_times(record)
    _check_rated(record)
    with_legal = any("legal" in row for each in record["rounds"] for row in each["moves"])
    match = matches.begin_with_keys(rules, len(record["seats"]), keys, record["entropy"])
    names = [seat["name"] for seat in record["seats"]]
    for number, round_data in enumerate(record["rounds"], 1):
        try:
            match = _check_round(match, number, round_data, names, with_legal)
        except Fault as fault:
            raise fault.at(number) from None
    if match.result is None:
        raise Fault("goes_on").at(len(record["rounds"]), len(record["rounds"][-1]["moves"]))
    _compare(record["result"], result_data(match.result), "result")
    return match


def _ensure(condition: bool, kind: str, **details: object) -> None:
    if not condition:
        raise Fault(kind, **details)


def _check_header(record: Any) -> None:
    _ensure(isinstance(record, dict), "no_record")
    _ensure(record.get("format") == FORMAT, "format")
    _check_names(record, _HEADER, _OPTIONAL)
    for name, kind in (("match", str), ("rated", bool), ("entropy", str), ("seats", list), ("rounds", list)):
        _ensure(type(record[name]) is kind, "shape", name=name)
    for name in ("match", "seats", "rounds"):
        _ensure(bool(record[name]), "shape", name=name)
    for number, seat in enumerate(record["seats"], 1):
        _ensure(_is_seat(seat), "no_player", n=number)
    for number, round_data in enumerate(record["rounds"], 1):
        try:
            _check_round_shape(round_data, number)
        except Fault as fault:
            raise fault.at(number) from None


def _is_seat(seat: Any) -> bool:
    if not isinstance(seat, dict) or set(seat) != {"name", "kind", "level"}:
        return False
    name, kind, level = seat["name"], seat["kind"], seat["level"]
    if not isinstance(name, str) or not name.strip() or kind not in KINDS:
        return False
    return level is None or (kind == "computer" and level in LEVELS)


def _check_round_shape(round_data: Any, number: int) -> None:
    _ensure(isinstance(round_data, dict), "no_round")
    _check_names(round_data, _ROUND, set())
    _ensure(isinstance(round_data["moves"], list), "shape", name="moves")
    for move_number, row in enumerate(round_data["moves"], 1):
        if not isinstance(row, dict):
            raise Fault("not_a_move").at(number, move_number)


def _check_rules(options: Any) -> Rules:
    try:
        rules = Rules.from_dict(options)
    except InvalidRules as fault:
        told = options.get(fault.option) if isinstance(options, dict) else options
        raise _option_fault(_kind_of_option(fault), fault.option, told) from None
    written = rules.written()
    for name, value in options.items():  # one that has its default is not written
        if name not in written or dumps(value) != dumps(written[name]):
            raise _option_fault("option", name, value)
    return rules


def _option_fault(kind: str, name: str, told: object) -> Fault:
    return Fault(kind, name=name, told=_excerpt(told))


def _kind_of_option(fault: InvalidRules) -> str:
    known = {"missing_option": "missing", "unknown_option": "unknown", "invalid_value": "option"}
    return known.get(fault.code, "shape" if fault.option == "rules" else "together")


def _check_preset(preset: Any, rules: Rules) -> None:
    if preset is None:
        return
    _ensure(isinstance(preset, str) and preset in PRESETS, "no_preset", told=_excerpt(preset))
    if PRESETS[preset].is_played_by(rules):
        return
    told, due = rules.as_dict(), PRESETS[preset].rules.as_dict()
    name = next(name for name in due if told[name] != due[name])
    raise Fault("preset", name=name, told=dumps(told[name]), preset=preset, due=dumps(due[name]))


def _check_entropy(record: Mapping[str, Any]) -> None:
    parts = record["entropy"].split(".")
    if "deals" in record:
        deals = record["deals"]
        _ensure(isinstance(deals, str) and bool(_SET_NAME.fullmatch(deals)), "shape", name="deals")
        _ensure("commitments" not in record, "shape", name="commitments")
        _compare(record["entropy"], deals, "entropy")
        _ensure(record["preset"] is None and not record["rated"], "set")
        return
    has_part_of_each = len(parts) == len(record["seats"]) and all(map(_NONCE.fullmatch, parts))
    _ensure(has_part_of_each, "parts")
    if "commitments" in record:
        _check_commitments(record["commitments"], parts)


def _check_commitments(commitments: Any, nonces: Sequence[str]) -> None:
    _ensure(isinstance(commitments, list) and len(commitments) == len(nonces), "shape", name="commitments")
    for number, (commitment, nonce) in enumerate(zip(commitments, nonces, strict=True), 1):
        due = commitment_to(nonce)
        _ensure(nonce == "" if commitment is None else commitment == due, "commitment", n=number)


def _check_keys(record: Mapping[str, Any]) -> Keys:
    secrets = [round_data["secret"] for round_data in record["rounds"]]
    if len(secrets) > matches.MAX_ROUNDS:
        raise Fault("over").at(matches.MAX_ROUNDS + 1)
    for number, key in enumerate([record["seal"], *secrets]):
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            fault = Fault("shape", name="secret" if number else "seal")
            raise fault.at(number) if number else fault
    keys = published_keys(record["seal"], secrets)
    earlier = bytes.fromhex(record["seal"])
    for number in range(1, len(secrets) + 1):
        if not is_preimage(keys.key(number), earlier):
            raise Fault("key").at(number)
        earlier = keys.key(number)
    return keys


def _check_times(record: Mapping[str, Any]) -> None:
    """Check that the record has all of its times or none, and that they never run backwards."""
    started, ended = record.get("started"), record.get("ended")
    for name, value in (("started", started), ("ended", ended)):
        _ensure(value is None or _is_time(value), "shape", name=name)
    _ensure((started is None) == (ended is None), "times")
    earlier = started
    for number, round_data in enumerate(record["rounds"], 1):
        for move_number, row in enumerate(round_data["moves"], 1):
            try:
                earlier = _check_time(row, earlier)
            except Fault as fault:
                raise fault.at(number, move_number) from None
    _ensure(earlier is None or earlier <= ended, "backwards", name="ended", told=ended, due=earlier)


def _check_time(row: Mapping[str, Any], earlier: str | None) -> str | None:
    """Return the time of a move; `earlier` is that of the move before, or None in a record without times."""
    _ensure(("at" in row) == (earlier is not None), "times")
    if earlier is None:
        return None
    _ensure(_is_time(row["at"]), "shape", name="at")
    _ensure(earlier <= row["at"], "backwards", name="at", told=row["at"], due=earlier)
    return str(row["at"])


def _is_time(value: Any) -> bool:
    """Return whether `value` is a time written like 2026-11-21T10:00:00Z."""
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _check_rated(record: Mapping[str, Any]) -> None:
    players_alone = all(seat["kind"] == "player" for seat in record["seats"])
    _ensure(not record["rated"] or (record["preset"] is not None and players_alone), "rated")


def _check_round(
    match: Match, number: int, round_data: Mapping[str, Any], names: Sequence[str], with_legal: bool
) -> Match:
    _ensure(match.result is None, "over")
    due = deal_data(match.round.deal)
    _compare_hands(round_data["hands"], due.pop("hands"), names)
    _compare_tiles(round_data["boneyard"], due.pop("boneyard"), "boneyard", name="boneyard")
    for name, value in due.items():
        _compare(round_data[name], value, name)
    for move_number, row in enumerate(round_data["moves"], 1):
        try:
            _ensure(len(match.ended) < number, "over")
            match = _check_move(match, number, row, with_legal)
        except Fault as fault:
            raise fault.at(number, move_number) from None
    _ensure(len(match.ended) == number, "round_goes_on")
    for name, value in round_end_data(match.ended[-1]).items():
        _compare(round_data[name], value, name)
    return match


def _check_move(match: Match, number: int, row: Mapping[str, Any], with_legal: bool) -> Match:
    seat, claim = row.get("seat"), row.get("claim")
    text: Any = row.get("move")
    _ensure(type(seat) is int, "seat")
    _ensure(claim is None or type(claim) is int, "claim")
    assert type(seat) is int
    try:
        move = moves.parse(text)
        legal = legal_moves(match, seat, move) if with_legal else None
        after = match.play(seat, move, claim)
    except (Malformed, Illegal) as refusal:
        raise _refused(refusal, text) from None
    except LookupError:  # the record has no key for another round
        raise Fault("goes_on") from None
    log = after.round.log if len(after.ended) < number else after.ended[number - 1].log
    expected = entry_data(log[-1], match.terms.must_claim)
    if legal is not None:
        expected["legal"] = legal
    _check_names(row, set(expected), {"at"})
    for name, value in expected.items():
        _compare(row[name], value, name)
    return after


def _refused(refusal: EngineError, text: object) -> Fault:
    kind = _REFUSED.get(refusal.code, "not_a_move")
    return (
        Fault(kind, tile=refusal.params.get("tile", text)) if kind in ("not_held", "no_fit") else Fault(kind)
    )


def _check_names(data: Mapping[str, Any], needed: set[str], allowed: set[str], prefix: str = "") -> None:
    for name in sorted(needed - set(data)):
        raise Fault("missing", name=prefix + name)
    for name in sorted(set(data) - needed - allowed):
        raise Fault("unknown", name=prefix + str(name)[:_MAX_EXCERPT_LENGTH])


def _compare(actual: Any, expected: Any, name: str) -> None:
    # Compare as JSON: in Python 1, 1.0 and True are equal.
    if dumps(actual) == dumps(expected):
        return
    if isinstance(actual, dict) and isinstance(expected, dict):
        _check_names(actual, set(expected), set(), f"{name}.")
        for key in expected:
            _compare(actual[key], expected[key], f"{name}.{key}")
    raise Fault("differs", name=name, told=_excerpt(actual), due=_excerpt(expected))


def _excerpt(value: Any) -> str:
    return dumps(value)[:_MAX_EXCERPT_LENGTH]


def _compare_hands(actual: Any, expected: Sequence[Sequence[str]], names: Sequence[str]) -> None:
    _ensure(isinstance(actual, list) and len(actual) == len(expected), "shape", name="hands")
    for number, (hand, dealt) in enumerate(zip(actual, expected, strict=True), 1):
        _compare_tiles(hand, dealt, "hand", name="hands", n=number, player=names[number - 1])


def _compare_tiles(actual: Any, expected: Sequence[str], kind: str, **details: object) -> None:
    """Raise a `Fault` unless the tiles are equal. It names only the tiles that differ."""
    _ensure(isinstance(actual, list), "shape", name=details["name"])
    if dumps(actual) == dumps(expected):
        return
    told = Counter(tile if isinstance(tile, str) else dumps(tile) for tile in actual)
    due = Counter(expected)
    _ensure(told != due, f"{kind}_order", **details)
    wrong, missing = " ".join((told - due).elements()), " ".join((due - told).elements())
    raise Fault(kind, **details, told=wrong[:_MAX_EXCERPT_LENGTH] or "–", due=missing or "–")
