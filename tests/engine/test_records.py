"""Tests of records, and that a record with changed values is refused."""

import copy
import json
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from boneyard.computer.selfplay import selfplay
from boneyard.engine import records
from boneyard.engine.matches import begin
from boneyard.engine.moves import ABSENT, MUGGINS, RESIGN, TAKEOVER
from boneyard.engine.presets import PRESETS
from boneyard.engine.shuffle import commitment_to
from boneyard.engine.verification import Fault, verify

from .contradictions import SET_NAME, add_times, contradict
from .positions import SECRET, arrange, play_moves, rules_of
from .reference.replay import replay
from .strategies import play_out

PEOPLE = [
    {"name": "mara", "kind": "player", "level": None},
    {"name": "guest 7", "kind": "guest", "level": None},
    {"name": "club", "kind": "computer", "level": "club"},
    {"name": "tiago", "kind": "player", "level": None},
]


def record_of(match, preset=None, times=None, legal=False, commitments=None):
    return records.record(
        match,
        code="abc",
        preset=preset,
        seats=PEOPLE[: match.seats],
        rated=False,
        started=None,
        ended=None,
        times=times,
        commitments=commitments,
        legal=legal,
    )


def fault_of(record):
    with pytest.raises(Fault) as fault:
        verify(record)
    return fault.value


@pytest.fixture(scope="module")
def games():
    """Return the record, with legal moves, of a match of every preset and number of seats."""
    return [
        record
        for preset in PRESETS.values()
        for seats in preset.rules.players
        for record in selfplay(
            preset.rules, preset=preset.id, players=["random"] * seats, matches=1, seed="7", legal=True
        )
    ]


def test_records_of_every_preset_verify(games):
    for record in games:
        assert verify(json.loads(records.dumps(record))).result is not None


def test_record_structure():
    match = play_out(begin(rules_of(), 2, SECRET, "a1b2."), seed=1)
    record = record_of(match, preset="all-fives", times=["t"] * match.move_count)
    assert list(record) == [
        "format", "match", "preset", "rules", "seats", "rated", "started", "ended", "seal", "entropy",
        "rounds", "result",
    ]  # fmt: skip
    assert record["seal"] == "45cd0d40a72c806c4b78bbeca7a52d9fa6f25751fea57cf1564e7b70b9519db4"
    first = record["rounds"][0]
    assert list(first) == [
        "number", "secret", "attempt", "lots", "hands", "boneyard", "lead_draws", "leader", "named",
        "moves", "end", "scores",
    ]  # fmt: skip
    assert first["secret"] == "b7b81dbeec01f0eee02e43da4988dafb5ecc56a90080555aff89bcbc92ba59c8"
    assert first["lots"] == ["6-1", "5-4"]
    assert first["hands"][0] == "3-3 6-3 4-1 5-3 4-4 1-1 4-2".split()
    assert first["leader"] == 1
    assert set(first["moves"][0]) == {"seat", "move", "count", "points", "scored", "at"}
    assert record["rounds"][1]["lots"] is None
    assert set(record["result"]) == {"how", "winners", "scores"}
    assert json.loads(records.dumps(record)) == record
    assert "\n" not in records.dumps(record)


def test_record_entries():
    rules = rules_of("muggins-200")
    match = arrange(rules, ["6-3 6-5 1-1", "6-6 2-1 2-0"], "0-0 4-4")
    match = play_moves(match, "6-3", "6-6@L=20").play(0, MUGGINS)
    match = play_moves(match, "6-5@L").play(1, TAKEOVER)
    match = play_moves(match, "draw").play(1, RESIGN)
    with pytest.raises(KeyError):
        record_of(match)["rounds"][0]["moves"][0]["at"]
    assert record_of(match)["rounds"][0]["moves"] == [
        {"seat": 0, "move": "6-3", "claim": None, "count": 9, "points": 0, "scored": 0},
        {"seat": 1, "move": "6-6@L", "claim": 20, "count": 15, "points": 15, "scored": 0},
        {"seat": 0, "move": "muggins", "scored": 15},
        {"seat": 0, "move": "6-5@L", "claim": None, "count": 8, "points": 0, "scored": 0},
        {"seat": 1, "move": "takeover"},
        {"seat": 1, "move": "draw", "tile": "0-0"},
        {"seat": 1, "move": "resign"},
    ]


