"""`manage.py simulate_night`, small, in a database of its own; and that its laws find what they should."""

import os
import subprocess
import sys

import pytest

from nights.simulation.laws import LawBroken, RoundSeats, check_draw
from tests import migrated_database


def test_small_night_with_kills_keeps_every_law(tmp_path):
    database = tmp_path / "night.sqlite3"
    migrated_database.copy_to(database)
    command = [sys.executable, "manage.py", "simulate_night"]
    scale = ["--people=16", "--rounds=3", "--kills=4", "--seed=7"]
    env = os.environ | {"VAR_DIR": str(tmp_path), "DATABASE_URL": f"sqlite:///{database}"}
    done = subprocess.run(
        [*command, *scale], cwd=migrated_database.ROOT, env=env, capture_output=True, text=True
    )
    assert "Every law holds." in done.stdout, done.stdout + done.stderr
    killed = [line for line in done.stdout.splitlines() if line.startswith("killed: ")]
    assert sum(int(line.split()[-1]) for line in killed) == 4


EIGHT = tuple(range(1, 9))
FIRST = RoundSeats(EIGHT, (), (), [[[1, 2], [3, 4]], [[5, 6], [7, 8]]], [[[1, 2], [3, 4]], [[5, 6], [7, 8]]])


@pytest.mark.parametrize(
    ("here", "tables", "out", "law"),
    [
        (EIGHT, [[[1, 2], [3, 4]], [[5, 6], [7, 1]]], [], "two places"),
        (EIGHT, [[[1, 3], [2, 4]]], [5, 6, 7], "lost"),
        (EIGHT, [[[1, 3], [2, 4]]], [5, 6, 7, 8], "More people are out"),
        (EIGHT, [[[1, 2], [5, 6]], [[3, 7], [4, 8]]], [], "Partners again"),
        (EIGHT, [[[1, 3, 2], [4]], [[5, 7], [6, 8]]], [], "differ in size"),
    ],
)
def test_broken_draw_is_found(here, tables, out, law):
    drawn = RoundSeats(here, (), out, tables, tables)
    with pytest.raises(LawBroken, match=law):
        check_draw("partners", [FIRST], drawn, here)


def test_second_bye_before_everybody_had_one_is_found():
    nine = (*EIGHT, 9)
    tables = [[[1, 5], [2, 6]], [[3, 7], [4, 8]]]
    with pytest.raises(LawBroken, match="out again"):
        check_draw(
            "partners",
            [RoundSeats(nine, (), (9,), FIRST.tables, FIRST.seats)],
            RoundSeats(nine, (), (9,), tables, tables),
            nine,
        )
