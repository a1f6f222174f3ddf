"""Records made before the rules had their later options: a file for each preset there was, in tests/engine/stored."""

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
    told = json.loads(line)
    match = records.verify(told)
    again = records.record(
        match,
        code=told["match"],
        preset=told["preset"],
        seats=told["seats"],
        rated=told["rated"],
        started=told["started"],
        ended=told["ended"],
        times=None,
    )
    assert records.dumps(again) == line


@pytest.mark.parametrize("line", LINES)
def test_stored_record_keeps_its_preset(line):
    told = json.loads(line)
    assert PRESETS[told["preset"]].is_played_by(records.verify(told).rules)


def test_every_early_preset_has_a_stored_record():
    assert len(STORED) == 15
