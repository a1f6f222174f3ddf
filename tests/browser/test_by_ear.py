"""Matches played by a program that hears only what is spoken and knows controls only by their names."""

import pytest
from playwright.sync_api import Page

from tests.browser.listening import Listener
from tests.browser.playing import shows, state
from tests.browser.tables import against_computers, table

AHEAD = 4  # matches, at which it is clear who plays better


def listener(page: Page) -> Listener:
    """Somebody who sits down at the page's match and is told who the others are, and their sides."""
    now = state(page)
    labels = [page.locator(f"#seat-{seat}").get_attribute("aria-label") for seat in range(len(now["seats"]))]
    names = [(label or "").partition(", ")[0] for label in labels]  # of a computer its level follows
    sides = {name: seat % len(now["scores"]) for seat, name in enumerate(names)}
    if len(now["scores"]) < len(names):
        sides |= {f"{names[seat]} and {names[seat + 2]}": seat for seat in (0, 1)}
    sides |= {name[:1].upper() + name[1:]: side for name, side in sides.items()}  # as sentences begin
    return Listener(page, sides | {"You": sides[names[now["you"]]]})


def play_by_ear(page: Page, most: int = 400) -> dict:
    """Play on until the match is over, or for so many moves; before each, what was heard is compared with what is."""
    player = listener(page)
    for _ in range(most):
        if not player.wait_for_own_turn():
            break
        agree(player, page)
        now = state(page)
        player.play()
        shows(page, now["version"] + 1)
    player.listen()
    return state(page)


def agree(player: Listener, page: Page) -> None:
    """The picture in the listener's head is the table as it is."""
    now = state(page)
    shows(page, now["version"])
    player.listen()
    assert sorted(player.hand()) == sorted(now["hand"])
    assert [player.points[side] for side in range(len(now["scores"]))] == now["scores"]
    if now["layout"] and player.suits:
        ends = list(now["ends"].values())
        heard = page.evaluate("heard.slice(-4)")
        assert player.suits in (ends, ends[:1] if len(now["layout"]) == 1 else ends), heard


def test_who_only_hears_wins_against_a_beginner_at_all_fives(visitor):
    page = visitor(guest=True)
    ahead = 0
    while abs(ahead) < AHEAD:
        against_computers(page, "all-fives", level="beginner")
        end = play_by_ear(page)
        assert end["status"] == "finished"
        ahead += 1 if end["result"]["winners"] == [0] else -1
    assert ahead == AHEAD


@pytest.mark.parametrize(
    ("preset", "seats", "target"),
    [("muggins-200", 2, "60"), ("sebastopol", 4, "20"), ("muggins-200-pairs", 4, "60"), ("draw", 3, "30")],
)
def test_their_picture_of_the_table_is_right_to_the_end(visitor, preset, seats, target):
    page = visitor(guest=True)
    computers = "," + ",".join(["beginner"] * (seats - 1))
    page.goto(
        table(page, preset, seats=str(seats), computers=computers, target=target, clock="none", private="on")
    )
    page.wait_for_url("**/games/**")
    assert play_by_ear(page)["status"] == "finished"
