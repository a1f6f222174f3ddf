"""Rules for the whole tree: pure packages, allowed markup, file sizes and vendored files."""

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

from tests.packages import PACKAGES

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
PAGES = [pytest.param(path, id=str(path.relative_to(ROOT / "templates"))) for path in TEMPLATES]


@pytest.fixture(scope="module")
def imports() -> grimp.ImportGraph:
    return grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)


@pytest.mark.parametrize("pure", ["boneyard", "accounts.elo"])
def test_pure_packages_import_only_the_standard_library(imports, pure):
    parts = {pure} | imports.find_descendants(pure)
    imported = {
        found for part in parts & imports.modules for found in imports.find_modules_directly_imported_by(part)
    }
    foreign = {
        module
        for module in imported - parts
        if module.partition(".")[0] not in sys.stdlib_module_names
        and not module.startswith(("boneyard.engine", "boneyard.computer"))
    }
    assert foreign == set()


# Blocked by the content security policy, or run differently by htmx under it.
FORBIDDEN = {
    "an inline style": re.compile(r"<style|\sstyle\s*=", re.I),
    "an inline script": re.compile(r"<script(?![^>]*\ssrc=)(?![^>]*type=\"application/(ld\+)?json\")", re.I),
    "an inline handler": re.compile(r"\son[a-z]+\s*=\s*[\"']", re.I),
    "hx-on": re.compile(r"\s(data-)?hx-on", re.I),
    "a value that htmx would evaluate": re.compile(r"[\"']\s*(js|javascript):", re.I),
    "a trigger filter, which fails open": re.compile(r"hx-trigger\s*=\s*(\"[^\"]*\[|'[^']*\[)", re.I),
    "something from another host": re.compile(
        r"<(?!a\b)[^>]*\s(src|href|action|srcset|hx-\w+)=[\"'](https?:)?//", re.I
    ),
    "text that is not escaped": re.compile(r"\|\s*safe\b|autoescape\s+off", re.I),
}


@pytest.mark.parametrize("page", PAGES)
def test_template_obeys_the_security_policy(page):
    text = page.read_text()
    assert [what for what, pattern in FORBIDDEN.items() if pattern.search(text)] == []


MAX_LINE_LENGTH = 120
EVERY_TEMPLATE = sorted(path for kind in ("html", "txt") for path in (ROOT / "templates").rglob(f"*.{kind}"))


def test_template_lines_are_short():
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in EVERY_TEMPLATE
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > MAX_LINE_LENGTH
    ]
    assert long == []


MAX_FILE_LINES = 400
PYTHON_FILES = sorted(
    path
    for folder in (*PACKAGES, "bench", "tests")
    for path in (ROOT / folder).rglob("*.py")
    if "migrations" not in path.parts
)


def test_python_files_are_short():
    assert len(PYTHON_FILES) > 400
    lines = {str(path.relative_to(ROOT)): path.read_text().count("\n") for path in PYTHON_FILES}
    assert {file: length for file, length in lines.items() if length > MAX_FILE_LINES} == {}


@pytest.mark.parametrize("package", ["drawing", "table", "wording"])
def test_only_one_module_switches_the_language(package):
    files = set((ROOT / "games" / package).glob("*.py")) - {ROOT / "games/wording/language_cache.py"}
    assert files and not [
        path.name for path in files if re.search(r"\b(override|activate)\b", path.read_text())
    ]


def test_template_lint_finds_violations():
    bad = {
        "an inline style": '<p style="color: red">',
        "an inline script": "<script>alert(1)</script>",
        "an inline handler": '<button onclick="play()">',
        "hx-on": '<button hx-on:click="play()">',
        "a value that htmx would evaluate": "<a hx-vals='js:{}'>",
        "a trigger filter, which fails open": '<a hx-trigger="click[ctrlKey]">',
        "something from another host": '<link rel="stylesheet" href="https://cdn.example/x.css">',
        "text that is not escaped": "{{ talk|safe }}",
    }
    assert {what for what, pattern in FORBIDDEN.items() if pattern.search(bad[what])} == set(FORBIDDEN)
    good = '<script src="/static/js/site.js" defer></script><a href="https://example.org">1 < 2, turn on = yes</a>'
    assert [what for what, pattern in FORBIDDEN.items() if pattern.search(good)] == []


def test_static_files_load_nothing_from_other_hosts():
    ours = [path for kind in ("css", "js") for path in (ROOT / "static" / kind).rglob(f"*.{kind}")]
    outside = re.compile(r"(url\(|@import|import|fetch\()\s*[\"']?(https?:)?//")
    assert [path.name for path in ours if outside.search(path.read_text())] == []


@pytest.mark.parametrize("folder", ["static/vendor", "tests/browser/vendor"])
def test_vendored_files_match_their_checksums(folder):
    lines = [
        line.split() for line in (ROOT / folder / "CHECKSUMS").read_text().splitlines() if line[0] != "#"
    ]
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (ROOT / folder).glob("*.js")
    }
    assert found == {name: digest for digest, name in lines}


def test_settings_pass_the_deployment_check():
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    env = os.environ | {"HTTPS": "1", "SECRET_KEY": "only for this check " * 4}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
