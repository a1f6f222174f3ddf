"""Matches played from live regions and accessible names alone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from games.computer.one_ply import points_for, take_most_points
from games.engine.matches import begin_with_keys
from games.engine.moves import Move, parse
from games.engine.perspective import View, perspective
from games.engine.rules import Rules
from games.engine.shuffle import published_keys
from games.engine.tiles import pips
from tests.browser.playing import get_state, match_code, wait_for_version
from tests.browser.screen_reader import ScreenReaderPlayer
from tests.browser.tables import open_table

MAX_ROUNDS = {"rule-rounds": "2"}  # among beginners a match may be long


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


def sit_down(page: Page, preset: str, seats: int, target: str) -> None:
    """Start a match against beginners and open it."""
    computers = "," + ",".join(["beginner"] * (seats - 1))
    page.goto(
        open_table(
            page,
            preset,
            seats=str(seats),
            computers=computers,
            target=target,
            clock="none",
            private="on",
            **MAX_ROUNDS,
        )
    )
    match_code(page)


def play_by_ear(page: Page, most: int = 400) -> dict:
    """Play at most `most` moves, comparing the announcements with the state before each. Return the last state."""
    player = listener(page)
    for _ in range(most):
        if not player.wait_for_own_turn():
            break
        agree(player, page)
        now = get_state(page)
        player.play()
        wait_for_version(page, now["version"] + 1)
    player.listen()
    return get_state(page)


def agree(player: ScreenReaderPlayer, page: Page) -> None:
    """Assert that the announced hand, scores and ends equal the state."""
    now = get_state(page)
    wait_for_version(page, now["version"])
    player.listen()
    hand = player.hand()
    if get_state(page)["version"] != now["version"]:  # a computer has called meanwhile
        agree(player, page)
        return
    assert sorted(hand) == sorted(now["hand"])
    assert [player.points[side] for side in range(len(now["scores"]))] == now["scores"]
    if now["layout"] and player.suits:
        ends = list(now["ends"].values())
        heard = page.evaluate("heard.slice(-4)")
        assert player.suits in (ends, ends[:1] if len(now["layout"]) == 1 else ends), heard


def test_screen_reader_player_makes_best_scoring_moves(open_page):
    """Each move scores as much as that of `casual`, which beats `beginner` (tests/computer/test_players.py)."""
    page = open_page(guest=True)
    sit_down(page, "all-fives", 2, "100")
    assert play_by_ear(page)["status"] == "finished"

    for view, move in own_turns(page.request.get(f"/games/{match_code(page)}/record.json").json()):
        assert points_and_pips(view, move) == points_and_pips(view, take_most_points(view)), (view.hand, move)


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


@pytest.mark.parametrize(
    ("preset", "seats", "target"),
    [("muggins-200", 2, "60"), ("sebastopol", 4, "20"), ("muggins-200-pairs", 4, "60"), ("draw", 3, "30")],
)
def test_announcements_match_state_to_the_end(open_page, preset, seats, target):
    page = open_page(guest=True)
    sit_down(page, preset, seats, target)
    assert play_by_ear(page)["status"] == "finished"
