"""The result sheet in narrow windows, and what it offers."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from games.models import Match, Seat
from tests.browser.layout import LONGEST_GUESTS, Check, find_faults_at, is_first, set_language
from tests.browser.playing import button, get_state
from tests.browser.stored import change_rows
from tests.browser.tables import open_alone, open_ended_match, post_move
from tests.browser.waiting import expect_value

# Acts of the result sheet and points by round that reach beyond the sheet or the window.
CUT_OFF_JS = """() => {
    const sheet = document.querySelector("#over").getBoundingClientRect();
    const right = Math.min(sheet.right, innerWidth), bottom = Math.min(sheet.bottom, innerHeight);
    const rounds = document.querySelector("#over .by-round");
    return [...document.querySelectorAll("#over .choices .button")]
        .filter(act => act.getBoundingClientRect().right > right || act.getBoundingClientRect().bottom > bottom)
        .map(act => act.textContent.trim())
        .concat(rounds && rounds.scrollWidth > rounds.clientWidth + 1 ? ["rounds"] : []);
}"""
NARROW_SHEETS = ((1024, 700), (844, 390), (320, 568))


def agree_on_rematch(page: Page, code: str) -> None:
    """Store that all agree on a rematch, and load the page again."""

    def agree() -> None:
        Match.objects.filter(code=code).update(rematch_code="agreedupon")
        Seat.objects.filter(match__code=code).update(rematch=Seat.Rematch.ASKED)

    change_rows(page, agree)
    page.reload()


def test_acts_and_rounds_stay_inside_a_narrow_result_sheet(open_page):
    page, faults = open_page(guest=True), []
    code = open_ended_match(
        page, condition=has_rounds(10), others=LONGEST_GUESTS[:1], preset="block", target="100"
    )
    in_view = Check("cut off", CUT_OFF_JS)
    faults += find_faults_at(page, NARROW_SHEETS, in_view)
    button(page, "Rematch").click()
    expect(button(page, "Take it back")).to_be_visible()
    faults += find_faults_at(page, NARROW_SHEETS, in_view, what="asked")
    agree_on_rematch(page, code)
    for language in ("en", "ru"):
        set_language(page, get_state(page, code)["seats"][0]["name"], language)
        page.reload()
        expect(page.locator("#go-to-rematch")).to_be_visible()
        faults += find_faults_at(page, NARROW_SHEETS, in_view, what=f"agreed {language}")
    assert faults == []


def has_rounds(number: int) -> Callable[[dict], bool]:
    """Return a condition: the match took so many rounds."""
    return lambda now: now["round"] == number


def test_match_without_a_move_has_no_analysis_and_no_replay(open_page):
    page = open_page(guest=True)
    post_move(page, "abort", open_alone(page, LONGEST_GUESTS[:1], is_first))
    expect(button(page, "Rematch")).to_be_visible()
    for name in ("Analysis", "Replay"):
        expect(page.locator("#over").get_by_role("link", name=name)).to_have_count(0)


# Texts of the picture that reach beyond its edges.
CUT_WORDS_JS = """image => {
    const drawn = decodeURIComponent(image.src.slice(image.src.indexOf(",") + 1));
    const picture = new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement;
    document.querySelector("dialog[open]").append(picture);
    const { x, width } = picture.viewBox.baseVal;
    const cut = [...picture.querySelectorAll(":scope > text")].filter(text => {
        const box = text.getBBox();
        return box.x < x || box.x + box.width > x + width;
    });
    picture.remove();
    return cut.map(text => text.textContent);
}"""


def test_shared_picture_of_a_short_line_has_the_whole_result(open_page):
    page = open_page(guest=True)
    now = open_alone(page, LONGEST_GUESTS, is_first, preset="sebastopol")
    post_move(page, "resign", now)
    page.locator("#over").get_by_label("More").click()
    button(page, "Share").click()
    expect(page.locator("#share-picture")).to_be_visible()  # the dialog opens once its style has come
    expect_value(page.locator("#share-picture"), CUT_WORDS_JS, [])
