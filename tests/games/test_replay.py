"""Replay, seal and record of a finished match."""

import json
import re
from datetime import timedelta
from itertools import pairwise

import pytest
from django.utils.translation import override

from boneyard.engine.moves import parse
from boneyard.engine.tiles import NAMES, members
from boneyard.engine.verification import verify
from games import repository, wording
from games.models import Match
from games.past.replay import build_replay
from games.repository import build_record
from tests.games.playing import begin, play, play_to_the_end, secret_of
from tests.html import collapse_whitespace

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_pause_for_calls(settings):
    settings.CALL_PAUSE_MS = 0


@pytest.fixture
def finished(alice, bob):
    return play_to_the_end(begin(alice, bob, rated=True))


def address(match, query: str = "") -> str:
    return f"/games/{match.code}/replay/{query}"


def names(mask: int) -> set[str]:
    return {NAMES[tile] for tile in members(mask)}


@pytest.mark.parametrize(
    ("seat", "reader", "corners"),
    [(None, None, [0, 1]), (None, 0, [0, 1]), (None, 1, [1, 0]), (0, 1, [0, 1]), (1, 0, [1, 0])],
)
def test_replay_puts_the_readers_seat_below(finished, seat, reader, corners):
    shown = build_replay(finished, 3, seat, reader)
    assert [plate.corner for plate in shown.plates] == corners
    names = [row.display_name for row in finished.seats.all()]
    assert shown.ahead.startswith(names[corners.index(0)])


@pytest.mark.parametrize(
    ("preset", "seats", "target", "chance"),
    [
        ("all-fives", 2, 40, 221),
        ("gomuggins", 3, 40, 221),
        ("muggins-200-pairs", 4, 20, 221),
        ("sebastopol", 4, 8, 7),
        ("draw-free", 2, 40, 221),
    ],
)
def test_replay_shows_every_move(alice, bob, charlie, django_user_model, preset, seats, target, chance):
    people = [alice, bob, charlie, django_user_model.objects.create_user("diana")][:seats]
    match = play_to_the_end(begin(*people, preset=preset, target=target), seed=chance)
    value = repository.initial_value(match)
    for row in match.moves.order_by("number"):
        ended = len(value.ended)
        value = value.play(row.seat, parse(row.text), row.claim)
        round_ = value.round if len(value.ended) == ended else value.ended[-1].round

        shown = build_replay(match, row.number, None)

        assert [side.score for side in shown.side_scores] == list(value.scores)
        assert [{name for name, _ in plate.tiles} for plate in shown.plates] == list(map(names, round_.hands))
        assert {name for name in re.findall(r'data-tile="(\d+-\d+)"', shown.line)} <= {
            NAMES[tile] for entry in round_.log for tile in members(entry.move.tiles)
        }
        assert shown.moves.count("is-now") == 1
        assert shown.sentence


def test_last_move_of_round_shows_end_and_points(alice, bob):
    match = play_to_the_end(begin(alice, bob, preset="draw", target=1))
    said = build_replay(match, match.version, None).sentence
    assert re.search(r"^(alice|bob) .+\. (\1 went out|Blocked: .+)\. (alice|bob) scores \d+\.", said), said
    assert "scores" not in build_replay(match, match.version - 1, None).sentence


def test_replay_of_a_seat_hides_other_hands(finished):
    shown = build_replay(finished, 3, seat=1)

    assert [bool(plate.tiles) for plate in shown.plates] == [False, True]
    assert shown.plates[0].hidden >= 5
    assert [plate.corner for plate in shown.plates] == [1, 0]


def test_plate_shows_draw_before_play(finished):
    drawn = finished.moves.filter(text="draw").order_by("number")
    assert drawn
    for row in drawn:
        shown = build_replay(finished, row.number, None)

        assert re.match(r"drew \d", str(shown.plates[row.seat].fact)), shown.plates[row.seat].fact


def test_plate_shows_draw_and_the_play_after_it(finished):
    moves = list(finished.moves.order_by("number"))
    played = [after for draw, after in pairwise(moves) if draw.text == "draw" and "-" in after.text]
    assert played
    for row in played:
        fact = str(build_replay(finished, row.number, None).plates[row.seat].fact)

        assert re.fullmatch(r"drew \d+ · <i>\d-\d</i>", fact), fact


def test_all_steps_are_links(finished, browser_of):
    page = browser_of().get(address(finished, "?move=2")).content.decode()

    for step in ("?move=0", "?move=1", "?move=3", f"?move={finished.version}"):
        assert f'href="{step}"' in page
    assert f'max="{finished.version}" value="2"' in collapse_whitespace(page)


@pytest.mark.parametrize(
    "query", ["?move=0", "?move=99999999", "?move=-3", "?move=x&seat=y", "?seat=9", "?move=²"]
)
def test_invalid_query_still_shows_a_move(finished, browser_of, query):
    assert browser_of().get(address(finished, query)).status_code == 200


