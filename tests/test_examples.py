"""Examples of Hypothesis are the same in each run."""

import os
import subprocess
import sys
from types import ModuleType

import pytest
from hypothesis import core, given
from hypothesis import strategies as st

from tests import examples, seeds

pytestmark = pytest.mark.skipif(examples.PROFILE == "thorough", reason="searches anew each time")


def draw_examples() -> list[tuple[int, str]]:
    drawn: list[tuple[int, str]] = []

    @given(st.integers(), st.text())
    def note(number: int, text: str) -> None:
        drawn.append((number, text))

    note()
    return drawn


def test_examples_follow_from_the_seed(monkeypatch):
    first = draw_examples()
    assert draw_examples() == first
    monkeypatch.setattr(core, "global_force_seed", f"{seeds.SEED} and another")
    assert draw_examples() != first


@pytest.mark.parametrize("variable", ["CI", "GITHUB_ACTIONS"])
def test_examples_follow_from_the_seed_in_continuous_integration(variable):
    """Hypothesis takes other defaults where the environment names such a service."""
    test = f"{__file__}::{test_examples_follow_from_the_seed.__name__}"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test]
    done = subprocess.run(command, env=os.environ | {variable: "true"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_examples_do_not_depend_on_loaded_modules(monkeypatch):
    first = draw_examples()
    module = ModuleType("numbers_of_a_test")
    module.__file__ = __file__
    monkeypatch.setitem(sys.modules, module.__name__, module)
    assert draw_examples() == first
