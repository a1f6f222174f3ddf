"""The order of the modules of the saved verify page."""

import re
from pathlib import Path

from study.verify_page import SCRIPTS

FOLDER = Path(__file__).parents[2] / "static" / "js" / "verify"


def test_each_module_imports_only_earlier_ones():
    for place, name in enumerate(SCRIPTS):
        imported = re.findall(r'from "\./(\w+)\.js"', (FOLDER / f"{name}.js").read_text())
        assert set(imported) <= set(SCRIPTS[:place]), name


def test_every_module_is_in_the_saved_page():
    assert sorted(SCRIPTS) == sorted(file.stem for file in FOLDER.glob("*.js"))
