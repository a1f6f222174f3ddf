"""Ten minutes of puzzles: the clock, the score, and what is stored."""

import re

import pytest

from accounts.models import User
from study import rush, shipped_puzzles
from study.learn_pages import build_puzzle_page
from study.models import Puzzle, PuzzleRun, PuzzleTry
from tests.html import collapse_whitespace

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def shipped(db):
    shipped_puzzles.load()


@pytest.fixture
def clock(monkeypatch):
    """Return a list whose only entry is the server's time."""
    now = [1_000_000.0]
    monkeypatch.setattr("study.views.time.time", lambda: now[0])
    return now


def post(browser, **fields) -> str:
    answer = browser.post("/learn/rush/", fields)
    assert answer.status_code == 200
    return collapse_whitespace(answer.content.decode())


def present(browser) -> Puzzle:
    return Puzzle.objects.get(pk=browser.session["rush"]["puzzle"])


def solve(browser, place: int = 0) -> str:
    puzzle = present(browser)
    return post(browser, puzzle=puzzle.pk, answer=puzzle.tried[place][0])


def test_learn_page_leads_there(browser_of):
    assert 'href="/learn/rush/"' in browser_of().get("/learn/").content.decode()
    assert "Start" in browser_of().get("/learn/rush/").content.decode()


def test_solved_puzzles_count_until_the_time_is_up(alice, browser_of, clock):
    browser = browser_of(alice)
    assert 'data-left="600"' in post(browser, start=1)
    easy = present(browser).rating
    for number in range(1, 9):
        clock[0] += 60
        shown = solve(browser)
        assert "Right." in shown and f"Solved: {number}. Best: {number}." in shown
    assert present(browser).rating > easy
    clock[0] += 121
    assert "Time is up." in collapse_whitespace(browser.get("/learn/rush/").content.decode())
    shown = solve(browser)
    assert "Solved: 8. Best: 8." in shown
    assert PuzzleRun.objects.get(user=alice).solved == 8


def test_miss_takes_time_and_names_the_best_move(alice, browser_of, clock):
    browser = browser_of(alice)
    post(browser, start=1)
    before = present(browser)
    shown = solve(browser, place=-1)
    assert "Best was:" in shown and 'data-left="580"' in shown
    assert present(browser) != before
    assert (PuzzleRun.objects.get().solved, PuzzleRun.objects.get().missed) == (0, 1)


def test_answer_to_another_puzzle_changes_nothing(alice, browser_of, clock):
    browser = browser_of(alice)
    post(browser, start=1)
    first = present(browser)
    solve(browser)
    assert "Solved: 1." in post(browser, puzzle=first.pk, answer=first.tried[0][0])
    for odd in ({"puzzle": "x", "answer": "6-6"}, {"puzzle": str(present(browser).pk), "answer": "\0"}, {}):
        assert "Solved: 1." in post(browser, **odd)


def test_ratings_do_not_change(alice, browser_of, clock):
    browser = browser_of(alice)
    post(browser, start=1)
    rating = present(browser).rating
    puzzle = present(browser)
    solve(browser)
    puzzle.refresh_from_db()
    assert puzzle.rating == rating and not PuzzleTry.objects.exists()


def test_best_of_earlier_runs_is_kept(alice, browser_of, clock):
    browser = browser_of(alice)
    post(browser, start=1)
    solve(browser)
    solve(browser)
    clock[0] += 700
    assert "Solved: 0. Best: 2." in post(browser, start=1)
    assert "Best: 2." in post(browser_of(alice), start=1)
    assert rush.find_best(alice) == 2


def test_visitor_needs_no_account(browser_of, clock):
    browser = browser_of()
    post(browser, start=1)
    assert "Solved: 1. Best: 1." in solve(browser)
    assert not PuzzleRun.objects.exists() and not User.objects.exists()


def test_no_puzzle_comes_twice(browser_of, clock):
    browser = browser_of()
    post(browser, start=1)
    seen = [present(browser).pk]
    for _number in range(5):
        solve(browser, place=-1)
        seen.append(present(browser).pk)
    assert len(set(seen)) == 6


def test_hidden_hands_are_not_on_the_page(browser_of, clock):
    browser = browser_of()
    shown = post(browser, start=1)
    moves = re.findall(r'name="answer" value="([^"]+)"', shown)
    view = build_puzzle_page(present(browser), None, {}).view
    assert moves == [str(move) for move in view.legal]


def test_without_puzzles_the_run_ends(browser_of, clock):
    Puzzle.objects.all().delete()
    assert "Start" in post(browser_of(), start=1)
