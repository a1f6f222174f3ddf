"""Run the doctests of the engine's modules and of README.md."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import boneyard.board
import boneyard.engine

MODULES = [f"boneyard.engine.{module.name}" for module in pkgutil.iter_modules(boneyard.engine.__path__)]


@pytest.mark.parametrize("module", [*MODULES, "boneyard.board"])
def test_module_doctests(module):
    result = doctest.testmod(importlib.import_module(module))
    assert result.attempted and not result.failed


def test_readme_doctest():
    readme = Path(__file__).parents[2] / "README.md"
    result = doctest.testfile(str(readme), module_relative=False)
    assert result.attempted and not result.failed
