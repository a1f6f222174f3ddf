"""A new release takes over while two people play: docs/upgrades.md, as written."""

import copy
import io
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dominoes_site.version import VERSION
from tests.http_client import HttpClient
from tests.migrated_postgresql import make_template, url_of
from tests.server import ROOT, Site
from tests.services.redis import Redis
from tests.services.test_two_processes import begin_match, database, get_state

NEXT = "9999_next"
MIGRATION = """
from django.db import migrations, models

class Migration(migrations.Migration):
    dependencies = [("games", "{before}")]
    operations = [
        migrations.AddField("match", "next_note", models.TextField(db_default="", default="")),
        migrations.CreateModel("NextNote", [("id", models.BigAutoField(primary_key=True))]),
    ]
"""
# What a process needs; packages are those of this checkout's folders.
FILES = [
    "manage.py",
    "pyproject.toml",
    "templates",
    "static",
    "locale",
    "tests/__init__.py",
    "tests/pseudo_languages.py",
    "tests/seeds.py",
    "tests/serve.py",
]
FILES += [
    file.parent.name for file in ROOT.glob("*/__init__.py") if file.parent.name not in ("bench", "tests")
]


def copy_code(to: Path) -> None:
    """Replace the code of a release by this checkout's, as `git pull` does."""
    for name in FILES:
        target = to / name
        target.parent.mkdir(exist_ok=True)
        if (ROOT / name).is_file():
            shutil.copy(ROOT / name, target)
            continue
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(ROOT / name, target, ignore=shutil.ignore_patterns("__pycache__"))


def find_previous_tag() -> str:
    """Return the latest tag before this version, or "" in a checkout without tags."""
    done = subprocess.run(
        ["git", "tag", "--sort=-v:refname", "--list", "v*"], cwd=ROOT, capture_output=True, text=True
    )
    return next((tag for tag in done.stdout.split() if tag != f"v{VERSION}"), "")


class Release(Site):
    """A site whose code is a folder of its own."""

    def __init__(self, root: Path, folder: Path, **env: str) -> None:
        super().__init__(folder, **env)
        self.root = root


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Return a folder with the earlier release: the latest tag's, else this one, to which the next adds a migration."""
    root = tmp_path / "release"
    root.mkdir()
    if tag := find_previous_tag():
        archive = subprocess.run(["git", "archive", tag], cwd=ROOT, capture_output=True, check=True).stdout
        tarfile.open(fileobj=io.BytesIO(archive)).extractall(root, filter="data")
    else:
        copy_code(root)
    return root


def upgrade(root: Path) -> None:
    """Replace the release by this checkout, or add the migration of the next one."""
    if find_previous_tag():
        copy_code(root)
        return
    folder = root / "games" / "migrations"
    before = max(file.stem for file in folder.glob("0*.py"))
    (folder / f"{NEXT}.py").write_text(MIGRATION.format(before=before))


@pytest.fixture
def sites(release: Path, tmp_path: Path, redis: Redis) -> Iterator[tuple[Release, Release]]:
    redis.start()
    with database("template1" if find_previous_tag() else make_template()) as name:
        env = {"DATABASE_URL": url_of(name), "REDIS_URL": redis.url}
        both = Release(release, tmp_path / "var", **env), Release(release, tmp_path / "var", **env)
        (tmp_path / "var").mkdir()
        for site in both:
            site.start()
        yield both
        for site in both:
            site.end()


def play(clients: list[HttpClient], code: str, moves: int) -> None:
    """Make moves, each by the client of the player on turn."""
    for _ in range(moves):
        states = [get_state(client, code) for client in clients]
        turn = next(n for n, state in enumerate(states) if state["you"] == state["turn"])
        answer = clients[turn].post(
            f"/games/{code}/move",
            accept="application/json",
            move=states[turn]["legal"][0],
            version=states[turn]["version"],
        )
        assert answer.status == 200, answer.text


def move_to(site: Site, client: HttpClient) -> HttpClient:
    """Return the same person's client at another process."""
    other = copy.copy(client)
    other.url = site.url
    return other


def test_match_goes_on_through_an_upgrade(release: Path, sites: tuple[Release, Release], tmp_path: Path):
    first, second = sites
    people = [HttpClient(site.url).become_guest() for site in sites]
    code = begin_match(*people)
    for person in people:
        person.get("/rules/")
    play(people, code, 2)

    upgrade(release)
    assert "may run beside them" in first.manage("check_upgrade")
    assert first.stop() == 0
    first.manage("setup")
    at_second = [move_to(second, person) for person in people]
    play(at_second, code, 2)  # the earlier release on the new tables
    guests = [HttpClient(second.url).become_guest() for _ in range(2)]
    other = begin_match(*guests)

    first.start()
    at_first = [move_to(first, person) for person in people]
    play([at_first[0], at_second[1]], code, 1)
    play([at_second[0], at_first[1]], code, 1)
    assert second.stop() == 0
    second.start()
    play([at_first[0], move_to(second, people[1])], code, 2)

    state = get_state(at_first[0], code)
    at_first[0].post(
        f"/games/{code}/move", accept="application/json", move="resign", version=state["version"]
    )
    record = at_first[1].get(f"/games/{code}/record.json")
    assert len(record.json()["rounds"][0]["moves"]) == 9
    (tmp_path / "record.json").write_text(record.text)
    first.manage("verify_record", str(tmp_path / "record.json"))
    assert get_state(move_to(first, guests[0]), other)["status"] == "playing"
    assert "restart one process after the other" in second.manage("check_upgrade")


def test_running_release_does_not_read_the_next_ones_templates(tmp_path: Path):
    Site(tmp_path / "var").prepare()
    copy_code(root := tmp_path / "release")
    shutil.copytree(ROOT / "static-built", root / "static-built")
    site = Release(root, tmp_path / "var")
    site.start()
    guest = HttpClient(site.url).become_guest()
    for file in (root / "templates").rglob("*.*"):
        file.write_text("{% load of_the_next_release %}")
    pages = (
        "/",
        "/rules/",
        "/learn/",
        "/leaderboard/",
        "/tables/new",
        "/preferences/",
        "/accounts/login/",
        "/nowhere",
    )
    answers = {path: guest.get(path).status for path in pages}
    assert answers == {path: 404 if path == "/nowhere" else 200 for path in pages}, site.log_text
    site.end()
