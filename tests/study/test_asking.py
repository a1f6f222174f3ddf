"""Requests for analyses, their limits, and the pages and JSON of the result."""

import json
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

import games.services
from accounts.models import User
from boneyard.engine.presets import PRESETS
from study import services
from study.models import Analysis, SeatStudied
from study.wording import game_with_target
from tests.games.playing import begin, on_turn, play
from tests.html import collapse_whitespace

pytestmark = pytest.mark.django_db

JSON = {"HTTP_ACCEPT": "application/json"}


@pytest.fixture
def ended(alice, bob):
    """Return a match that ended by a resignation after a few moves."""
    return resigned(begin_small(alice, bob))


def begin_small(*people, **rules):
    """Begin a match with few tiles in hand: each of its decisions is analysed quickly."""
    return begin(*people, hand_size=dict.fromkeys("234", 4), **rules)


def resigned(match, moves: int = 5):
    for _ in range(moves):
        match = play(match)
    seat = on_turn(match)
    return games.services.play(match=match, seat=seat, move="resign", seen_version=match.version)


def page_text(response) -> str:
    assert response.status_code == 200
    return collapse_whitespace(response.content.decode())


def request_analysis(client, match, **headers):
    return client.post(f"/games/{match.code}/analysis", **headers)


def test_analysis_is_requested_and_public(alice, bob, browser_of, ended):
    response = request_analysis(browser_of(alice), ended)
    assert (response.status_code, response.url) == (303, f"/games/{ended.code}/analysis/")

    call_command("analyse", "--waiting")

    data = Client().get(f"/games/{ended.code}/analysis.json").json()
    assert (data["state"], data["progress"], data["engine"]) == ("done", 1.0, "4")
    assert set(data) == {
        "match", "state", "progress", "engine", "decisions", "calls", "skill", "luck", "play", "balance",
    }  # fmt: skip
    for decision in data["decisions"]:
        assert set(decision) == {
            "number", "seat", "move", "claim", "best", "best_claim", "loss", "error", "points", "mark",
        }  # fmt: skip
    page = page_text(Client().get(f"/games/{ended.code}/analysis/"))
    assert "Try again" in page or "there was nothing to decide" in page
    assert "What lay there" in page


def test_page_shows_progress_of_running_analysis(alice, browser_of, ended):
    request_analysis(browser_of(alice), ended)
    analysis = services.take_next(timezone.now())
    services.store_progress(analysis, 0.4)

    page = page_text(Client().get(f"/games/{ended.code}/analysis/"))

    assert 'value="0.4"' in page
    assert "Every decision is being looked at again." in page
    assert 'http-equiv="refresh"' in page
    assert Client().get(f"/games/{ended.code}/analysis.json").json()["progress"] == 0.4


def test_running_match_is_refused(alice, bob, browser_of):
    match = begin(alice, bob)
    play(match)
    client = browser_of(alice)
    assert request_analysis(client, match).status_code == 404
    data = request_analysis(client, match, **JSON)
    assert (data.status_code, data.json()["reason"]) == (404, "playing")
    assert client.get(f"/games/{match.code}/analysis/").status_code == 404
    assert client.get(f"/games/{match.code}/analysis.json").status_code == 404
    assert not Analysis.objects.exists()


def test_page_without_analysis_has_a_button(ended):
    assert Client().get(f"/games/{ended.code}/analysis.json").status_code == 404
    assert "Analyse this match" in page_text(Client().get(f"/games/{ended.code}/analysis/"))


def test_anonymous_user_is_refused(ended):
    response = request_analysis(Client(), ended, **JSON)
    assert (response.status_code, response.json()["reason"]) == (403, "nobody")


def test_guest_may_request_analysis(ended):
    guest = get_user_model().objects.create_user("guest1", is_guest=True)
    client = Client()
    client.force_login(guest)
    assert request_analysis(client, ended, **JSON).status_code == 202


def test_second_request_returns_same_analysis(alice, bob, browser_of, ended):
    first = request_analysis(browser_of(alice), ended, **JSON).json()
    assert request_analysis(browser_of(bob), ended, **JSON).json() == first
    assert Analysis.objects.count() == 1


def test_daily_limit_is_enforced(alice, bob, browser_of, ended, monkeypatch):
    monkeypatch.setattr(services, "MAX_ANALYSES_PER_DAY", 1)
    client = browser_of(alice)
    other = resigned(begin_small(alice, bob, seed="other"))
    assert request_analysis(client, ended, **JSON).status_code == 202
    refused = request_analysis(client, other, **JSON)
    assert (refused.status_code, refused.json()["reason"]) == (429, "limit")
    assert request_analysis(client, ended, **JSON).status_code == 202
    Analysis.objects.update(asked_at=timezone.now() - timedelta(days=1, minutes=1))
    assert request_analysis(client, other, **JSON).status_code == 202


def test_guests_have_a_lower_limit(alice, bob, browser_of, ended, monkeypatch):
    monkeypatch.setattr(services, "MAX_GUEST_ANALYSES_PER_DAY", 1)
    User.objects.filter(pk=alice.pk).update(is_guest=True)
    other = resigned(begin_small(alice, bob, seed="other"))
    assert request_analysis(browser_of(alice), ended, **JSON).status_code == 202
    assert request_analysis(browser_of(alice), other, **JSON).status_code == 429
    assert request_analysis(browser_of(bob), other, **JSON).status_code == 202


