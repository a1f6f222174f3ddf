"""Tests of manage.py selfplay and verify_record."""

import io
import json
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from boneyard.computer.selfplay import PLAYERS
from boneyard.engine.presets import PRESETS
from boneyard.engine.verification import verify
from games import record_files
from games.management.commands import verify_record


def selfplay(*arguments):
    out, err = io.StringIO(), io.StringIO()
    call_command("selfplay", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def refused(command, *arguments):
    with pytest.raises(CommandError) as refusal:
        call_command(command, *arguments, stdout=io.StringIO(), stderr=io.StringIO())
    assert "\n" not in str(refusal.value)
    return str(refusal.value), refusal.value.returncode


def test_same_seed_gives_same_output():
    arguments = ("--preset", "muggins-200", "--seats", "3", "--matches", "3", "--legal")
    lines, progress = selfplay(*arguments, "--seed", "bones")
    assert lines == selfplay(*arguments, "--seed", "bones")[0]
    assert lines != selfplay(*arguments, "--seed", "Bones")[0]
    assert lines.count("\n") == 3 == progress.count("\n")
    for line in lines.splitlines():
        record = json.loads(line)
        assert verify(record).seats == 3
        assert [seat["name"] for seat in record["seats"]] == ["random 1", "random 2", "random 3"]
        assert record["started"] is None and "at" not in record["rounds"][0]["moves"][0]


def test_match_is_independent_of_match_count():
    assert selfplay("--matches", "2")[0].startswith(selfplay("--matches", "1")[0])


@pytest.mark.parametrize("preset", PRESETS)
def test_selfplay_plays_every_preset(preset):
    lines, _ = selfplay("--preset", preset)
    assert json.loads(lines)["preset"] == preset


def test_rules_from_file(tmp_path):
    file = tmp_path / "rules.json"
    file.write_text(json.dumps(PRESETS["draw"].rules.as_dict() | {"target": 30}))
    record = json.loads(selfplay("--rules", str(file), "--seats", "4")[0])
    assert (record["preset"], record["rules"]["target"], len(record["seats"])) == (None, 30, 4)
    verify(record)


def test_players_by_seat():
    record = json.loads(
        selfplay("--preset", "muggins-200", "--seats", "3", "--players", "random,beginner,random")[0]
    )
    assert [seat["level"] for seat in record["seats"]] == [None, "beginner", None]
    assert {seat["kind"] for seat in record["seats"]} == {"computer"}
    record = json.loads(selfplay("--players", "beginner")[0])
    assert [seat["level"] for seat in record["seats"]] == ["beginner", "beginner"]
    assert PLAYERS[0] == "random"


def test_selfplay_covers_all_claim_outcomes():
    lines, _ = selfplay("--preset", "muggins-200", "--matches", "5", "--seats", "3")
    rows = [
        row for line in lines.splitlines() for each in json.loads(line)["rounds"] for row in each["moves"]
    ]
    plays = [row for row in rows if "points" in row]
    assert any(row["move"] == "muggins" for row in rows)
    assert any(row["claim"] is None and row["points"] for row in plays)
    assert any(row["claim"] not in (None, row["points"]) and row["points"] for row in plays)
    assert any(row["claim"] and not row["points"] for row in plays)
    assert any(row["claim"] == row["points"] for row in plays)


def test_out_writes_to_file(tmp_path):
    file = tmp_path / "records.jsonl"
    assert selfplay("--matches", "2", "--out", str(file))[0] == ""
    out = io.StringIO()
    call_command("verify_record", str(file), stdout=out)
    assert out.getvalue() == f"{file}: 2 matches, no fault\n"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--preset", "dominos"], "dominos"),
        (["--seats", "5"], "2 or 3 or 4 seats"),
        (["--preset", "sebastopol", "--seats", "2"], "4 seats"),
        (["--players", "genius"], "genius"),
        (["--players", "random,random,random"], "2 seats"),
        (["--matches", "-1"], "--matches"),
        (["--rules", "/nowhere/rules.json"], "/nowhere/rules.json"),
        (["--out", "/nowhere/records.jsonl"], "/nowhere/records.jsonl"),
    ],
)
def test_invalid_selfplay_arguments(arguments, part):
    sentence, code = refused("selfplay", *arguments)
    assert part in sentence and code == 2


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "refused"),
        ("{}", "option set"),
        (json.dumps(PRESETS["draw"].rules.as_dict() | {"target": 0}), "option target"),
    ],
)
def test_invalid_rules_file(tmp_path, text, part):
    file = tmp_path / "rules.json"
    file.write_text(text)
    sentence, code = refused("selfplay", "--rules", str(file))
    assert part in sentence and code == 2