@pytest.mark.parametrize("page", ["replay/", "verify/", "record.json"])
def test_running_match_has_no_replay(alice, bob, browser_of, page):
    match = begin(alice, bob)

    assert browser_of(alice).get(f"/games/{match.code}/{page}").status_code == 404


def test_replay_of_aborted_match_without_moves(alice, bob, browser_of):
    match = play(begin(alice, bob), "abort")

    assert browser_of().get(address(match)).status_code == 200


def test_last_move_of_round_shows_bonus(alice, bob):
    match = begin(alice, bob, seed="a")
    while not repository.get_value(match).ended:
        match = play(match)
    ended = repository.get_value(match).ended[-1]
    how = wording.round_sentence(ended.end, ((0,), (1,)), ["alice", "bob"], repository.get_value(match).rules)

    # No sum with the points of plays follows.
    assert build_replay(match, match.version, None).sentence.endswith(how)


def test_resignation_is_the_last_step(alice, bob):
    match = play(play(begin(alice, bob)), "resign")

    assert "resigned" in build_replay(match, match.version, None).sentence


def test_record_can_be_verified(finished, browser_of, tmp_path, capsys):
    from django.core.management import call_command

    record = browser_of().get(f"/games/{finished.code}/record.json")
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record.json()))

    call_command("verify_record", str(file))

    assert "attachment" in record["Content-Disposition"]


def test_times_of_a_record_do_not_run_backwards(finished):
    """The system's clock may be set back during a match."""
    first, second = finished.moves.order_by("number")[:2]
    finished.moves.filter(pk=second.pk).update(at=first.at - timedelta(hours=1))
    Match.objects.filter(pk=finished.pk).update(started_at=first.at - timedelta(minutes=1))

    record = build_record(Match.objects.get(pk=finished.pk))

    assert verify(record).result is not None
    assert record["rounds"][0]["moves"][1]["at"] == record["rounds"][0]["moves"][0]["at"]


def test_seal_is_on_fairness_page_during_match(alice, bob, browser_of):
    match = begin(alice, bob)

    page = browser_of().get("/fairness/").content.decode()

    assert match.seal in page
    assert secret_of(match.code) not in page


def test_fairness_pictures_and_verify_page_show_the_seal(finished, browser_of):
    secret = repository.build_record(finished)["rounds"][0]["secret"]
    for path, shown in (("/fairness/", []), (f"/games/{finished.code}/verify/", [finished.seal, secret])):
        page = browser_of().get(path).content.decode()
        story = page.partition('<ol class="story">')[2].partition("</ol>")[0]
        assert len(re.findall(r'role="img"\s+aria-label="[^"]+"', story)) == 3
        assert re.findall(r"<code>(\w+)…</code>", story) == [each[:16] for each in shown]


@pytest.mark.parametrize(
    ("commitments", "said", "unsaid"),
    [
        (["0" * 64, "1" * 64], "every player added", "Not every player"),
        (["0" * 64, None], "Not every player added", "No player added"),
        ([None, None], "No player added", "Nobody could choose"),
        (None, "hashes down to the seal", "every player added"),
    ],
)
def test_verify_page_says_who_added_to_the_shuffle(finished, browser_of, commitments, said, unsaid):
    finished.commitments = commitments
    finished.save()
    page = collapse_whitespace(browser_of().get(f"/games/{finished.code}/verify/").content.decode())
    assert said in page and unsaid not in page


def test_verify_page_does_not_say_that_computers_added(alice, browser_of):
    match = play_to_the_end(begin(alice, "casual", preset="draw", target=1))
    match.commitments = ["0" * 64 if seat.user_id == alice.pk else None for seat in match.seats.all()]
    match.save()
    page = collapse_whitespace(browser_of().get(f"/games/{match.code}/verify/").content.decode())
    assert "every person added some, the computers none" in page
    assert "every player added" not in page


def test_state_and_record_agree_on_last_round(alice, bob, charlie, django_user_model, browser_of):
    people = [alice, bob, charlie, django_user_model.objects.create_user("diana")]
    ends = []
    for seed in ("one", "two", "three"):
        match = play_to_the_end(begin(*people, preset="dominican", target=40, seed=seed), seed=1)
        state = browser_of().get(f"/games/{match.code}/state.json").json()
        end = repository.build_record(match)["rounds"][-1]["end"]
        assert state["last_round"]["end"] == end
        ends.append(end)
    assert any("extras" in end for end in ends)


@pytest.mark.parametrize("language", ["en", "es", "pt", "ru"])
def test_replay_addresses_its_players(alice, bob, browser_of, language):
    match = play_to_the_end(begin(alice, bob, preset="draw", target=1))
    with override(language):
        for number in range(match.version + 1):
            shown = build_replay(match, number, None, reader=0)
            told = f"{shown.sentence} {shown.lead}"
            assert "alice" not in told and "%" not in told
            assert shown.sentence
    page = browser_of(alice).get(address(match)).content.decode()
    assert "You " in page
    assert "alice leads" not in page and "alice played" not in page
