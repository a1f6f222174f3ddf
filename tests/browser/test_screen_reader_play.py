"""Matches played from live regions and accessible names alone."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from boneyard.computer.one_ply import points_for, take_most_points
from boneyard.engine.matches import begin_with_keys
from boneyard.engine.moves import Move, parse
from boneyard.engine.perspective import View, perspective
from boneyard.engine.rules import Rules
from boneyard.engine.shuffle import published_keys
from boneyard.engine.tiles import pips
from tests.browser.playing import get_state, match_code, wait_for_version
from tests.browser.screen_reader import ScreenReaderPlayer, read_transcript
from tests.browser.stored import DealUnsuitable
from tests.browser.tables import MATCH_SECONDS, open_alone
from tests.waiting import attempts


def listener(page: Page) -> ScreenReaderPlayer:
    """Return a player for the page's match, with the names and sides of all seats."""
    now = get_state(page)
    labels = [page.locator(f"#seat-{seat}").get_attribute("aria-label") for seat in range(len(now["seats"]))]
    names = [(label or "").partition(", ")[0] for label in labels]  # a computer's level follows
    sides = {name: seat % len(now["scores"]) for seat, name in enumerate(names)}
    if len(now["scores"]) < len(names):
        sides |= {f"{names[seat]} and {names[seat + 2]}": seat for seat in (0, 1)}
    sides |= {name[:1].upper() + name[1:]: side for name, side in sides.items()}  # at the start of a sentence
    return ScreenReaderPlayer(page, sides | {"You": sides[names[now["you"]]]})


def play_by_ear(page: Page, is_enough: Callable[[dict], bool] = lambda _now: False) -> dict:
    """Play until `is_enough(state)` or to the end, comparing what was said with the state before each move.

    Return the last state.
    """
    player = listener(page)
    for _ in attempts("the end of the match", seconds=MATCH_SECONDS):
        if not player.wait_for_own_turn():
            break
        now = agree(player, page)
        if is_enough(now):
            break
        player.play()
        wait_for_version(page, now["version"] + 1)
    return get_state(page)


def agree(player: ScreenReaderPlayer, page: Page) -> dict:
    """Assert that the announced hand, scores and ends equal the state. Return it."""
    now = get_state(page)
    wait_for_version(page, now["version"])
    player.listen()
    hand = player.hand()
    if get_state(page)["version"] != now["version"]:  # a computer has called meanwhile
        return agree(player, page)
    assert sorted(hand) == sorted(now["hand"])
    assert [player.points[side] for side in range(len(now["scores"]))] == now["scores"]
    heard = page.evaluate("heard")
    if now["layout"] and (player.suits or any(re.search(r" (led|played) ", said) for said in heard)):
        ends = list(now["ends"].values())
        assert player.suits in (ends, ends[:1] if len(now["layout"]) == 1 else ends), heard[-4:]
    return now


def is_first_own_turn(now: dict) -> bool:
    return now["you"] == 0 and now["version"] < 2


def is_late_in_first_round(now: dict) -> bool:
    if now["last_round"]:
        raise DealUnsuitable
    return now["you"] == 0 and len(now["hand"]) == 3


def test_screen_reader_player_makes_best_scoring_moves(open_page):
    """Each move scores as much as that of `casual`, which beats `beginner` (tests/computer/test_players.py)."""
    page = open_page(guest=True)
    before = open_alone(page, ["beginner"], is_first_own_turn, **{"rule-rounds": "1"})["version"]
    assert play_by_ear(page)["status"] == "finished"

    record = page.request.get(f"/games/{match_code(page)}/record.json").json()
    for view, move in own_turns(record):
        if view.move_count >= before:
            assert points_and_pips(view, move) == points_and_pips(view, take_most_points(view)), (
                view.hand,
                move,
            )


def own_turns(record: dict) -> Iterator[tuple[View, Move]]:
    """Yield the view and the move of each turn of the first seat."""
    keys = published_keys(record["seal"], [round_["secret"] for round_ in record["rounds"]])
    match = begin_with_keys(Rules.from_dict(record["rules"]), len(record["seats"]), keys, record["entropy"])
    for row in (row for round_ in record["rounds"] for row in round_["moves"]):
        move = parse(row["move"])
        if row["seat"] == 0:
            yield perspective(match, 0), move
        match = match.play(row["seat"], move)


def points_and_pips(view: View, move: Move) -> tuple[int, int]:
    return points_for(view, move), pips(move.tiles)


def is_well_into_second_round(now: dict) -> bool:
    return now["round"] == 2 and [laid["seat"] for laid in now["layout"]].count(0) == 2


@pytest.mark.parametrize(
    ("preset", "seats"), [("muggins-200", 2), ("sebastopol", 4), ("muggins-200-pairs", 4), ("draw", 3)]
)
def test_announcements_match_state_into_the_second_round(open_page, preset, seats):
    page = open_page(guest=True)
    open_alone(page, ["beginner"] * (seats - 1), is_late_in_first_round, preset=preset)
    assert is_well_into_second_round(play_by_ear(page, is_well_into_second_round))


def test_listener_of_dominican_pairs_misses_no_move_sum_or_hand(open_page):
    page = open_page(guest=True)
    open_alone(page, ["beginner"] * 3, is_late_in_first_round, preset="dominican")
    names = others_in_turn(page)
    play_by_ear(page, is_well_into_second_round)

    said = read_transcript(page)
    turns = [each.text for each in said if "Your turn. Ends" in each.text]
    assert len(turns) > 1
    assert re.findall("|".join(names), turns[-1].partition("Your turn")[0]) == names, turns
    (end,) = [each.text for each in said if "Score:" in each.text]
    assert re.search(r"\d \+ \d", end) and "Round 2" not in end
    assert any(re.search(r"Round 2\..*Your hand:", each.text) for each in said)
    # Cut are only moves that the call to the turn repeats.
    lost = [each.text for each in said if each.is_cut]
    repeated = re.compile(rf"({'|'.join(names)}|You) (led|played|passed)")
    assert all(repeated.match(text) and "Score" not in text for text in lost), lost


def others_in_turn(page: Page) -> list[str]:
    """Return the names of the other seats, as they follow the first one."""
    labels = [page.locator(f"#seat-{seat}").get_attribute("aria-label") or "" for seat in (1, 2, 3)]
    return [label.partition(", ")[0] for label in labels]
