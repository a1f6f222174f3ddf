"""The puzzles that ship with the code."""

import json
from collections import Counter
from datetime import date, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from boneyard.analysis.decisions import MIN_PUZZLE_MARGIN
from boneyard.computer.search import distinct_moves
from study import puzzles, shipped_puzzles
from study.models import Puzzle
from tests.html import collapse_whitespace

ROWS = json.loads(shipped_puzzles.FILE.read_text())


def test_file_has_every_game_and_band():
    games = Counter(row["game"] for row in ROWS)
    assert set(games) == {source.preset for source in shipped_puzzles.SOURCES}
    assert len(ROWS) >= 120
    for game in games:
        assert {row["rating"] for row in ROWS if row["game"] == game} == set(shipped_puzzles.BANDS)


@pytest.mark.django_db
def test_every_shipped_puzzle_has_one_clearly_best_move():
    assert shipped_puzzles.load() == len(ROWS)
    for puzzle in Puzzle.objects.all():
        view = puzzles.view_of(puzzle)
        assert {str(move) for move in distinct_moves(view)} == {text for text, *_ in puzzle.tried}, puzzle
        assert len(puzzle.tried) >= 3
        for _text, _chance, loss, error in puzzle.tried[1:]:
            assert loss >= MIN_PUZZLE_MARGIN, puzzle
            assert loss >= 4 * error - 0.001, puzzle  # both are rounded


@pytest.mark.django_db
def test_loading_again_changes_nothing():
    shipped_puzzles.load()
    puzzle = Puzzle.objects.first()
    Puzzle.objects.filter(pk=puzzle.pk).update(rating=1234, tries=3)
    assert shipped_puzzles.load() == 0
    puzzle.refresh_from_db()
    assert (puzzle.rating, puzzle.tries, Puzzle.objects.count()) == (1234, 3, len(ROWS))


@pytest.mark.django_db
def test_daily_puzzle_from_first_hour():
    shipped_puzzles.load()
    days = [date(2026, 1, 1) + timedelta(days=days) for days in range(30)]
    daily = [puzzles.puzzle_of_the_day(day) for day in days]
    assert len({puzzle.pk for puzzle in daily}) == 30
    assert len({puzzle.preset for puzzle in daily}) == len(shipped_puzzles.SOURCES)


@pytest.mark.django_db
def test_shipped_puzzle_page():
    shipped_puzzles.load()
    for game in {row["game"] for row in ROWS}:
        puzzle = Puzzle.objects.filter(position__game=game).first()
        client, address = Client(), f"/learn/puzzles/{puzzle.pk}/"
        before = collapse_whitespace(client.get(address).content.decode())
        assert "From a match between computers." not in before
        page = collapse_whitespace(client.post(address, {"answer": puzzle.tried[0][0]}).content.decode())
        assert "That is the best move." in page
        assert "From a match between computers." in page
        assert "The replay" not in page


@pytest.mark.django_db
def test_same_seed_makes_the_shipped_puzzles(tmp_path):
    (quickest,) = (each for each in shipped_puzzles.SOURCES if each.preset == "fives-and-threes")
    written = []
    for run in range(2):
        rows = shipped_puzzles.make_game(quickest._replace(matches=1), "1")
        assert shipped_puzzles.write_file([rows], tmp_path / f"{run}.json") == len(rows) > 0
        written.append((tmp_path / f"{run}.json").read_text())
    assert written[0] == written[1]
    grades = [(row["seed"], row["moves"], row["tried"]) for row in ROWS]
    assert all((row["seed"], row["moves"], row["tried"]) in grades for row in rows)
    assert shipped_puzzles.load(tmp_path / "0.json") == len(rows)


def test_processes_option_is_checked():
    with pytest.raises(CommandError, match="--processes must not be below 1"):
        call_command("make_puzzles", "--from-selfplay", "1", "--processes", "0")
