"""The release of this code: `version` in pyproject.toml, the one place where it is written."""

import tomllib
from pathlib import Path

VERSION: str = tomllib.loads((Path(__file__).resolve().parent.parent / "pyproject.toml").read_text())[
    "project"
]["version"]
