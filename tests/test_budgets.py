"""Things cost what docs/architecture.md says, "What things cost"."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client

from games import repository
from games.table import snapshot_cache
from tests import budgets, cpu_time
from tests.events.playing import open_today
from tests.games.playing import begin, play, play_and_resign
from tests.lobbies.tables import make
from tests.server import ROOT, Site
from tests.statements import captured_statements
from tests.times import standing_clocks

# `manage.py serve`, which prints the number of imported modules instead of its address, and ends. Those of the standard
# library do not count: the version of Python decides on them.
SERVE = """
import os, sys
from dominoes_site.management.commands import serve
from manage import main

def print_modules(*said, **how):
    packages = [module.partition(".")[0] for module in sys.modules]
    print(len([package for package in packages if package not in sys.stdlib_module_names]), flush=True)
    os._exit(0)

serve.print = print_modules
sys.argv = ["manage.py", "serve"]
main()
"""


@pytest.fixture
def noon() -> Iterator[None]:
    with standing_clocks():
        yield


@pytest.fixture
def pages(alice, bob, charlie, settings) -> dict[str, str]:
    """Return addresses of a small site by the names of their budgets; alice is playing."""
    settings.LIMITS = False
    for seed in "abc":
        past = play_and_resign(begin(alice, bob, rated=True, preset="muggins-200", seed=seed))
    match = begin(alice, charlie, rated=True, seed="d")
    for _ in range(6):
        match = play(match)
    table = make(bob, "draw")
    open_today()
    return {
        "the lobby": "/",
        "the form of a new table": "/tables/new",
        "a table before play": f"/tables/{table.code}/",
        "the page of a match": f"/games/{match.code}/",
        "the page of a finished match": f"/games/{past.code}/",
        "a replay": f"/games/{past.code}/replay/",
        "matches to watch": "/watch/",
        "a leaderboard": "/leaderboard/muggins/",
        "the archive": "/archive/",
        "a profile": "/players/bob/",
        "the rules of a game": "/rules/all-fives/",
        "the Daily Deal": "/daily/",
        "lessons and puzzles": "/learn/",
        "preferences": "/preferences/",
        "signing up": "/accounts/signup/",
    }


def visit(browser: Client, address: str) -> tuple[int, int]:
    """Return the number of statements, and of bytes of HTML."""
    with captured_statements() as statements:
        answer = browser.get(address)
    assert answer.status_code == 200
    return len(statements), len(answer.content)


@pytest.mark.django_db
def test_pages(noon, pages, alice, browser_of):
    browser, wrong = browser_of(alice), []
    for name, address in pages.items():
        cache.clear()
        repository.clear_caches()
        snapshot_cache.clear()
        (first, _size), (again, size) = visit(browser, address), visit(browser, address)
        try:
            budgets.check(name, {"statements at first": first, "statements again": again, "bytes": size})
        except AssertionError as error:
            wrong.append(str(error))
    assert not wrong, "\n".join(wrong)


def test_move_over_socket():
    printed = run("-m", "bench.calls")
    lines = [line.split(maxsplit=1) for line in printed.splitlines()]
    budgets.check("a move over a socket", {unit: float(number.replace(",", "")) for number, unit in lines})


def test_modules_imported_at_start(tmp_path: Path):
    site = Site(tmp_path / "site")
    site.prepare()
    budgets.check("`manage.py serve` at its start", {"modules": int(run("-c", SERVE, env=site.env))})


def run(*arguments: str, env: dict[str, str] | None = None) -> str:
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_row_is_measured():
    code = "".join(file.read_text() for file in (ROOT / "tests").rglob("*.py"))
    assert [name for name in budgets.read() if f'"{name}"' not in code] == []


@pytest.fixture
def thing(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(budgets, "read", lambda: {"a thing": {"statements": 10, "bytes to it": 1_000}})
    return "a thing"


def test_numbers_are_read_by_unit():
    move = budgets.read()["a move over a socket"]
    assert move["calls in games"] > 500 and move["bytes to the mover"] > 1_000
    assert set(move) > {"calls in games", "calls in django", "statements", "bytes to the mover"}


@pytest.mark.parametrize(("statements", "size"), [(10, 1_000), (10, 1_020), (9, 910), (9.6, 1_020.4)])
def test_measurement_near_its_number_passes(thing, statements, size):
    budgets.check(thing, {"statements": statements, "bytes to it": size})


@pytest.mark.parametrize(
    ("measured", "advice"),
    [
        ({"statements": 11, "bytes to it": 1_000}, "11 statements instead of 10. Make it cheaper"),
        ({"statements": 10, "bytes to it": 1_021}, "1,021 bytes to it instead of 1,000. Make it cheaper"),
        ({"statements": 8, "bytes to it": 1_000}, "8 statements instead of 10. Lower the number"),
        ({"statements": 10}, "0 bytes to it instead of 1,000. Lower the number"),
        ({"statements": 10, "bytes to it": 1_000, "calls in it": 7}, "7 calls in it instead of 0. Make it"),
    ],
)
def test_other_measurement_fails_with_the_row_to_write(thing, measured, advice):
    with pytest.raises(AssertionError) as failed:
        budgets.check(thing, measured)
    assert f"a thing: {advice}" in str(failed.value)
    assert budgets.write_row(thing, measured) in str(failed.value)


def test_cpu_seconds_include_children():
    before = cpu_time.measure_seconds()
    run("-c", "import time\nfor _ in iter(time.process_time, 9):\n if time.process_time() > 0.4: break")
    assert cpu_time.measure_seconds() - before >= 0.3  # the system counts in hundredths
