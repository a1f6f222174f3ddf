"""A backup is put back: nothing is rewound silently, and what was there before is kept."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.http_client import HttpClient
from tests.server import Site
from tests.under_fire.outages import freeze
from tests.under_fire.playing import on_turn, play_first_legal, sit_down


def restore(site: Site, file: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "restore", str(file), *options],
        cwd=site.root,
        env=site.env,
        capture_output=True,
        text=True,
    )


def play(people: list[HttpClient], code: str, moves: int) -> None:
    for _ in range(moves):
        person, state = on_turn(people, code)
        play_first_legal(person, code, state)


def restore_during_match(site: Site, folder: Path) -> None:
    """Back up after two moves of a match, restore after four, and look at what people and the operator see."""
    site.start()
    code, people = sit_down(site)
    play(people, code, 2)
    site.manage("backup", str(file := folder / "kept.tar"))
    play(people, code, 2)
    assert "stop all of them" in restore(site, file).stderr
    assert site.stop() == 0
    key = (site.folder / "secret_key").read_text()
    (site.folder / "secret_key").write_text("of a machine that was set up anew" * 2)
    done = restore(site, file)
    assert done.returncode == 0, done.stderr
    assert "Matches that were running: 1. They stand still" in done.stdout
    assert (site.folder / "secret_key").read_text() == key
    site.start()
    person, state = on_turn(people, code)
    assert state["version"] == 2
    move = {"move": state["legal"][0], "version": 2}
    refused = person.post(f"/games/{code}/move", accept="application/json", **move)
    assert refused.status == 503 and "stand still" in refused.text, refused.text
    (note,) = person.get("/fairness/restores.txt").text.splitlines()
    assert note.endswith("from a backup of 0 seals")
    assert site.stop() == 0
    (before,) = site.folder.glob("before-restore-*.tar")
    assert before.stat().st_mode & 0o077 == 0
    assert restore(site, file).returncode == 0
    site.start()
    first, second = person.get("/fairness/restores.txt").text.splitlines()
    assert first == note and second.startswith("2 ") and second.endswith("from a backup of 0 seals")
    assert site.stop() == 0


@pytest.fixture
def site(tmp_path: Path):
    site = Site(tmp_path / "site")
    yield site
    site.end()


def test_restored_match_stands_still(site: Site, tmp_path: Path):
    restore_during_match(site, tmp_path)


def test_nothing_is_restored_beside_a_frozen_process(site: Site, tmp_path: Path):
    site.start()
    site.manage("backup", str(file := tmp_path / "kept.tar"))
    freeze(site)
    assert "stop all of them" in restore(site, file).stderr
    site.process.send_signal(signal.SIGCONT)


def test_file_that_is_no_backup_changes_nothing(site: Site, tmp_path: Path):
    site.prepare()
    before = site.database.read_bytes()
    for content, reason in (
        (b"no backup", "is no backup of this site"),
        (b"PGDMP", "and this site's database is SQLite"),
    ):
        (tmp_path / "file").write_bytes(content)
        done = restore(site, tmp_path / "file")
        assert done.returncode == 1 and reason in done.stderr
    (tmp_path / "damaged").write_bytes(before[: len(before) // 2])
    done = restore(site, tmp_path / "damaged")
    assert done.returncode == 1 and "damaged cannot be used" in done.stderr
    assert not list(site.folder.glob("before-restore-*"))
    assert site.database.read_bytes() == before
