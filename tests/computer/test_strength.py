"""Tests of the measurement of strength: continuing a run, and its figures."""

import math
import subprocess
import sys
from pathlib import Path

import pytest

from bench import strength
from bench.intervals import mean_and_interval, share_interval
from bench.strength import Measurement
from bench.strength_report import report
from boneyard.computer.players import LEVELS
from boneyard.engine.presets import PRESETS
from tests.waiting import until


@pytest.fixture
def measured(monkeypatch):
    """Replace the matches by results that tell their task."""
    tasks = []

    class Pool:
        def __init__(self, *_args):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_args):
            pass

        def imap_unordered(self, function, given):
            for task in given:
                tasks.append((task[0].key, task[1]))
                yield function(task)

        def terminate(self):
            pass

    monkeypatch.setattr("multiprocessing.Pool", Pool)
    for name in ("play_pair", "play_round"):
        monkeypatch.setattr(f"bench.matchups.{name}", lambda *_args: (1.0, 2.5))
    return tasks


PLAN = [
    Measurement("matches", "all-fives", 2, ("club", "casual"), 4),
    Measurement("rounds", "kozel", 2, ("club", "casual"), 2),
]


def test_stopped_run_is_continued(measured, tmp_path):
    file = tmp_path / "results.jsonl"
    strength.run(file, PLAN, "1", 0.0, 1)
    assert len(measured) == 1
    strength.run(file, PLAN, "1", 10.0, 1)
    assert sorted(measured) == sorted((each.key, number) for each in PLAN for number in range(each.number))
    strength.run(file, PLAN, "1", 10.0, 1)
    assert len(measured) == 6


def test_terminated_run_leaves_no_worker(tmp_path):
    file = tmp_path / "results.jsonl"
    command = [sys.executable, "-m", "bench.strength", "--only", "kozel", "--file", str(file)]
    root = Path(strength.__file__).parents[1]
    process = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    until(lambda: process.poll() is not None or (file.exists() and file.read_text().strip()), "a result")
    assert process.poll() is None
    process.terminate()
    process.communicate(timeout=60)  # the workers hold the pipe until they end
    assert process.returncode == 1


def test_unknown_kind_or_game_is_refused(capsys):
    with pytest.raises(SystemExit):
        strength.main(["--only", "duel,endings"])
    assert "no such kind or game: endings" in capsys.readouterr().err


def test_line_that_was_cut_off_is_measured_again(measured, tmp_path):
    file = tmp_path / "results.jsonl"
    strength.run(file, PLAN[:1], "1", 10.0, 1)
    file.write_text(file.read_text()[:-9])
    strength.run(file, PLAN[:1], "1", 10.0, 1)
    assert set(strength.read_results(file)[PLAN[0].key]) == {0, 1, 2, 3}


def test_measurements_advance_together(measured, tmp_path):
    strength.run(tmp_path / "results.jsonl", PLAN, "1", 10.0, 1)
    assert [key.split()[1] for key, _ in measured[:3]] == ["all-fives", "kozel", "all-fives"]


def test_equal_results_leave_an_interval():
    for number in (5, 50):
        low, high = share_interval([1.0] * number)
        assert low < 0.94
        assert high == pytest.approx(1.0)
    assert math.isinf(mean_and_interval([1.0] * 4)[1])


def test_interval_of_a_share_stays_between_none_and_all():
    low, high = share_interval([1.0] * 29 + [0.5])
    assert 0.9 < low < high == 1.0


def test_pairs_of_games_have_a_narrower_interval_than_single_games():
    low, high = share_interval([0.5] * 80 + [0.0, 1.0] * 10)
    assert 0.45 < low < 0.5 < high < 0.55


def test_every_measurement_gives_a_result_and_a_figure():
    few = [
        Measurement("moves", "block", 2, ("casual",), 1),
        Measurement("peeks", "all-fives", 2, ("casual",), 1),
    ]
    few += [Measurement("duel", "draw", 2, ("master",), 1), Measurement("loss", "draw", 2, LEVELS[:3], 1)]
    few.append(Measurement("styles", "block", 2, ("casual", "1"), 1))
    few.append(Measurement("partners", "cuban", 4, ("club", "casual"), 1))
    results = {each.key: [strength.measure("3", (each, 0))["value"]] for each in few}
    results |= {each.key: [(1.0, 2.5)] * 6 for each in PLAN}
    lines = list(report([*PLAN, *few], results))
    assert "| club v casual | 100 (61–100; 6) | +2.5 ± ? |" in lines
    assert "| kozel, 2 | +2.5 ± ? (6) |" in lines
    assert "| games with the interval above 0 | 0 of 1 |" in lines
    assert "| rounds won in all games, in per cent | 100 (61–100; 6) |" in lines
    assert any(line.startswith("| block, blocks | ") for line in lines)
    for start in ("| cuban, club v casual | ", "| draw | ", "| all-fives | ", "| block, 2 | "):
        assert any(line.startswith(start) and any(map(str.isdigit, line[12:])) for line in lines), start


def test_plan_has_every_preset_and_level():
    plan = strength.plan()
    assert len({each.key for each in plan}) == len(plan)
    for preset in PRESETS:
        assert {each.players for each in plan if (each.kind, each.game) == ("rounds", preset)} == {
            ("casual", "beginner"), ("club", "casual"), ("strong", "club"), ("master", "strong")
        }  # fmt: skip
