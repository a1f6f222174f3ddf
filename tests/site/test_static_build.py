"""The static files are whole after `manage.py setup`, also after an interrupted one and beside other releases."""

import os
from pathlib import Path

import pytest

from dominoes_site import static_build

SOURCES = {"css/admin.css": "a { color: red }\n" * 200, "js/answer.js": "let a = 1\n" * 200}


@pytest.fixture
def root(settings, tmp_path: Path) -> Path:
    """Set up a site with two sources and an empty folder for what is built from them."""
    for path, text in SOURCES.items():
        (file := tmp_path / "source" / path).parent.mkdir(parents=True)
        file.write_text(text)
    settings.STATICFILES_DIRS = [tmp_path / "source"]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "dominoes_site.statics.StaticFilesStorage"}
    }
    settings.STATIC_ROOT = tmp_path / "built"
    settings.STATIC_ROOT.mkdir()
    return settings.STATIC_ROOT


def list_files(root: Path) -> dict[str, int]:
    return {str(file.relative_to(root)): file.stat().st_size for file in root.rglob("*") if file.is_file()}


def test_interrupted_setup_is_repaired(root: Path):
    """An earlier release wrote under the served names: empty files without a stamp, or with one."""
    static_build.collect()
    whole = list_files(root)
    assert len([path for path in whole if path.endswith((".gz", ".br"))]) >= 4
    stamp = (root / ".stamp").read_text()
    for left in ("", "0" * 64, stamp):
        for path in whole:
            os.truncate(root / path, 0)
        (root / ".stamp").write_text(left)
        (root / ".collecting").mkdir()
        (root / ".collecting" / "half").touch()
        static_build.collect()
        assert list_files(root) == whole


@pytest.mark.parametrize("damage", [lambda file: os.truncate(file, 1), Path.unlink])
def test_one_damaged_file_is_noticed(root: Path, damage):
    static_build.collect()
    whole = list_files(root)
    damage(next(root.rglob("*.br")))
    static_build.collect()
    assert list_files(root) == whole


def test_files_of_a_release_that_runs_stay(root: Path):
    (root / "css").mkdir()
    (other := root / "css" / "admin.0123456789ab.css").write_text("of the other release")
    static_build.collect()
    assert other.read_text() == "of the other release"


def test_whole_files_are_not_collected_again(root: Path):
    static_build.collect()
    before = (root / "staticfiles.json").stat().st_mtime_ns
    static_build.collect()
    assert (root / "staticfiles.json").stat().st_mtime_ns == before


def test_no_file_has_its_name_before_it_is_whole(root: Path, settings):
    """A source whose reference leads nowhere ends the collecting halfway, as an interrupt does."""
    (settings.STATICFILES_DIRS[0] / "css" / "account.css").write_text("a { background: url(missing.png) }")
    with pytest.raises(Exception, match=r"missing\.png"):
        static_build.collect()
    assert {path.split("/")[0] for path in list_files(root)} == {".collecting"}
