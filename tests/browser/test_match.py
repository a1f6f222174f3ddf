"""A whole match between two browsers, from the lobby to the leaderboard."""

from playwright.sync_api import Page, Route, expect

from tests.browser.playing import (
    button,
    dismiss_round_end,
    get_state,
    match_code,
    press_move,
    wait_for_version,
)
from tests.browser.tables import (
    TABLE,
    in_first_round,
    open_alone,
    open_ended_match,
    open_match_at,
    open_step,
    post_move,
    press_then_post,
    wait_for_turn,
)
from tests.browser.waiting import expect_value

REFRESH = '<meta http-equiv="refresh" content="8">'
FITS_WINDOW_JS = "() => document.documentElement.scrollWidth <= innerWidth"


def is_first_turn(now: dict) -> bool:
    return now["you"] == 0


def goes_out(now: dict) -> bool:
    """Return whether the first player can lay their last tile."""
    return now["you"] == 0 and len(now["hand"]) == 1 and "@" in now["legal"][0]


def wins(now: dict) -> bool:
    """Return whether the first player ends the match with their last tile."""
    return goes_out(now) and now["scores"][0] >= now["target"]


def test_rated_match_appears_on_leaderboard(alice, bob):
    alice.goto("/tables/new")
    alice.locator("[name=target]").fill("20")
    open_step(alice, "People and clock")
    alice.get_by_text("Rated", exact=True).click()
    alice.locator("[name=clock]").select_option("1800+20")
    button(alice, "Create table").click()
    alice.wait_for_url(TABLE)
    bob.goto(alice.url)
    button(bob, "Sit here").first.click()

    end = press_then_post(alice, bob, presses=6)

    assert end["rated"]
    assert end["result"]["how"] == "target"
    expect(button(alice, "Rematch")).to_be_visible()
    record = alice.request.get(f"/games/{match_code(alice)}/record.json")
    assert record.json()["result"]["winners"] == end["result"]["winners"]
    alice.goto("/leaderboard/muggins/")
    expect(alice.get_by_role("link", name="alice", exact=True).first).to_be_visible()
    expect(alice.get_by_role("link", name="bob", exact=True).first).to_be_visible()


def play_in_turn(*pages: Page, code: str) -> None:
    """Play the next move by the buttons of one of the pages; a page without scripts is loaded before."""
    page, now = wait_for_turn(*pages, code=code)
    page.goto(f"/games/{code}/")
    press_move(page, now["legal"][0], now)
    wait_for_version(pages[-1], now["version"] + 1)


def test_guests_with_and_without_scripts_begin_a_match(open_page):
    plain = open_page(guest=True, scripts=False)
    phone = open_page(guest=True, phone=True)
    plain.goto("/tables/new")
    plain.locator("[name=target]").fill("20")
    button(plain, "Create table").click()
    phone.goto(plain.url)
    button(phone, "Sit here").first.click()
    code = match_code(phone)
    for _ in range(3):
        play_in_turn(plain, phone, code=code)
    assert get_state(plain, code)["rules"]["target"] == 20


def test_guest_without_scripts_ends_round_and_match(open_page):
    plain = open_page(guest=True, scripts=False)
    phone = open_page(guest=True, phone=True)
    code = open_match_at(in_first_round(goes_out), plain, phone, target="1000")["match"]
    play_in_turn(plain, phone, code=code)
    for page in (plain, phone):
        expect(button(page, "Continue")).to_be_visible()
        dismiss_round_end(page)
    play_in_turn(plain, phone, code=code)

    code = open_match_at(wins, plain, phone, target="20")["match"]
    play_in_turn(plain, phone, code=code)
    for page in (plain, phone):
        expect(page.locator("#over")).to_be_visible()
    expect_value(phone, FITS_WINDOW_JS)


NEWEST_TILES_JS = """() => [...document.querySelectorAll("#line-wide .laid [data-tile]")]
    .filter(tile => getComputedStyle(tile).getPropertyValue("--last")).map(tile => tile.dataset.tile)"""
BACKS_JS = """plate => [
    [...plate.children].filter(back => getComputedStyle(back).display !== "none").length,
    getComputedStyle(plate, "::after").content,
]"""


def expect_backs(page: Page, held: int) -> None:
    """Expect the number of tiles that the opponent holds, as backs and as a number, on the opponent's plate."""
    expect_value(page.locator(".seat:not(.mine) .backs"), BACKS_JS, [min(held, 7), f'"{held}"'])


def plays_against_many(now: dict) -> bool:
    """Return whether the first player can lay a third tile while the second has drawn tiles."""
    return (
        now["you"] == 0
        and len(now["layout"]) == 2
        and "@" in now["legal"][0]
        and now["seats"][1]["tiles"] > 7
    )


