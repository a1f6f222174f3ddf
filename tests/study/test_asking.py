"""Having an ended match analysed: by whom, when, how often, and what is told of it."""

import json
from datetime import timedelta

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

import games.services
from accounts.models import User
from games.engine.presets import PRESETS
from study import services
from study.models import Analysis, SeatStudied
from tests.games.playing import begin, on_turn, play, play_to_the_end
from tests.markup import squeezed

pytestmark = pytest.mark.django_db

JSON = {"HTTP_ACCEPT": "application/json"}


@pytest.fixture
def ended(alice, bob):
    """A match that ended after a few moves by a resignation."""
    return resigned(begin(alice, bob))


def resigned(match, moves: int = 6):
    for _ in range(moves):
        match = play(match)
    seat = on_turn(match)
    return games.services.play(match=match, seat=seat, move="resign", seen_version=match.version)


def shown(answer) -> str:
    assert answer.status_code == 200
    return squeezed(answer.content.decode())


def ask(client, match, **headers):
    return client.post(f"/games/{match.code}/analysis", **headers)


def test_one_press_has_a_match_analysed_and_everybody_sees_it(alice, bob, browser_of, ended):
    answer = ask(browser_of(alice), ended)
    assert (answer.status_code, answer.url) == (303, f"/games/{ended.code}/analysis/")

    call_command("analyse", "--waiting")

    told = Client().get(f"/games/{ended.code}/analysis.json").json()
    assert (told["state"], told["progress"], told["engine"]) == ("done", 1.0, "2")
    assert set(told) == {
        "match", "state", "progress", "engine", "decisions", "calls", "skill", "luck",
    }  # fmt: skip
    for decision in told["decisions"]:
        assert set(decision) == {
            "number", "seat", "move", "claim", "best", "best_claim", "loss", "error", "mark",
        }  # fmt: skip
    page = shown(Client().get(f"/games/{ended.code}/analysis/"))
    assert "Try again" in page or "there was nothing to decide" in page
    assert "What lay there" in page


def test_until_it_is_done_the_page_says_how_far_it_is(alice, browser_of, ended):
    ask(browser_of(alice), ended)
    analysis = services.take(timezone.now())
    services.tell(analysis, 0.4)

    page = shown(Client().get(f"/games/{ended.code}/analysis/"))

    assert 'value="0.4"' in page
    assert "Every decision is being looked at again." in page
    assert 'http-equiv="refresh"' in page
    assert Client().get(f"/games/{ended.code}/analysis.json").json()["progress"] == 0.4


def test_a_running_match_is_not_analysed(alice, bob, browser_of):
    match = begin(alice, bob)
    play(match)
    client = browser_of(alice)
    assert ask(client, match).status_code == 404
    told = ask(client, match, **JSON)
    assert (told.status_code, told.json()["reason"]) == (404, "playing")
    assert client.get(f"/games/{match.code}/analysis/").status_code == 404
    assert client.get(f"/games/{match.code}/analysis.json").status_code == 404
    assert not Analysis.objects.exists()


def test_before_it_is_asked_for_there_is_no_analysis_but_a_button(ended):
    assert Client().get(f"/games/{ended.code}/analysis.json").status_code == 404
    assert "Analyse this match" in shown(Client().get(f"/games/{ended.code}/analysis/"))


def test_who_has_no_name_is_told_to_become_a_guest(ended):
    answer = ask(Client(), ended, **JSON)
    assert (answer.status_code, answer.json()["reason"]) == (403, "nobody")


def test_a_guest_may_ask(ended):
    guest = get_user_model().objects.create_user("guest1", is_guest=True)
    client = Client()
    client.force_login(guest)
    assert ask(client, ended, **JSON).status_code == 202


def test_who_asks_again_gets_the_same(alice, bob, browser_of, ended):
    first = ask(browser_of(alice), ended, **JSON).json()
    assert ask(browser_of(bob), ended, **JSON).json() == first
    assert Analysis.objects.count() == 1


def test_over_the_limit_of_a_day_nothing_more_is_begun(alice, bob, browser_of, ended, monkeypatch):
    monkeypatch.setattr(services, "A_DAY", 1)
    client = browser_of(alice)
    other = resigned(begin(alice, bob, seed="other"))
    assert ask(client, ended, **JSON).status_code == 202
    refused = ask(client, other, **JSON)
    assert (refused.status_code, refused.json()["reason"]) == (429, "limit")
    assert ask(client, ended, **JSON).status_code == 202
    Analysis.objects.update(asked_at=timezone.now() - timedelta(days=1, minutes=1))
    assert ask(client, other, **JSON).status_code == 202


