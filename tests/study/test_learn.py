"""Puzzles and trainers."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts.elo import START_RATING
from accounts.personal import export_data
from boneyard.computer.players import choose_move
from boneyard.engine import moves as notation
from boneyard.engine.perspective import perspective
from games import repository
from games.models import Match
from games.services import personal, play_for_computer
from study import count_trainer, hand_reading, puzzles, services
from study.models import Analysis, Puzzle, PuzzleTry
from tests.games.playing import begin
from tests.html import collapse_whitespace

pytestmark = pytest.mark.django_db


@pytest.fixture
def source(alice, bob):
    """Return a rated match between casual players that ended two days ago."""
    return end_two_days_ago(begin(alice, bob, rated=True, seed="puzzle 3", target=10))


def end_two_days_ago(match: Match) -> Match:
    while match.playing:
        value = repository.get_value(match)
        move, _ = choose_move(perspective(value, value.turn), "casual", match.version)
        match = play_for_computer(
            match=match, seat=value.turn, move=move, claim=None, seen_version=match.version
        )
    Match.objects.filter(pk=match.pk).update(ended_at=timezone.now() - timedelta(days=2))
    match.refresh_from_db()
    return match


@pytest.fixture
def puzzle(source):
    """Return a puzzle at the first turn with three moves, as `make_puzzles` stores it."""
    value = repository.initial_value(source)
    for row in source.moves.order_by("number"):
        move = notation.parse(row.text)
        if len(value.legal(row.seat)) >= 3 and value.round.layout is not None:
            tried = [
                [str(each), 0.6 - loss, loss, 0.01]
                for each, loss in zip(value.legal(row.seat), LOSSES, strict=False)
            ]
            return Puzzle.objects.create(match=source, number=row.number, tried=tried)
        value = value.play(row.seat, move, row.claim)
    raise AssertionError("no choice came")


LOSSES = [0.0, 0.1, 0.2, 0.3, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4]


def post(client, puzzle, **fields) -> str:
    answer = client.post(f"/learn/puzzles/{puzzle.pk}/", fields)
    assert answer.status_code == 200
    return collapse_whitespace(answer.content.decode())


def test_sources_are_rated_public_and_a_day_old(source):
    now = timezone.now()
    assert list(puzzles.sources(now)) == [source]
    for change in ({"private": True}, {"ended_at": now}, {"rating_order": None}, {"annulled_at": now}):
        before = {name: getattr(source, name) for name in change}
        Match.objects.filter(pk=source.pk).update(**change)
        assert not puzzles.sources(now).exists(), change
        Match.objects.filter(pk=source.pk).update(**before)


def test_negative_matches_option_is_refused():
    with pytest.raises(CommandError, match="--matches must not be below 0"):
        call_command("make_puzzles", "--matches", "-3")


def test_make_puzzles_searches_a_match_once(alice, bob, capsys):
    hands = dict.fromkeys("234", 4)  # few tiles are searched quickly
    source = end_two_days_ago(begin(alice, bob, rated=True, seed="puzzle 2", target=10, hand_size=hands))
    assert puzzles.has_sources(timezone.now())
    call_command("make_puzzles", "--matches", "1")
    number = Puzzle.objects.count()
    assert f"{number} puzzles" in capsys.readouterr().out
    assert number

    assert not puzzles.has_sources(timezone.now())
    assert puzzles.make_puzzles(source) == []
    assert Puzzle.objects.count() == number
    for puzzle in Puzzle.objects.all():
        view = puzzles.view_of(puzzle)
        assert {str(move) for move in view.legal} >= {text for text, *_ in puzzle.tried}
        for _text, _chance, loss, error in puzzle.tried[1:]:
            assert loss >= 0.08
            assert loss >= 4 * error


def test_task_and_solution_stand_on_the_felt(puzzle, browser_of):
    for sent, said in (({}, "One move is clearly better"), ({"show": "1"}, "<b>Best: ")):
        page = post(browser_of(), puzzle, **sent)
        assert said in page.partition('id="table"')[2].partition('<form id="pick"')[0]


def test_only_first_answer_changes_ratings(puzzle, charlie, browser_of):
    client = browser_of(charlie)
    right, wrong = puzzle.tried[0][0], puzzle.tried[1][0]

    assert "That lowers your chance to win by 10 percentage points (± 1)." in post(
        client, puzzle, answer=wrong
    )
    first = PuzzleTry.objects.get()
    puzzle.refresh_from_db()
    assert (first.solved, first.before, round(first.after), round(puzzle.rating)) == (
        False,
        START_RATING,
        1480,
        1520,
    )

    page = post(client, puzzle, answer=right)
    assert "That is the best move." in page
    assert "1500 → 1480" in page
    assert PuzzleTry.objects.count() == 1
    assert puzzles.find_progress(charlie, {}).rating == first.after


def test_players_are_anonymous_before_answer(puzzle, charlie, browser_of):
    before = collapse_whitespace(browser_of(charlie).get(f"/learn/puzzles/{puzzle.pk}/").content.decode())
    assert "alice" not in before and "bob" not in before and "The replay" not in before
    assert "your opponent" in before and "seat 2" not in before and "seat 1" not in before
    after = post(browser_of(charlie), puzzle, show="1")
    assert "alice" in after and "The replay" in after


def test_deleted_player_is_not_named(puzzle, alice, charlie, browser_of):
    personal.forget(alice)
    assert "deleted player" in post(browser_of(charlie), puzzle, show="1")


def test_anonymous_answer_is_rated_in_the_session(puzzle):
    client = Client()
    page = post(client, puzzle, answer=puzzle.tried[0][0])
    assert "That is the best move." in page
    assert "1500 → 1520" in page and "Solved in a row" in page

    assert "1500 → 1520" in post(client, puzzle, answer=puzzle.tried[1][0])
    assert "Your puzzle rating is 1520, after 1 puzzle." in collapse_whitespace(
        client.get("/learn/").content.decode()
    )
    assert not PuzzleTry.objects.exists()
    puzzle.refresh_from_db()
    assert (puzzle.tries, puzzle.rating) == (0, START_RATING)
    assert "You have answered every puzzle there is." in client.get("/learn/puzzles/").content.decode()


def test_session_keeps_newest_answers(puzzle):
    session: dict[str, Any] = {}
    for pk in range(1, puzzles.MAX_SESSION_ANSWERS + 3):
        session = puzzles.answer_anonymously(Puzzle(pk=pk, rating=1500), session, solved=True)
    assert list(session["answers"]) == [str(pk) for pk in range(3, puzzles.MAX_SESSION_ANSWERS + 3)]
    assert puzzles.find_progress(None, session).streak == puzzles.MAX_SESSION_ANSWERS + 2


def test_streak_counts_answers_since_last_failure(puzzle, charlie):
    streaks = []
    for number, solved in enumerate((True, False, True, True)):
        other = Puzzle.objects.create(match=puzzle.match, number=1000 + number, tried=puzzle.tried)
        puzzles.answer(other, charlie, "pass", solved, timezone.now())
        streaks.append(puzzles.find_progress(charlie, {}).streak)
    assert streaks == [1, 0, 1, 2]


def test_revealing_counts_as_answer(puzzle, charlie, browser_of):
    post(browser_of(charlie), puzzle, show="1")
    assert not PuzzleTry.objects.get().solved


def test_puzzles_page_redirects_to_unanswered(puzzle, charlie, browser_of):
    client = browser_of(charlie)
    assert client.get("/learn/puzzles/").url == f"/learn/puzzles/{puzzle.pk}/"
    post(client, puzzle, answer=puzzle.tried[0][0])
    assert "You have answered every puzzle there is." in collapse_whitespace(
        client.get("/learn/puzzles/").content.decode()
    )


def test_daily_puzzle_is_the_same_for_all(puzzle, browser_of, charlie):
    assert puzzles.puzzle_of_the_day(timezone.now().date()) == puzzle
    for client in (Client(), browser_of(charlie)):
        page = collapse_whitespace(client.get("/learn/").content.decode())
        assert f'href="/learn/puzzles/{puzzle.pk}/"' in page


def test_new_puzzles_do_not_change_daily_puzzle(puzzle):
    today = timezone.now().date()
    Puzzle.objects.filter(pk=puzzle.pk).update(made_at=timezone.now() - timedelta(days=1))
    for number in range(5):
        Puzzle.objects.create(match=puzzle.match, number=1000 + number, tried=puzzle.tried)
        assert puzzles.puzzle_of_the_day(today) == puzzle
    assert {puzzles.puzzle_of_the_day(today + timedelta(days=days)).pk for days in range(1, 7)} == set(
        Puzzle.objects.values_list("pk", flat=True)
    )


def test_learn_page_without_puzzles():
    assert "There are no puzzles yet" in collapse_whitespace(Client().get("/learn/").content.decode())


def test_count_trainer(client):
    assert "Start" in client.get("/learn/count/").content.decode()
    client.post("/learn/count/", {"start": "1"})
    for _ in range(3):
        due = count_trainer.build_task(client.session["counting"]["seed"]).count
        assert f"Right: {due}." in client.post("/learn/count/", {"count": str(due)}).content.decode()
    due = count_trainer.build_task(client.session["counting"]["seed"]).count
    assert f"No, it was {due}." in client.post("/learn/count/", {"count": str(due + 1)}).content.decode()
    assert client.session["counting"]["right"] == 3
    assert client.session["counting_best"] == 3


def test_count_trainer_ignores_answers_after_time(client):
    client.post("/learn/count/", {"start": "1"})
    session = client.session
    session["counting"] |= {"until": 0}
    session.save()
    due = count_trainer.build_task(client.session["counting"]["seed"]).count
    page = client.post("/learn/count/", {"count": str(due)}).content.decode()
    assert "Time is up." in page and "Right:" not in page
    assert client.session["counting"] == {"right": 0}


def test_count_trainer_refuses_non_numbers(client):
    client.post("/learn/count/", {"start": "1"})
    seed = client.session["counting"]["seed"]
    for answer in ("", "abc", "-3", "1.5"):
        assert (
            "Say the count as a whole number."
            in client.post("/learn/count/", {"count": answer}).content.decode()
        )
        assert client.session["counting"]["seed"] == seed


def test_count_task_is_deterministic():
    for number in range(40):
        task = count_trainer.build_task(f"seed {number}")
        assert task == count_trainer.build_task(f"seed {number}")
        assert task.count >= 0
        assert str(task.line).startswith("<svg")


def test_hand_reading_trainer(client):
    task = hand_reading.HandReadingTask("seed")
    assert task.lacks
    page = client.get("/learn/hold/").content.decode()
    assert "They hold no" in page
    right = {"seed": "seed", "suit": sorted(task.lacks)}
    suits = ", ".join(map(str, sorted(task.lacks)))
    assert f"Right: no {suits}." in client.post("/learn/hold/", right).content.decode()
    wrong = {"seed": "seed", "suit": sorted(task.lacks)[1:]}
    assert f"Not quite: no {suits}." in client.post("/learn/hold/", wrong).content.decode()


def test_hand_reading_task_hides_tiles():
    """A task is the view of a seat on turn."""
    for number in range(5):
        view = hand_reading.HandReadingTask(str(number)).view
        assert view.seat == view.turn
        assert len(view.hand) == view.tiles[view.seat]
        assert all(entry.tile is None for entry in view.log if entry.seat != view.seat)


def test_personal_data_is_exported_and_deleted(puzzle, charlie, browser_of):
    post(browser_of(charlie), puzzle, answer=puzzle.tried[0][0])
    services.request_analysis(puzzle.match, charlie)
    data = export_data(charlie)["study"]
    assert [row["match"] for row in data["analyses"]] == [puzzle.match.code]
    assert [row["puzzle"] for row in data["puzzles"]] == [puzzle.pk]
    services.forget(charlie)
    assert not PuzzleTry.objects.exists()
    assert Analysis.objects.get().asked_by is None


def test_puzzles_page_without_puzzles():
    assert "There are no puzzles yet." in Client().get("/learn/puzzles/").content.decode()


@pytest.mark.parametrize(
    ("address", "name"),
    [("/", "Play"), ("/watch/", "Watch"), ("/learn/", "Learn"), ("/learn/count/", "Learn")]
    + [("/leaderboard/", "Ranks"), ("/rules/", "Rules"), ("/es/learn/", "Aprender")],
)
def test_menu_marks_the_current_page(browser_of, address, name):
    menu = browser_of().get(address).text.partition('<nav aria-label="')[2].partition("</nav>")[0]

    marked = [entry for entry in menu.split("</a>") if 'aria-current="page"' in entry]
    assert len(marked) == 1 and name in marked[0]
