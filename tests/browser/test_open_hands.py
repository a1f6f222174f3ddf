"""Open hands at the end of a round: each is beside its owner's plate, without overlaps."""

from playwright.sync_api import Page, expect

from games.models import Seat
from tests.browser.layout import (
    LONGEST_GUESTS,
    NO_OVERLAPPING_TEXT,
    NO_SIDEWAYS_SCROLL,
    OVERLAPPING_SCENE_JS,
    Check,
    Position,
    become_guest,
    find_faults_at,
    is_first,
    open_position,
    set_language,
)
from tests.browser.stored import change_rows
from tests.browser.tables import open_ended_match, open_match, post_move

SCREENS = [(390, 844), (360, 640), (768, 1024)]
DESKS = [(1024, 768), (1280, 800)]

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


COMPUTERS_TABLE = {"clock": "none", "private": "on"}


def find_misplaced_hands(page: Page, what: str) -> list[str]:
    checks = (
        Check("overlapping hands", OVERLAPPING_HANDS_JS),
        Check("misplaced hands", MISPLACED_HANDS_JS),
        NO_OVERLAPPING_TEXT,
        NO_SIDEWAYS_SCROLL,
    )
    faults = find_faults_at(page, SCREENS, *checks, what=what)
    # on a phone the lower plate is hidden
    scene = Check("overlapping scene", OVERLAPPING_SCENE_JS)
    return faults + find_faults_at(page, DESKS, *checks, scene, what=what)


def close_sheet(page: Page) -> None:
    expect(page.locator("#over")).to_be_visible()
    page.locator("#close-sheet").click()
    expect(page.locator("#over")).to_be_hidden()


def test_four_full_hands_are_beside_their_plates(open_page):
    page, faults = open_page(), []
    now = open_position(page, Position("dominican", ["casual"] * 3, is_first, COMPUTERS_TABLE))
    post_move(page, "resign", now)
    expect(page.locator(".open-hands")).to_have_count(4)
    expect(page.locator("#over")).to_be_focused()
    for language in ("en", "ru", "es", "pt"):
        set_language(page, now["seats"][0]["name"], language)
        page.reload()
        expect(page.locator("html")).to_have_attribute("lang", language)
        close_sheet(page)
        faults += find_misplaced_hands(page, language)
    assert faults == []


def test_hands_are_beside_plates_for_players_and_spectators(open_page):
    player, spectator, faults = open_page(), open_page(), []
    for preset, seats in (("all-fives", 2), ("all-fives", 3), ("sebastopol", 4)):
        become_guest(player)
        code = open_ended_match(player, others=LONGEST_GUESTS[: seats - 1], preset=preset, target="10")
        open_match(code, spectator)
        for page in (player, spectator):
            close_sheet(page)
            faults += find_misplaced_hands(
                page, f"{preset} of {seats}, {'player' if page is player else 'spectator'}"
            )
    assert faults == []


# Open tiles of a full hand that are narrower than `least`, and seats without a rating in view.
SMALL_HANDS_JS = """least => {
    for (const hand of document.querySelectorAll(".open-hands:has(.open-tile)")) {
        const [tile, ...others] = hand.querySelectorAll(".open-tile");
        for (const other of others) other.remove();
        for (let number = 1; number < 7; number++) tile.after(tile.cloneNode(true));
    }
    const width = part => part.getBoundingClientRect().width;
    return [...document.querySelectorAll(".open-tile")].filter(tile => width(tile) < least).map(width);
}"""
HIDDEN_RATINGS_JS = """() => [...document.querySelectorAll(".seat")].filter(seat => {
    const text = seat.querySelector(".rating:not(.completion)").firstChild, words = document.createRange();
    words.selectNodeContents(text);
    const shown = words.getBoundingClientRect(), box = text.parentElement.getBoundingClientRect();
    return shown.bottom > box.bottom + 2 || shown.right > box.right + 2;
}).map(seat => seat.textContent.replace(/\\s+/g, " "))"""
LEAST_TILE_PX = 15


def test_full_hands_and_ratings_are_in_view_beside_the_result_sheet(open_page):
    page, faults = open_page("alice"), []
    rated = {"rating_before": 1523.0, "completion": 97}
    large = Check("small hands", SMALL_HANDS_JS, LEAST_TILE_PX)
    in_view = Check("hidden ratings", HIDDEN_RATINGS_JS)
    for preset, others in (("muggins-61-pairs", ("kato", "dogan", "tiago_r")), ("all-fives", ("kato",))):
        code = open_ended_match(page, others=others, preset=preset, target="10")
        change_rows(page, lambda code=code: Seat.objects.filter(match__code=code).update(**rated))
        page.reload()
        expect(page.locator("#over")).to_be_visible()
        expect(page.locator(".seat .rating.completion")).to_have_count(1 + len(others))
        scene = Check("overlapping scene", OVERLAPPING_SCENE_JS)
        faults += find_faults_at(
            page, ((1024, 700), (1280, 800), (1440, 900)), in_view, large, scene, what=preset
        )
    assert faults == []
