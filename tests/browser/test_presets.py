"""Every preset played to its end in a browser against computers."""

from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import (
    button,
    dismiss_round_end,
    get_state,
    match_code,
    play_to_the_end,
    wait_for_action,
    wait_for_version,
)
from tests.browser.tables import open_table, post_move

# Seats, and a low target for a match of about one round; all other rules are the preset's.
PLAYED_BY_BUTTONS = {
    "all-fives": (2, 10),
    "draw": (3, 5),
    "block": (4, 5),
    "gomuggins": (2, 15),
    "muggins-200": (2, 5),
    "muggins-200-pairs": (4, 5),
    "muggins-exact-61": (2, 1),
    "muggins-scoring-lead": (3, 2),
    "muggins-61": (3, 6),
    "block-doublet": (2, 2),
    "draw-free": (2, 5),
    "fives-and-threes": (2, 5),
    "fives-and-threes-pairs": (4, 2),
    "fives-and-threes-league": (2, 6),
    "sebastopol": (4, 3),
}
PLAYED_OVER_HTTP = {
    "dominican": (4, 5),
    "puerto-rico-500": (4, 5),
    "puerto-rico-200": (4, 5),
    "pairs-international": (4, 5),
    "pairs-spain": (4, 5),
    "venezuelan": (4, 5),
    "cuban": (4, 5),
    "jamaican-partner": (4, 1),
    "jamaican-cutthroat": (2, 1),
    "kozel": (2, 13),
    "kozel-pairs": (4, 13),
    "bones": (2, 20),
    "bones-pairs": (4, 20),
    "big-six": (2, 10),
    "five-up": (2, 4),
    "five-up-pairs": (4, 5),
    "merry-go-round": (2, 2),
    "bergen": (2, 3),
    "sebastopol-singles": (4, 10),
    "muggins-exact-61-pairs": (4, 1),
    "muggins-scoring-lead-pairs": (4, 1),
    "block-doublet-pairs": (4, 2),
    "draw-free-pairs": (4, 3),
    "muggins-61-pairs": (4, 5),
}
GAMES = PLAYED_BY_BUTTONS | PLAYED_OVER_HTTP


def begin(page: Page, preset: str) -> None:
    """Start a match against computers and open it."""
    seats, target = GAMES[preset]
    computers = ",".join(["", *["beginner"] * (seats - 1)])
    page.goto(
        open_table(page, preset, seats=str(seats), target=str(target), computers=computers, private="on")
    )
    match_code(page)


@pytest.mark.parametrize("preset", PLAYED_BY_BUTTONS)
def test_preset_played_by_buttons(open_page, preset):
    page = open_page(guest=True)
    begin(page, preset)

    end = play_to_the_end(page, seed=GAMES[preset][0])

    assert end["result"]["how"] in ("target", "rounds")


@pytest.mark.parametrize("preset", PLAYED_OVER_HTTP)
def test_preset_played_over_http(open_page, preset):
    page, chance = open_page(guest=True), Random(5)
    begin(page, preset)
    while (what := wait_for_action(page)[1]) != "over":
        now = get_state(page)
        if what == "continue":
            dismiss_round_end(page)
        elif now["legal"] and (after := post_move(page, chance.choice(now["legal"]), now)):
            wait_for_version(page, after["version"])
    expect(page.locator("#over")).to_be_visible()
    expect(button(page, "Rematch")).to_be_visible()