def test_record_with_legal_moves(games):
    for record in games:
        for row in (row for each in record["rounds"] for row in each["moves"]):
            if row["move"] in ("muggins", "close", "resign", "time", "left"):
                assert "legal" not in row
            else:
                assert row["legal"] == sorted(row["legal"])
                assert row["move"] in row["legal"]


def test_running_match_has_no_record():
    with pytest.raises(ValueError, match="running"):
        record_of(begin(rules_of(), 2, SECRET, "."))


def test_record_with_leavers():
    match = play_out(begin(rules_of(), 4, SECRET, "..."), seed=2, rounds=1)
    match = match.play(1, ABSENT).play(0, TAKEOVER).play(3, RESIGN)
    match = play_out(match, seed=3)
    record = record_of(match)
    assert verify(json.loads(records.dumps(record))).ended == match.ended


def value_paths(value, path=()):
    """Yield the path of every scalar and every list of a record."""
    if isinstance(value, dict):
        for name in value:
            yield from value_paths(value[name], (*path, name))
    elif isinstance(value, list):
        yield path
        for place in range(len(value)):
            yield from value_paths(value[place], (*path, place))
    else:
        yield path


def is_determined(path):
    """Return whether the rules, the seal, the entropy and the moves determine the value at this path."""
    if path[0] in ("match", "rated", "started", "ended") or path[0] == "seats":
        return False
    # The preset may be omitted, and a claim is the player's choice.
    return path != ("preset",) and path[-1] not in ("claim", "at", "move", "seat")


def with_value(record, path, value):
    """Return a copy of the record with this value at the path; only the containers on the path are copied."""
    if not path:
        return value
    changed = copy.copy(record)
    changed[path[0]] = with_value(record[path[0]], path[1:], value) if path[1:] else value
    return changed


def value_at(record, path):
    for step in path:
        record = record[step]
    return record


def similar_values(value, rng):
    """Return values similar to this one but different."""
    if isinstance(value, bool):
        return [not value, int(value), None]
    if isinstance(value, int):
        return [value + 1, float(value), str(value), None]
    if isinstance(value, str):
        return [value[1:], value[:-1] + ("0" if value[-1:] != "0" else "1"), None]
    if isinstance(value, list):
        return [[*value, *value[:1]] if value else [0], value[:-1] if value else None, None]
    return [0, "", []]


@pytest.fixture(scope="module")
def short_games():
    """Return the record of a match of every preset that ends by resignation in its second round."""
    return [_given_up(preset) for preset in PRESETS.values()]


def _given_up(preset):
    seats = preset.rules.players[-1]
    match = play_out(begin(preset.rules, seats, SECRET, "." * (seats - 1)), seed=5, rounds=1)
    while match.result is None:
        match = match.play(match.turn, RESIGN)
    return record_of(match, preset=preset.id, legal=True)


def test_any_change_of_a_determined_value_is_refused(short_games):
    rng = Random(1)
    for record in short_games:
        paths = [path for path in value_paths(record) if is_determined(path)]
        for path in rng.sample(paths, 15):
            changed = with_value(record, path, rng.choice(similar_values(value_at(record, path), rng)))
            if records.dumps(changed) == records.dumps(record):
                continue
            fault = fault_of(changed)
            assert fault.kind
            if path[0] == "rounds" and len(path) > 2:
                assert fault.round is not None and fault.round <= path[1] + 1


@pytest.fixture(scope="module")
def committed():
    """Return the record of a match whose first and third seats committed to nonces."""
    match = begin(rules_of("muggins-200"), 3, SECRET, "a1b2..c3").play(0, RESIGN).play(1, RESIGN)
    return record_of(match, commitments=[commitment_to("a1b2"), None, commitment_to("c3")])