def test_first_fault_is_reported_with_position(tmp_path):
    lines = selfplay("--matches", "3")[0].splitlines()
    record = json.loads(lines[1])
    record["rounds"][1]["moves"][4]["seat"] ^= 1
    file = tmp_path / "records.jsonl"
    file.write_text("\n".join([lines[0], "", json.dumps(record, indent=1), lines[2]]))
    sentence, code = refused("verify_record", str(file))
    assert f"line 3: match {record['match']}: Round 2, move 5: It was not this seat’s turn." in sentence
    assert code == 1


@pytest.mark.parametrize(
    "text", ["{", "no record", '{"a": NaN}', '{"a": 1, "a": 1}', "[" * 100_000, '{"a": 1} x']
)
def test_invalid_record_file(tmp_path, text):
    file = tmp_path / "records.jsonl"
    file.write_text(text)
    sentence, code = refused("verify_record", str(file))
    assert str(file) in sentence and code == 1


def test_unreadable_files(tmp_path):
    assert refused("verify_record", "/nowhere/records.jsonl")[1] == 1
    assert refused("verify_record", str(tmp_path))[1] == 1
    file = tmp_path / "records.jsonl"
    file.write_bytes(b"\xff\xfe")
    assert refused("verify_record", str(file))[1] == 1


@pytest.mark.parametrize("text", ["", " \n\n", "\ufeff"])
def test_file_without_records_is_refused(tmp_path, text):
    file = tmp_path / "records.jsonl"
    file.write_text(text, "utf-8")
    sentence, code = refused("verify_record", str(file))
    assert "no record in it" in sentence and code == 1


def test_byte_order_mark_is_accepted(tmp_path):
    file = tmp_path / "records.jsonl"
    file.write_text(selfplay("--matches", "2")[0].replace("\n", " "), "utf-8-sig")
    out = io.StringIO()
    call_command("verify_record", str(file), stdout=out)
    assert out.getvalue() == f"{file}: 2 matches, no fault\n"


def test_records_from_standard_input():
    command = [sys.executable, "manage.py", "verify_record", "-"]
    records = selfplay("--matches", "2")[0]
    done = subprocess.run(command, cwd=settings.BASE_DIR, input=records, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "-: 2 matches, no fault\n"), done.stderr


def test_fault_without_match_code_names_the_line(tmp_path):
    file = tmp_path / "records.jsonl"
    file.write_text("\n[]")
    assert refused("verify_record", str(file)) == (f"{file}, line 2: This is not the record of a match.", 1)


def test_progress_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(verify_record, "PROGRESS_INTERVAL_MATCHES", 2)
    monkeypatch.setattr(record_files, "_CHUNK_CHARACTERS", 7)
    file = tmp_path / "records.jsonl"
    file.write_text(selfplay("--matches", "4", "--preset", "kozel")[0])
    out, err = io.StringIO(), io.StringIO()
    call_command("verify_record", str(file), stdout=out, stderr=err)
    assert out.getvalue() == f"{file}: 4 matches, no fault\n"
    assert err.getvalue() == f"{file}: 2 matches checked\n{file}: 4 matches checked\n"


def test_duplicate_option_is_refused(tmp_path):
    file = tmp_path / "rules.json"
    file.write_text(json.dumps(PRESETS["draw"].rules.written())[:-1] + ', "target": 30}')
    sentence, code = refused("selfplay", "--rules", str(file))
    assert "given twice" in sentence and code == 2
