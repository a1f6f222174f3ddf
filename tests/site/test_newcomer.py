"""bin/venv and bin/chromium name what a newcomer's machine lacks. bin/newcomer tries both commands in a chroot."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.server import ROOT


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "a path with a space"
    shutil.copytree(ROOT / "bin", folder / "bin")
    return folder


def write_program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def run(checkout: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    environ = os.environ | environment
    return subprocess.run(command, cwd=checkout, env=environ, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        (
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
            "disk is full",
        ),
        ("ERROR: Could not find a version that satisfies x (from versions: none)", "index cannot be reached"),
        ("broken by NewConnectionError: Temporary failure in name resolution", "index cannot be reached"),
        ("SSLError: CERTIFICATE_VERIFY_FAILED (from versions: none)", "does not trust the certificate"),
        ("OSError: [Errno 30] Read-only file system: x", "cannot be written to"),
    ],
)
def test_cause_of_a_failed_installation_is_named(checkout, output, reason):
    write_program(checkout / ".venv/bin/python", f"echo '{output}' >&2; exit 1")
    result = run(checkout, "bin/venv", "requirements.txt")
    assert result.returncode == 1
    assert reason in result.stderr.splitlines()[-1]


def test_missing_python3_venv_is_named(checkout):
    write_program(checkout / "python", 'case "$*" in *ensurepip*) exit 1;; *) echo 3.11;; esac')
    result = run(checkout, "bin/venv", "requirements.txt", PYTHON=str(checkout / "python"))
    assert "apt-get install python3-venv" in result.stderr


def test_driver_that_does_not_start_is_named(checkout):
    write_program(checkout / ".venv/lib/python3.11/site-packages/playwright/driver/node", "exit 127")
    write_program(checkout / "path/chromium", "exit 0")
    write_program(checkout / "path/ldd", "echo '\tlibatomic.so.1 => not found'")
    write_program(checkout / "path/id", "echo 1000")
    result = run(checkout, "bin/chromium", PATH=f"{checkout}/path:{os.environ['PATH']}")
    assert result.returncode == 1
    assert "apt-get install libatomic1" in result.stderr
