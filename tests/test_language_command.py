"""`make language CODE=tr`: a language begins with one command."""

import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = (ROOT / "dominoes_site" / "settings.py").read_text()
command = runpy.run_path(str(ROOT / "bin" / "language"))


def test_it_comes_last_in_the_menu_by_its_own_name():
    assert command["find_own_name"]("tr") == "Türkçe"
    changed = command["add_to_settings"]("tr", "Türkçe", SETTINGS)
    assert re.search(r'    \("pt-pt", .*\),\n    \("tr", "Türkçe"\),\n\]', changed)
    assert changed.replace('    ("tr", "Türkçe"),\n', "") == SETTINGS


def test_a_language_of_the_site_stays_as_it_is():
    assert command["add_to_settings"]("pt", "Português", SETTINGS) == SETTINGS


@pytest.mark.parametrize("code", ["", "tlh", "pt-br", "../x"])
def test_what_is_no_language_is_refused(code):
    done = subprocess.run([sys.executable, ROOT / "bin" / "language", code], capture_output=True, text=True)
    assert done.returncode == 1 and "is no code of a language" in done.stderr
