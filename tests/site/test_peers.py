"""The packages of the other server that `make load` measures."""

import json
import re

import pytest

from bench import peers

EXACT = re.compile(r"\d+\.\d+\.\d+")


@pytest.fixture
def lock():
    return json.loads((peers.HERE / peers.LOCK).read_text())


def test_peer_packages_have_exact_versions():
    wanted = json.loads((peers.HERE / "package.json").read_text())
    versions = {**wanted["dependencies"], **wanted["overrides"]}
    assert [name for name, version in versions.items() if not EXACT.fullmatch(version)] == []


def test_lock_file_matches_package_json(lock):
    wanted = json.loads((peers.HERE / "package.json").read_text())
    locked = lock["packages"]
    assert locked[""]["dependencies"] == wanted["dependencies"]
    for name, version in {**wanted["dependencies"], **wanted["overrides"]}.items():
        assert locked[f"node_modules/{name}"]["version"] == version


def test_lock_file_has_hashes_and_no_registry(lock):
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert len(packages) > 100
    assert [
        name for name, package in packages.items() if not package["integrity"].startswith("sha512-")
    ] == []
    assert [name for name, package in packages.items() if "resolved" in package] == []
    assert "registry" not in (peers.HERE / peers.LOCK).read_text()


def test_peer_is_skipped_without_node(monkeypatch, capsys):
    monkeypatch.setenv("PATH", "")
    assert peers.measure_peer(tables=1, think=0.0, seconds=1.0) is None
    assert capsys.readouterr().err == "boardgame.io is left out: node is not installed\n"
