"""What `make load` measures beside us is the same everywhere, and nobody needs it."""

import json
import re

import pytest

from bench import peers

EXACT = re.compile(r"\d+\.\d+\.\d+")


@pytest.fixture
def lock():
    return json.loads((peers.HERE / peers.LOCK).read_text())


def test_the_packages_of_the_peer_have_exact_versions():
    wanted = json.loads((peers.HERE / "package.json").read_text())
    versions = {**wanted["dependencies"], **wanted["overrides"]}
    assert [name for name, version in versions.items() if not EXACT.fullmatch(version)] == []


def test_the_lock_of_the_peer_is_of_the_packages_that_are_asked_for(lock):
    wanted = json.loads((peers.HERE / "package.json").read_text())
    locked = lock["packages"]
    assert locked[""]["dependencies"] == wanted["dependencies"]
    for name, version in {**wanted["dependencies"], **wanted["overrides"]}.items():
        assert locked[f"node_modules/{name}"]["version"] == version


def test_every_package_of_the_peer_is_known_by_its_hash_and_comes_from_any_registry(lock):
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert len(packages) > 100
    assert [
        name for name, package in packages.items() if not package["integrity"].startswith("sha512-")
    ] == []
    assert [name for name, package in packages.items() if "resolved" in package] == []
    assert "registry" not in (peers.HERE / peers.LOCK).read_text()


def test_the_peer_is_left_out_with_a_sentence_where_there_is_no_node(monkeypatch, capsys):
    monkeypatch.setenv("PATH", "")
    assert peers.measure_peer(tables=1, think=0.0, seconds=1.0) is None
    assert capsys.readouterr().err == "boardgame.io is left out: node is not installed\n"
