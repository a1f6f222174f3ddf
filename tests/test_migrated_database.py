"""The cached database is made anew when what decides its content changes, and not at every edit."""

import sys
from pathlib import Path

import pytest
from django.apps import apps

from games.services.matches import parse_move
from operators.translated import TranslatedField
from tests.migrated_database import (
    ROOT,
    SETTINGS,
    compute_digest,
    find_migrations,
    find_sources,
    find_unknown_files,
)

MIGRATION = "games/migrations/0001_initial.py"
FILES = {
    "requirements.txt": "",
    "tests/migrated_database.py": "",
    SETTINGS: "from core.siblings import SIBLINGS",
    "core/__init__.py": "",
    "core/siblings.py": "",
    "core/numbers.py": "",
    "games/__init__.py": "",
    "boneyard/engine/__init__.py": "",
    "boneyard/engine/presets.py": "from .options import OPTIONS",
    "boneyard/engine/options.py": "def choose():\n    import boneyard.engine.lengths",
    "boneyard/engine/lengths.py": "",
    "boneyard/engine/presets.json": "{}",
    "boneyard/engine/matches.py": "from boneyard.engine import presets",
    "games/migrations/__init__.py": "",
    MIGRATION: "from boneyard.engine.presets import PRESETS\nfrom games import scores",
    "games/scores.py": "",
    "games/forms.py": "from boneyard.engine.presets import PRESETS",
}
DECIDING = set(FILES) - {"core/numbers.py", "boneyard/engine/matches.py", "games/forms.py"}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path


@pytest.mark.parametrize("name", FILES)
def test_only_edits_of_what_migrations_import_change_the_digest(site, name):
    before = compute_digest(site)
    file = site / name
    file.write_text(f"{file.read_text()}\n")
    assert (compute_digest(site) != before) == (name in DECIDING)


@pytest.mark.parametrize("name", ["games/migrations/0002_outages.py", "accounts/migrations/0001_initial.py"])
def test_new_migration_changes_the_digest(site, name):
    before = compute_digest(site)
    (site / name).parent.mkdir(parents=True, exist_ok=True)
    (site / name).write_text("")
    assert compute_digest(site) != before


def test_removed_migration_changes_the_digest(site):
    before = compute_digest(site)
    (site / MIGRATION).unlink()
    assert compute_digest(site) != before


def test_sources_are_those_that_are_known_to_be_imported():
    sources = {str(file.relative_to(ROOT)) for file in find_sources()}
    expected = {
        SETTINGS,
        "boneyard/engine/presets.py",
        "boneyard/engine/presets.json",
        "accounts/moderators.py",
    }
    assert expected | {"operators/samples.py", "dominoes_site/environment.py", "core/__init__.py"} <= sources
    assert not {"games/services/matches.py", "games/views/match.py", "lobbies/forms.py"} & sources


def test_every_loaded_migration_is_a_source():
    """Find the migrations of the apps as Django does: by their modules."""
    found = {
        Path(sys.modules[config.name].__file__).parent / "migrations" for config in apps.get_app_configs()
    }
    folders = {folder for folder in found if folder.is_relative_to(ROOT) and ".venv" not in folder.parts}
    expected = {file for folder in folders for file in folder.glob("*.py")}
    assert expected and expected == set(find_migrations())


def test_every_app_with_models_has_migrations():
    """Without them Django would make content types from the models, which the digest does not include."""
    for config in apps.get_app_configs():
        if Path(config.path).parent == ROOT and list(config.get_models()):
            assert list(Path(config.path).glob("migrations/0001_*.py")), config.name


def test_code_that_migrations_must_not_run_is_named():
    assert find_unknown_files([parse_move.__code__]) == {"games/services/matches.py"}
    assert not find_unknown_files([TranslatedField.__init__.__code__, Path.exists.__code__])
