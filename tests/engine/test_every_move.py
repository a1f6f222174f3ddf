"""Every move of the notation is documented, and verified by the engine and the reference."""

import re
from copy import deepcopy
from pathlib import Path
from typing import get_args

import pytest

from boneyard.engine.errors import Illegal
from boneyard.engine.moves import VOID, MoveKind
from boneyard.engine.state import Result
from boneyard.engine.verification import Fault, verify

from .every_move import build_records, pause_for_calls
from .positions import arrange, play_moves, rules_of
from .reference.replay import replay

RECORDS = build_records()


def test_records_contain_every_kind_of_move():
    written = {
        row["move"] for record in RECORDS.values() for each in record["rounds"] for row in each["moves"]
    }
    assert set(get_args(MoveKind)) - {"play"} <= written
    assert any("+" in move for move in written)


def test_every_kind_of_move_is_documented():
    document = (Path(__file__).parents[2] / "docs" / "record.md").read_text()
    notation = document.partition("## Moves in text")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `([a-z]+)` \|", notation, re.M)) == set(get_args(MoveKind)) - {"play"}


@pytest.mark.parametrize("name", RECORDS)
def test_record_with_each_move_is_verified(name):
    record = RECORDS[name]
    assert verify(record).result is not None
    assert replay(record) == []


@pytest.mark.parametrize("name", [name for name in RECORDS if name.startswith(("void", "close"))])
def test_void_and_close_of_another_seat_are_refused(name):
    record = deepcopy(RECORDS[name])
    row = next(row for each in record["rounds"] for row in each["moves"] if row["move"] in ("void", "close"))
    row["seat"] = (row["seat"] + 1) % len(record["seats"])
    with pytest.raises(Fault):
        verify(record)
    assert replay(record)


def test_void_ends_a_match_at_any_time():
    match = play_moves(arrange(rules_of(), ["6-5 1-0", "6-4 5-5"], scores=(5, 10)), "6-5", "6-4@L")
    assert match.has_played(match.turn)
    ended = match.play(match.turn, VOID)
    assert ended.result == Result("aborted", (), (5, 10)) and ended.ended[-1].end.how == "stopped"
    assert ended.voiding_seat is None
    with pytest.raises(Illegal) as refusal:
        match.play(1 - match.turn, VOID)
    assert refusal.value.code == "not_your_turn"


def test_void_in_the_pause_is_of_the_next_seat():
    match = pause_for_calls()
    assert match.voiding_seat == (match.closing_seat + 1) % 2
    assert match.play(match.voiding_seat, VOID).result.how == "aborted"