def test_stale_analysis_is_taken_again(alice, browser_of, ended):
    request_analysis(browser_of(alice), ended)
    now = timezone.now()
    assert services.take_next(now) is not None
    assert services.take_next(now) is None
    assert services.take_next(now + timedelta(minutes=3)) is not None


def test_analysis_fails_after_max_tries_and_may_be_requested_again(alice, browser_of, ended):
    request_analysis(browser_of(alice), ended)
    now = timezone.now()
    for _ in range(services.MAX_TRIES):
        now += timedelta(minutes=5)
        assert services.take_next(now) is not None
    assert services.take_next(now + timedelta(minutes=5)) is None
    page = page_text(Client().get(f"/games/{ended.code}/analysis/"))
    assert "The analysis did not come to an end." in page
    assert request_analysis(browser_of(alice), ended, **JSON).json()["state"] == "queued"


def test_older_engine_result_may_be_requested_again(alice, browser_of, ended):
    request_analysis(browser_of(alice), ended)
    call_command("analyse", "--waiting")
    assert request_analysis(browser_of(alice), ended, **JSON).json()["state"] == "done"
    analysis = Analysis.objects.get()
    for name in ("balance", "points"):
        for row in (analysis.result, *analysis.result["decisions"]):
            row.pop(name, None)
    Analysis.objects.update(engine="2", result=analysis.result | {"luck": None, "play": None})
    page = page_text(Client().get(f"/games/{ended.code}/analysis/"))
    assert "Analyse it again with the newer engine" in page
    assert "An older engine made this analysis" in page
    assert Client().get(f"/games/{ended.code}/analysis.json").json()["balance"] is None
    assert request_analysis(browser_of(alice), ended, **JSON).json()["state"] == "queued"


def test_private_match_is_not_indexed(alice, bob, browser_of, ended):
    type(ended).objects.update(private=True)
    for path in ("analysis/", "analysis.json"):
        request_analysis(browser_of(alice), ended)
        response = Client().get(f"/games/{ended.code}/{path}")
        assert (response.status_code, response["X-Robots-Tag"]) == (200, "noindex")


@pytest.mark.parametrize(
    ("preset", "computers"), [("gomuggins", []), ("block", []), ("muggins-200-pairs", ["casual"] * 2)]
)
def test_every_move_has_a_page(alice, bob, settings, preset, computers):
    settings.CALL_PAUSE_MS = 0
    match = resigned(begin_small(alice, bob, *computers, preset=preset))
    services.request_analysis(match, alice)
    call_command("analyse", "--waiting")
    client = Client()
    for number in range(1, match.version + 1):
        for query in (f"?move={number}", f"?move={number}&try=1"):
            assert client.get(f"/games/{match.code}/analysis/{query}").status_code == 200


def test_trying_hides_best_move_and_grades_answers(alice, bob, browser_of):
    match = resigned(begin(alice, bob), 3)
    services.request_analysis(match, alice)
    call_command("analyse", "--waiting")
    result = Analysis.objects.get().result
    row = max((each for each in result["decisions"] if each["tried"]), key=lambda each: each["loss"])
    client, address = browser_of(alice), f"/games/{match.code}/analysis/?move={row['number']}&try=1"

    asked = page_text(client.get(address))
    assert "What would you play?" in asked
    assert "What lay there" not in asked and "ghost-best" not in asked
    assert 'id="hand"' in asked and 'id="play"' in asked  # the rack of the table

    assert "That is the best move." in page_text(client.post(address, {"move": row["best"]}))
    worst = row["tried"][-1]
    assert worst[2] >= 2 * worst[3] and worst[2] >= 0.01
    assert "That lowers your chance to win by" in page_text(client.post(address, {"answer": worst[0]}))
    assert client.post(address, {"answer": "nonsense"}).status_code == 200


def test_seat_summaries_are_stored(alice, bob, ended):
    services.request_analysis(ended, alice)
    call_command("analyse", "--waiting")
    studied = list(SeatStudied.objects.order_by("seat__position"))
    result = Analysis.objects.get().result
    assert [each.decisions for each in studied] == [
        sum(row["seat"] == seat for row in result["decisions"]) for seat in (0, 1)
    ]


def test_record_files_are_analysed_without_database(tmp_path, capsys):
    file, rules = tmp_path / "records", tmp_path / "rules.json"
    short = PRESETS["block"].rules.replace(target=5, hand_size=dict.fromkeys("234", 3))
    rules.write_text(json.dumps(short.as_dict()))
    call_command("selfplay", "--rules", str(rules), "--seed", "files", "--out", str(file))
    call_command("analyse", str(file))
    assert '"decisions"' in capsys.readouterr().out
    assert not Analysis.objects.exists()


def test_analysis_names_the_pairs_and_whose_the_scores_are(alice, bob):
    match = resigned(begin(alice, bob, "casual", "club", preset="pairs-international"))
    page = page_text(Client().get(f"/games/{match.code}/analysis/"))
    assert "The analysis: alice &amp; Otto, bob &amp; Vesna</h1>" in page
    assert "alice &amp; Otto 0 – bob &amp; Vesna 0." in page


@pytest.mark.parametrize(
    ("preset", "text"), [("block", "Game, first past 100"), ("kozel", "Game, first to 101 loses")]
)
def test_game_with_its_target(preset, text):
    assert game_with_target("Game", PRESETS[preset].rules) == text