def test_record_with_commitments_verifies(committed):
    assert verify(json.loads(records.dumps(committed))).result is not None
    assert not replay(committed)
    assert committed["commitments"][0] == sha256(b"nonce:a1b2").hexdigest()


@pytest.mark.parametrize(
    "change",
    [
        lambda hashes: hashes.reverse(),
        lambda hashes: hashes.__setitem__(0, None),
        lambda hashes: hashes.__setitem__(0, hashes[0].upper()),
        lambda hashes: hashes.__setitem__(0, hashes[2]),
        lambda hashes: hashes.__setitem__(1, commitment_to("x")),
        lambda hashes: hashes.__setitem__(1, ""),
        lambda hashes: hashes.pop(),
        lambda hashes: hashes.append(None),
    ],
)
def test_changed_commitments_are_refused(committed, change):
    changed = copy.deepcopy(committed)
    change(changed["commitments"])
    assert "commitment" in str(fault_of(changed))
    assert replay(changed)


def test_record_that_contradicts_itself_is_refused_by_both(games):
    timed = add_times(games[0])
    assert verify(timed).result is not None and not replay(timed)
    for what, kind, record in contradict(timed):
        assert fault_of(record).kind == kind, what
        assert replay(record), what


def test_forged_match_of_a_closed_set_is_neither_rated_nor_of_a_preset():
    """With the keys of a set, which are published, anybody can invent a match whose every value fits them."""
    match = play_out(begin(rules_of(), 2, SECRET, SET_NAME), seed=1)
    genuine = record_of(match) | {"deals": SET_NAME, "seats": [PEOPLE[0], PEOPLE[3]]}
    assert verify(genuine).result is not None and not replay(genuine)
    changes: list[dict[str, Any]] = [
        {"preset": "all-fives"},
        {"rated": True},
        {"preset": "all-fives", "rated": True},
    ]
    for change in changes:
        assert fault_of(genuine | change).kind == "set"
        assert replay(genuine | change)


def test_commitments_that_are_no_list_are_refused(committed):
    values: list[Any] = [None, {}, "abc", 3]
    for value in values:
        assert "commitment" in str(fault_of(committed | {"commitments": value}))


@pytest.mark.parametrize(
    "name", ["rules", "seal", "entropy", "rounds", "result", "seats", "format", "preset", "rated", "match"]
)
def test_missing_key_is_refused(games, name):
    record = dict(games[0])
    del record[name]
    assert name in str(fault_of(record))


def test_unknown_or_missing_nested_key_is_refused(games):
    rng = Random(2)
    for record in games[:12]:
        objects = [
            (), ("rules",), ("result",), ("rounds", 0), ("rounds", -1, "end"), ("rounds", 0, "moves", 0),
            ("seats", 0), ("rules", "reserve"),
        ]  # fmt: skip
        for path in objects:
            changed = copy.deepcopy(record)
            value_at(changed, path)["surprise"] = rng.random()
            fault_of(changed)
            changed = copy.deepcopy(record)
            names = sorted(set(value_at(changed, path)) - {"started", "ended", "legal"})
            del value_at(changed, path)[rng.choice(names)]
            fault_of(changed)


def test_fault_names_round_and_move(games):
    record = copy.deepcopy(games[0])
    row = record["rounds"][1]["moves"][3]
    row["seat"] = 1 - row["seat"]
    fault = fault_of(record)
    assert (fault.round, fault.move) == (2, 4)
    assert fault.kind == "turn"
    assert str(fault).startswith("round 2, move 4: ")