def test_guests_who_are_easily_many_have_a_smaller_limit(alice, bob, browser_of, ended, monkeypatch):
    monkeypatch.setattr(services, "A_DAY_OF_A_GUEST", 1)
    User.objects.filter(pk=alice.pk).update(is_guest=True)
    other = resigned(begin(alice, bob, seed="other"))
    assert ask(browser_of(alice), ended, **JSON).status_code == 202
    assert ask(browser_of(alice), other, **JSON).status_code == 429
    assert ask(browser_of(bob), other, **JSON).status_code == 202


def test_a_process_that_died_costs_time_and_nothing_else(alice, browser_of, ended):
    ask(browser_of(alice), ended)
    now = timezone.now()
    assert services.take(now) is not None
    assert services.take(now) is None
    assert services.take(now + timedelta(minutes=3)) is not None


def test_what_fails_again_and_again_is_given_up_and_may_be_asked_for_again(alice, browser_of, ended):
    ask(browser_of(alice), ended)
    now = timezone.now()
    for _ in range(services.TRIES):
        now += timedelta(minutes=5)
        assert services.take(now) is not None
    assert services.take(now + timedelta(minutes=5)) is None
    page = shown(Client().get(f"/games/{ended.code}/analysis/"))
    assert "The analysis did not come to an end." in page
    assert ask(browser_of(alice), ended, **JSON).json()["state"] == "queued"


def test_a_newer_engine_may_be_asked_for(alice, browser_of, ended):
    ask(browser_of(alice), ended)
    call_command("analyse", "--waiting")
    assert ask(browser_of(alice), ended, **JSON).json()["state"] == "done"
    Analysis.objects.update(engine="0")
    page = shown(Client().get(f"/games/{ended.code}/analysis/"))
    assert "Analyse it again with the newer engine" in page
    assert ask(browser_of(alice), ended, **JSON).json()["state"] == "queued"


def test_a_private_match_is_seen_by_link_and_not_indexed(alice, bob, browser_of, ended):
    type(ended).objects.update(private=True)
    for path in ("analysis/", "analysis.json"):
        ask(browser_of(alice), ended)
        answer = Client().get(f"/games/{ended.code}/{path}")
        assert (answer.status_code, answer["X-Robots-Tag"]) == (200, "noindex")


@pytest.mark.parametrize(
    ("preset", "computers"), [("gomuggins", []), ("block", []), ("muggins-200-pairs", ["casual"] * 2)]
)
def test_every_move_of_a_match_has_its_page(alice, bob, settings, preset, computers):
    settings.CALL_PAUSE_MS = 0
    match = resigned(begin(alice, bob, *computers, preset=preset), 9)
    services.ask(match, alice)
    call_command("analyse", "--waiting")
    client = Client()
    for number in range(1, match.version + 1):
        for query in (f"?move={number}", f"?move={number}&try=1"):
            assert client.get(f"/games/{match.code}/analysis/{query}").status_code == 200


def test_trying_again_hides_the_best_move_and_answers_with_the_loss(alice, bob, browser_of):
    match = play_to_the_end(begin(alice, bob, target=30))
    services.ask(match, alice)
    call_command("analyse", "--waiting")
    result = Analysis.objects.get().result
    row = max((each for each in result["decisions"] if each["tried"]), key=lambda each: each["loss"])
    client, address = browser_of(alice), f"/games/{match.code}/analysis/?move={row['number']}&try=1"

    asked = shown(client.get(address))
    assert "What would you play?" in asked
    assert "What lay there" not in asked and 'class="judged' not in asked

    assert "That is the best move." in shown(client.get(f"{address}&answer={row['best']}"))
    worst = row["tried"][-1]
    if worst[2] >= 2 * worst[3] and worst[2] >= 0.01:
        assert "of the match. Try another." in shown(client.get(f"{address}&answer={worst[0]}"))
    assert client.get(f"{address}&answer=nonsense").status_code == 200


def test_each_seat_is_summed_up(alice, bob, ended):
    services.ask(ended, alice)
    call_command("analyse", "--waiting")
    studied = list(SeatStudied.objects.order_by("seat__position"))
    result = Analysis.objects.get().result
    assert [each.decisions for each in studied] == [
        sum(row["seat"] == seat for row in result["decisions"]) for seat in (0, 1)
    ]


def test_files_of_records_are_analysed_without_a_database_row(tmp_path, capsys):
    file, rules = tmp_path / "records", tmp_path / "rules.json"
    rules.write_text(json.dumps(PRESETS["block"].rules.replace(target=20).as_dict()))
    call_command("selfplay", "--rules", str(rules), "--seed", "files", "--out", str(file))
    call_command("analyse", str(file))
    assert '"decisions"' in capsys.readouterr().out
    assert not Analysis.objects.exists()