def test_opponents_move_appears_without_reload(alice, bob):
    now = open_match_at(in_first_round(plays_against_many), alice, bob)
    tile = now["legal"][0].partition("@")[0]
    expect_backs(alice, now["seats"][1]["tiles"])
    expect_backs(bob, now["seats"][0]["tiles"])
    wait_for_version(alice, now["version"])

    press_move(alice, now["legal"][0], now)

    wait_for_version(bob, now["version"] + 1)
    expect(bob.locator(f"[data-tile='{tile}']").first).to_be_attached()
    expect(bob.locator("[role=status]").filter(has_text=tile).first).to_be_attached()
    expect_backs(bob, now["seats"][0]["tiles"] - 1)
    for page in (alice, bob):
        expect_value(page, NEWEST_TILES_JS, [tile])


def test_guest_plays_computer_and_asks_for_hint(open_page):
    page = open_page(guest=True)
    page.goto("/")
    page.locator("#computer").get_by_role("button", name="Play").click()
    code = match_code(page)
    for _ in range(2):
        _, now = wait_for_turn(page)
        wait_for_version(page, now["version"])
        press_move(page, now["legal"][0], now)
        wait_for_version(page, now["version"] + 1)
    assert not now["rated"]
    assert now["layout"] or now["last_round"]

    _, now = wait_for_turn(page)
    wait_for_version(page, now["version"])
    address = page.url
    button(page, "Hint").click()
    expect(page.locator("#refusal")).to_contain_text("Hint: ")
    assert page.url == address
    assert match_code(page) == code


def test_reload_and_second_tab_show_current_state(alice, bob):
    now = open_match_at(is_first_turn, alice, bob, shown=[alice])
    tab = alice.context.new_page()
    tab.goto(alice.url)
    version = post_move(alice, now["legal"][0], now)["version"]
    wait_for_version(tab, version)

    alice.reload()

    expect(alice.locator("[name=version]").first).to_have_value(str(version))


def test_match_survives_server_kill(alice, bob, site):
    before = open_match_at(lambda now: len(now["layout"]) == 2, alice, bob)

    site.kill()
    site.start()

    for page in (alice, bob):
        expect(page.locator("html")).to_have_attribute("data-live", "on")
    mover, after = wait_for_turn(alice, bob)
    assert (after["version"], after["layout"]) == (before["version"], before["layout"])
    press_move(mover, after["legal"][0], after)
    for page in (alice, bob):
        wait_for_version(page, before["version"] + 1)


def test_phone_plays_with_larger_sets(open_page):
    page = open_page(guest=True, phone=True)
    for set_ in ("9", "12"):
        page.goto("/tables/new?preset=draw")
        open_step(page, "Game")
        page.locator("[name=target]").fill("30")
        open_step(page, "House rules")
        page.locator("[name=rule-set]").select_option(set_)
        open_step(page, "People and clock")
        page.get_by_label("Seat 2").select_option("casual")
        page.locator("[name=clock]").select_option("none")
        button(page, "Create table").click()
        match_code(page)
        _, now = wait_for_turn(page)
        assert now["rules"]["set"] == int(set_)
        wait_for_version(page, now["version"])
        press_move(page, now["legal"][0], now)
        wait_for_version(page, now["version"] + 1)
        expect_value(page, FITS_WINDOW_JS)
    for set_ in ("9", "12"):
        fields = {"rule-set": set_, "target": "30"}
        open_ended_match(page, others=["larger-set"], preset="draw", **fields)
        expect(page.locator("#over")).to_be_visible()
        expect_value(page, FITS_WINDOW_JS)


def test_opponents_move_appears_without_scripts(open_page, alice):
    plain = open_page(guest=True, scripts=False)

    def refresh_sooner(route: Route) -> None:
        """Let the page refresh itself after one second instead of eight."""
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace(REFRESH, REFRESH.replace("8", "1")))

    plain.route("**/games/*/", refresh_sooner)
    now = open_match_at(is_first_turn, alice, plain, shown=[plain])
    assert REFRESH in plain.request.get(plain.url).text()
    move = now["legal"][0]
    told = "alice drew a tile" if move == "draw" else move.partition("@")[0]

    post_move(alice, move, now)

    expect(plain.locator(f"#status:has-text('{told}')")).to_be_attached()


def test_audio_starts_after_first_interaction(open_page):
    page = open_page("erna")
    page.add_init_script("""window.AudioContext = class extends AudioContext {
        constructor() {
            super();
            (window.made ??= []).push(navigator.userActivation.hasBeenActive);
        }
    };""")
    with page.expect_response("**/match/sounds.*"):  # for the sound of the match's start
        open_alone(page, ["listener"])
    page.wait_for_load_state("networkidle")

    page.mouse.click(5, 5)

    expect_value(page, "() => window.made", [True])
