"""Tests of records written by earlier versions: one file for each early preset, and a corpus of a thousand.

The corpus was written by `selfplay` before presets followed their sources to the letter: every preset of that time with
every number of seats, twice under its own rules and fourteen times as a short match under house rules.
"""

import json
import lzma
from functools import cache
from pathlib import Path

import pytest

from boneyard.engine import records
from boneyard.engine.presets import PRESETS
from boneyard.engine.verification import verify
from tests.engine.reference import replay

FOLDER = Path(__file__).parent / "stored"
STORED = sorted(FOLDER.glob("*.jsonl"))
LINES = [
    pytest.param(line, id=f"{file.stem}-{len(json.loads(line)['seats'])}")
    for file in STORED
    for line in file.read_text("utf-8").splitlines()
]


@cache
def corpus() -> list[str]:
    return lzma.decompress((FOLDER / "corpus.jsonl.xz").read_bytes()).decode().splitlines()


def presets_of_the_corpus() -> list[str]:
    return sorted({json.loads(line)["preset"] or "" for line in corpus()} - {""})


@pytest.mark.parametrize("preset", presets_of_the_corpus())
def test_corpus_is_reproduced_exactly(preset):
    lines = [line for line in corpus() if f'"preset":"{preset}"' in line]
    assert len(lines) == 2 * len(set(PRESETS[preset].rules.players))
    for line in lines:
        test_stored_record_is_reproduced_exactly(line)
        test_stored_record_keeps_its_preset(line)


@pytest.mark.parametrize("part", range(8))
def test_corpus_of_house_rules_is_reproduced_exactly(part):
    for line in [line for line in corpus() if '"preset":null' in line][part::8]:
        test_stored_record_is_reproduced_exactly(line)


def test_corpus_has_a_thousand_records():
    assert len(corpus()) == 1056


@pytest.mark.parametrize("line", corpus()[::16])
def test_reference_replays_the_corpus(line):
    assert replay(json.loads(line)) == []


@pytest.mark.parametrize("line", LINES)
def test_stored_record_is_reproduced_exactly(line):
    record = json.loads(line)
    match = verify(record)
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
    assert PRESETS[record["preset"]].is_played_by(verify(record).rules)


def test_every_early_preset_has_a_stored_record():
    assert len(STORED) == 15
