"""Tests of records written before the later options existed, one file for each early preset."""

import json
from pathlib import Path

import pytest

from games.engine import records
from games.engine.presets import PRESETS

STORED = sorted((Path(__file__).parent / "stored").glob("*.jsonl"))
LINES = [
    pytest.param(line, id=f"{file.stem}-{len(json.loads(line)['seats'])}")
    for file in STORED
    for line in file.read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("line", LINES)
def test_stored_record_is_reproduced_exactly(line):
    record = json.loads(line)
    match = records.verify(record)
    again = records.record(
        match,
        code=record["match"],
        preset=record["preset"],
        seats=record["seats"],
        rated=record["rated"],
        started=record["started"],
        ended=record["ended"],
        times=None,
    )
    assert records.dumps(again) == line


@pytest.mark.parametrize("line", LINES)
def test_stored_record_keeps_its_preset(line):
    record = json.loads(line)
    assert PRESETS[record["preset"]].is_played_by(records.verify(record).rules)


def test_every_early_preset_has_a_stored_record():
    assert len(STORED) == 15
