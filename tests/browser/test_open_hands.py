"""Open hands at the end of a round: each is beside its owner's plate, without overlaps."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.tables import (
    open_match,
    play_until,
    post_move,
    start_against_computers,
    start_unwatched_match,
    wait_for_turn,
)
from tests.browser.test_screens import OVERLAPPING_SCENE_JS, OVERLAPPING_TEXT_JS, size

SCREENS = [(390, 844), (360, 640), (768, 1024), (1024, 768), (1280, 800)]

# Hands that are nearer to another plate, or have neither a visible plate nor a name.
MISPLACED_HANDS_JS = """() => {
    const middle = part => {
        const { x, y, width, height } = part.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    };
    const far = (one, other) => Math.hypot(...middle(one).map((at, i) => at - middle(other)[i]));
    const seen = part => part.checkVisibility({ visibilityProperty: true });
    const plates = [...document.querySelectorAll(".seat")].filter(seen);
    return [...document.querySelectorAll(".open-hands")].filter(hand => {
        const corner = hand.className.match(/corner-(\\d)/)[1];
        const own = plates.find(plate => plate.matches(`.plate-${corner}`));
        if (!own) return hand.firstElementChild.getBoundingClientRect().width < 8;
        return plates.some(plate => plate !== own && far(plate, hand) < far(own, hand));
    }).map(hand => hand.textContent.trim());
}"""

# Overlapping hands, and plates or hands that overlap the ledger or leave the felt.
OVERLAPPING_HANDS_JS = """() => {
    const box = part => part.getBoundingClientRect();
    const hands = [...document.querySelectorAll(".open-hands")];
    const felt = box(document.querySelector("#table")), ledger = box(document.querySelector(".ledger"));
    const pairs = hands.flatMap((one, i) => hands.slice(i + 1).map(other => [one, other]));
    const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
        && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
    const plates = [...document.querySelectorAll(".seat")].filter(
        plate => plate.checkVisibility({ visibilityProperty: true }));
    return [
        ...pairs.filter(([one, other]) => meet(box(one), box(other))),
        ...[...hands, ...plates].filter(part => meet(box(part), ledger) || box(part).top < felt.top
            || box(part).left < felt.left || box(part).right > felt.right).map(part => [part]),
    ].map(parts => parts.map(part => part.textContent.replace(/\\s+/g, " ").trim()));
}"""


def assert_hands_placed_well(page: Page, *screens: tuple[int, int]) -> None:
    for width, height in screens:
        page.set_viewport_size(size(width, height))
        assert page.evaluate(OVERLAPPING_HANDS_JS) == [], (width, height)
        assert page.evaluate(MISPLACED_HANDS_JS) == [], (width, height)
        assert page.evaluate(OVERLAPPING_TEXT_JS) == [], (width, height)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        # on a phone the lower plate is hidden
        if width > 860:
            assert page.evaluate(OVERLAPPING_SCENE_JS) == [], (width, height)


def closed(page: Page) -> Page:
    expect(page.locator("#over")).to_be_visible()
    page.locator("#close-sheet").click()
    expect(page.locator("#over")).to_be_hidden()
    return page


@pytest.mark.parametrize("language", ["en-GB", "ru", "es"])
def test_four_full_hands_are_beside_their_plates(open_page, language):
    page = open_page(guest=True, locale=language)
    start_against_computers(page, "dominican", 4)
    page, now = wait_for_turn(page)  # computers may play first
    post_move(page, "resign", now)
    expect(page.locator(".open-hands")).to_have_count(4)
    expect(page.locator("#over")).to_be_focused()
    assert_hands_placed_well(closed(page), *SCREENS)


@pytest.mark.parametrize(("preset", "seats"), [("all-fives", 2), ("all-fives", 3), ("sebastopol", 4)])
def test_hands_are_beside_plates_for_players_and_spectators(open_page, preset, seats):
    players = [open_page(guest=True) for _ in range(seats)]
    code = start_unwatched_match(*players, preset=preset, target="10")
    play_until(lambda now: now["status"] == "finished", *players, code=code)
    spectator = open_page()
    open_match(code, players[0], spectator)
    for page in (players[0], spectator):
        assert_hands_placed_well(closed(page), *SCREENS)