def test_faults_of_the_whole_record(games):
    record = games[0]
    assert "preset" in str(fault_of(with_value(record, ("preset",), "draw")))
    assert "preset" in str(fault_of(with_value(record, ("preset",), "drow")))
    assert "target" in str(fault_of(with_value(record, ("rules", "target"), 0)))
    assert fault_of(with_value(with_value(record, ("rules", "target"), 90), ("preset",), None))
    four = next(record for record in games if record["preset"] == "sebastopol")
    assert "seats" in str(fault_of(with_value(four, ("seats",), four["seats"][:2])))
    assert "round" in str(fault_of(with_value(record, ("rounds",), [])))
    assert fault_of(with_value(record, ("rounds",), record["rounds"][:-1])).round == len(record["rounds"]) - 1
    again = [*record["rounds"], record["rounds"][-1]]
    assert fault_of(with_value(record, ("rounds",), again)).round == len(again)
    assert fault_of(with_value(record, ("rounds", 0, "moves"), record["rounds"][0]["moves"][:-1])).round == 1
    nothing: list[object] = [None, [], "record", 7, {}]
    for no_record in nothing:
        fault_of(no_record)


def test_record_of_unfinished_match_is_refused(games):
    record = with_value(games[0], ("rounds",), games[0]["rounds"][:1])
    fault = fault_of(record)
    assert (fault.round, fault.move) == (1, len(record["rounds"][0]["moves"]))
    assert fault.kind == "goes_on"


def test_last_round_without_end_is_refused():
    match = arrange(rules_of(), ["6-5 1-0", "6-4 5-5"]).play(0, RESIGN)
    record = record_of(match)
    record["rounds"][0]["moves"] = []
    fault_of(record)


def test_undetermined_values_may_differ(games):
    record = games[0]
    for path, value in [
        (("match",), "zzz"), (("preset",), None),
        (("seats", 0), {"name": "Ω", "kind": "guest", "level": None}),
    ]:  # fmt: skip
        verify(with_value(record, path, value))
    timed = add_times(record)
    verify(timed | {"rated": False})
    verify(timed | {"ended": "2026-12-31T23:59:59Z"})
    without = dict(record)
    del without["started"], without["ended"]
    verify(without)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("rated",), 1), (("match",), 7), (("started",), 7), (("seats", 0, "kind"), "robot"),
        (("seats", 0, "name"), None), (("seats", 0, "name"), " "), (("seats", 0, "level"), 3),
        (("seats", 0, "level"), "genius"), (("started",), "noon"), (("ended",), "2026-13-01T10:00:00Z"),
        (("rounds", 0, "moves", 0, "at"), "later"), (("seats", 0), None), (("rounds", 0), None),
        (("rounds", 0, "moves"), None), (("rounds", 0, "moves", 0), None), (("entropy",), "ü."),
        (("seal",), "zz"), (("rounds", 0, "secret"), "AB" * 32), (("rounds", 0, "moves", 0, "at"), 3),
        (("rounds", 0, "moves", 0, "seat"), True), (("rounds", 0, "moves", 0, "seat"), 10**40),
        (("rounds", 0, "moves", 0, "move"), None), (("rounds", 0, "moves", 0, "move"), ["draw"]),
        (("rounds", 0, "moves", 0, "claim"), 5), (("rules",), None), (("rules", "players"), [4, 3, 2]),
        (("seats",), {}), (("rounds",), {}), (("result",), None), (("preset",), ["all-fives"]),
    ],
)  # fmt: skip
def test_invalid_value_is_refused(games, path, value):
    fault_of(with_value(games[0], path, value))


def test_changed_claim_is_refused(games):
    record = next(record for record in games if record["preset"] == "muggins-200")
    rows = [
        (number, place)
        for number, each in enumerate(record["rounds"])
        for place, row in enumerate(each["moves"])
        if row.get("points") and row["claim"] == row["points"]
    ]
    number, place = rows[0]
    for claim in (None, 0, 1, -5, True, float(value_at(record, ("rounds", number, "moves", place, "claim")))):
        fault = fault_of(with_value(record, ("rounds", number, "moves", place, "claim"), claim))
        assert (fault.round, fault.move) == (number + 1, place + 1)


def test_record_with_more_than_1000_rounds_is_refused(games):
    record = with_value(games[0], ("rounds",), games[0]["rounds"][:1] * 1001)
    assert fault_of(record).round == 1001
