"""How tests wait: the helper says what for, and no test waits in another way."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.waiting import attempts, until

TESTS = Path(__file__).resolve().parent
WITH_SERVERS = sorted(
    path for name in ("browser", "services", "under_fire") for path in (TESTS / name).glob("*.py")
)
HELPERS = sorted(set(TESTS.glob("*.py")) - set(TESTS.glob("test_*.py")))
# The helper itself, the proxy's threads, which end with its sockets, and a match of the engine, which comes to its end.
MAY_LOOP = {TESTS / "waiting.py", TESTS / "proxy.py", TESTS / "browser/stored.py"}
# What a page answers at one moment, while it may still be drawn.
MOMENTARY = {"bounding_box", "evaluate", "evaluate_all", "evaluate_handle"}
FUNCTION = re.compile(r"(async )?(\(.*?\)|\w+) =>")
SLEEPS = {"sleep", "wait_for_timeout"}


def test_until_returns_first_true_value():
    answers = iter([0, "", "here"])
    assert until(lambda: next(answers), interval=0) == "here"


def test_until_says_what_it_waited_for():
    with pytest.raises(AssertionError, match=r"waited 0 seconds for the moon: got 0; status: cloudy"):
        until(lambda: 0, "the moon", seconds=0, status=lambda: "cloudy")


def test_until_names_its_condition():
    with pytest.raises(AssertionError, match=r"lambda: 1 > 2"):
        until(lambda: 1 > 2, seconds=0)


def test_attempts_end():
    with pytest.raises(AssertionError, match="for the moon"):
        for _ in attempts("the moon", seconds=0):
            pass


@pytest.mark.parametrize("path", [*WITH_SERVERS, *HELPERS], ids=lambda path: str(path.relative_to(TESTS)))
def test_no_loop_without_a_deadline(path):
    loops = [f"{path.name}:{node.lineno}" for node in _walk(path) if isinstance(node, ast.While)]
    assert path in MAY_LOOP or loops == [], "use tests.waiting.until or attempts"


@pytest.mark.parametrize("path", WITH_SERVERS, ids=lambda path: str(path.relative_to(TESTS)))
def test_assertions_on_a_page_retry(path):
    momentary = [
        f"{path.name}:{node.lineno}"
        for node in _walk(path)
        if isinstance(node, ast.Assert) and MOMENTARY & _called(node.test)
    ]
    assert momentary == [], "use expect_value or expect_box of tests.browser.waiting"


@pytest.mark.parametrize("path", WITH_SERVERS, ids=lambda path: str(path.relative_to(TESTS)))
def test_fixed_waits_have_a_reason(path):
    lines = path.read_text().splitlines()
    without = [
        f"{path.name}:{node.lineno}"
        for node in _walk(path)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and SLEEPS & _called(node.value)
        and "# " not in lines[node.lineno - 1] + lines[node.lineno - 2]
    ]
    assert without == [], "wait for something, or say why not"


@pytest.mark.parametrize("path", WITH_SERVERS, ids=lambda path: str(path.relative_to(TESTS)))
def test_page_is_asked_again_by_a_function(path):
    expressions = [
        f"{path.name}:{node.lineno}"
        for node in _walk(path)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "wait_for_function"
        and not all(FUNCTION.match(text) for text in _texts_of(node.args[0]))
    ]
    assert expressions == [], "the policy forbids to evaluate an expression again: write a function"


def _texts_of(script: ast.expr) -> list[str]:
    """Return how a script may begin: a string, or each value of a constant of this name in the tests."""
    if isinstance(script, ast.Name):
        assigned = (node for path in WITH_SERVERS for node in ast.parse(path.read_text()).body)
        values = [
            node.value
            for node in assigned
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == script.id
        ]
        return [text for value in values for text in _texts_of(value)] or [""]
    first = script.values[0] if isinstance(script, ast.JoinedStr) else script
    return [str(first.value) if isinstance(first, ast.Constant) else ""]


def _walk(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_text()))


def _called(node: ast.AST) -> set[str]:
    """Return the names of the functions and methods that an expression calls."""
    called = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
    return {each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in called}
