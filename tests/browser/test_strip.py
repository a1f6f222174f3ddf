"""A running match while its player looks at other pages, signs up, or is on a slow line."""

import re
import time

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import PASSWORD, post_form
from tests.browser.playing import get_state, match_code, press_move, submit_move, wait_for_version
from tests.browser.tables import open_table, post_move, start_match, wait_for_turn
from tests.proxy import NetworkProxy
from tests.server import Site

LOADED_MODULE_JS = """() => performance.getEntriesByType("resource")
    .map(({ name }) => name).find((name) => /leaving/.test(name))"""
MAX_CHANGE_SECONDS = 5  # of a page, without being shown as away
AWAY_AFTER_MS = 10_000  # longer than a change of page may take before a player is shown as away


def start_at_turn_of(one, other, **fields) -> dict:
    """Start a match and play to `one`'s turn, after both have had a turn. Return their state."""
    start_match(one, other, **fields)
    page, now = wait_for_turn(one, other)
    while page is not one or len(now["layout"]) < 2:
        post_move(page, now["legal"][0], now)
        page, now = wait_for_turn(one, other)
    wait_for_version(one, now["version"])
    return now


def test_reading_the_rules_keeps_the_match(open_page, bob):
    alice = open_page("bookish")  # without other matches, to which the strip would lead
    now = start_at_turn_of(alice, bob, clock="300+5")
    presence = bob.locator(f"#seat-{now['you']} .presence")
    states = []
    bob.expose_function("record", lambda state: states.append(state))
    bob.evaluate(
        """seat => new MutationObserver(() => record(document.querySelector(`#seat-${seat} .presence`)?.className))
            .observe(document.querySelector("#seats"), { subtree: true, childList: true, attributes: true })""",
        now["you"],
    )

    left = time.monotonic()
    alice.get_by_role("navigation", name="Site").get_by_role("link", name="Rules").click()
    expect(alice.locator("#strip .strip-fact")).to_have_text("Your turn")
    expect(alice.locator("html")).to_have_attribute("data-live", "on")
    took = time.monotonic() - left
    bob.wait_for_timeout(AWAY_AFTER_MS)

    expect(presence).to_have_attribute("title", "elsewhere on the site")
    assert "presence is-away" not in states or took > MAX_CHANGE_SECONDS
    assert get_state(bob)["seats"][now["you"]]["connected"]
    expect(bob.get_by_role("button", name="Take the win")).to_be_hidden()
    alice.locator("#strip").get_by_role("link", name="Play").click()
    expect(presence).to_have_attribute("title", "connected")


def test_closed_tab_is_shown_as_away(alice, bob):
    now = start_at_turn_of(alice, bob)
    alice.goto("about:blank")
    expect(bob.locator(f"#seat-{now['you']} .presence")).to_have_attribute("title", "away")


def test_strip_follows_the_match(open_page, bob):
    alice = open_page("reader")  # without other matches
    now = start_at_turn_of(bob, alice, clock="300+5")
    code = match_code(alice)
    alice.goto("/rules/")
    strip = alice.locator("#strip")
    expect(strip.locator(".strip-fact")).to_have_text("to play")
    expect(alice.locator("html")).to_have_attribute("data-live", "on")
    while now["turn"] == now["you"]:
        post_move(bob, now["legal"][0], now)
        now = get_state(bob)

    expect(strip.locator(".strip-fact")).to_have_text("Your turn")
    expect(alice).to_have_title(re.compile("^● Your turn"))
    assert "icon-turn" in alice.locator("#favicon").get_attribute("href")
    clock = strip.locator("time[data-left]")
    before = clock.inner_text()
    expect(clock).not_to_have_text(before)

    page, now = wait_for_turn(alice, bob, code=code)
    post_move(bob, "resign", get_state(bob))
    expect(strip.locator(".strip-who")).to_contain_text("You won")
    expect(alice).not_to_have_title(re.compile("●"))
    strip.get_by_role("button", name="Close").click()
    expect(strip.locator(".strip")).to_have_count(0)


def test_page_opened_before_the_match_keeps_its_player_present(open_page, bob):
    alice = open_page("early")
    alice.goto("/rules/")
    table = alice.context.new_page()
    start_match(table, bob)
    expect(alice.locator("#strip .strip-fact")).to_have_text(re.compile("Your turn|to play"))
    seat = get_state(table)["you"]
    table.close()
    expect(bob.locator(f"#seat-{seat} .presence")).to_have_attribute("title", "elsewhere on the site")
    bob.wait_for_timeout(AWAY_AFTER_MS)
    expect(bob.locator(f"#seat-{seat} .presence")).to_have_attribute("title", "elsewhere on the site")


def test_strip_sideways_leaves_the_result_in_view(open_page, bob):
    alice = open_page("sideways", phone=True, viewport={"width": 640, "height": 360})
    start_match(alice, bob)
    start_match(alice, bob)
    post_move(alice, "resign", get_state(alice))
    expect(alice.locator("#over-h")).to_be_visible()
    strip, heading = (alice.locator(name).bounding_box() for name in (".strip-frame .strip", "#over-h"))
    assert strip["x"] + strip["width"] <= heading["x"]


def test_strip_sideways_leaves_the_plates_of_a_replay_in_view(open_page, bob):
    alice = open_page("sideways-replay", phone=True, viewport={"width": 844, "height": 390})
    start_match(alice, bob)
    code = get_state(alice)["match"]
    post_move(alice, "resign", get_state(alice))
    start_match(alice, bob)
    alice.goto(f"/games/{code}/replay/")
    strip = alice.locator(".strip-frame .strip").bounding_box()
    for plate in alice.locator(".replay .seat").all():
        assert plate.bounding_box()["y"] >= strip["y"] + strip["height"]
    steps, board = (alice.locator(part).bounding_box() for part in (".steps", ".replay .board"))
    assert board["y"] + board["height"] <= steps["y"] and board["height"] > 150


def test_strip_of_a_waiting_table(open_page, bob):
    alice = open_page("waiter")
    alice.goto(open_table(alice, seats="3"))
    code = re.search(r"/tables/([0-9a-z]{10})/", alice.url)[1]
    alice.goto("/rules/")
    fact = alice.locator("#strip .strip-fact")
    expect(fact).to_have_text("1 of 3 have sat down")
    post_form(bob.context, "/", f"/tables/{code}/sit", seat="1")
    expect(fact).to_have_text("2 of 3 have sat down")
    post_form(alice.context, "/", f"/tables/{code}/leave")
    expect(alice.locator("#strip .strip")).to_have_count(0)


def test_strip_without_scripts(open_page, bob):
    carl = open_page("carl", scripts=False)
    start_match(carl, bob)
    carl.goto("/rules/")
    expect(carl.locator("#strip .strip-fact")).to_have_text(re.compile("Your turn|to play"))
    expect(carl.locator("#strip .strip-clock")).to_be_visible()


def test_leaving_by_link_asks_nothing_but_closing_does(alice, bob):
    start_at_turn_of(alice, bob)
    asked = []

    def note(dialog):
        asked.append(dialog.type)
        dialog.accept()

    alice.on("dialog", note)
    alice.locator("#table").click(position={"x": 5, "y": 5})  # browsers ask only on pages that were used
    alice.get_by_role("navigation", name="Site").get_by_role("link", name="Rules").click()
    expect(alice.locator("#strip .strip-fact")).to_have_text("Your turn")
    assert asked == []
    alice.go_back()
    expect(alice.locator("html")).to_have_attribute("data-live", "on")
    alice.locator("#table").click(position={"x": 5, "y": 5})
    alice.wait_for_function(LOADED_MODULE_JS)
    alice.evaluate(f"import(({LOADED_MODULE_JS})()).then(() => null)")  # until it is evaluated
    alice.evaluate("setTimeout(() => { location.href = 'about:blank' })")
    alice.wait_for_url("about:blank")
    assert asked == ["beforeunload"]


def test_sign_up_in_another_tab_keeps_match_and_move(open_page, bob):
    guest = open_page(guest=True)
    now = start_at_turn_of(guest, bob)
    other = guest.context.new_page()
    other.goto("/accounts/signup/")
    expect(other.locator("#strip .strip-fact")).to_have_text("Your turn")
    name = f"new{match_code(guest)[:6]}"
    other.get_by_label("Name", exact=False).first.fill(name)
    other.locator("[name=password1]").fill(PASSWORD)
    other.locator("[name=password2]").fill(PASSWORD)
    other.locator("form.stack button[type=submit]").click()
    other.wait_for_url(lambda url: "/signup/" not in url)
    submit_move(guest, now["legal"][0])  # the page may reload for its new account, and forget a chosen tile

    wait_for_version(bob, now["version"] + 1)
    plate = guest.locator(f"#seat-{now['you']}")
    expect(plate).to_contain_text(name)
    expect(plate).not_to_contain_text("guest")
    expect(bob.locator(f"#seat-{now['you']}")).to_contain_text(name)
    expect(guest.locator("html")).to_have_attribute("data-live", "on")


def test_late_answer_to_signing_up_is_not_replaced_by_a_reload(open_page, bob):
    guest = open_page(guest=True)
    now = start_at_turn_of(guest, bob)
    guest.goto("/accounts/signup/")
    expect(guest.locator("html")).to_have_attribute("data-live", "on")
    guest.get_by_label("Name", exact=False).first.fill(f"new{now['match'][:6]}")
    guest.locator("[name=password1]").fill(PASSWORD)
    guest.locator("[name=password2]").fill(PASSWORD)

    held: list[Route] = []
    guest.route("**/accounts/signup/", lambda route: held.append(route), times=1)
    guest.locator("form.stack button[type=submit]").click(no_wait_after=True)
    while not held:
        guest.wait_for_timeout(100)
    held[0].fetch(max_redirects=0)  # signs up, which ends the page's socket
    guest.wait_for_timeout(4000)
    held[0].fulfill(headers={"HX-Redirect": "/rules/"})

    guest.wait_for_url("**/rules/")


def test_sign_up_as_soon_as_the_page_is_connected_reloads_it(open_page, bob):
    guest = open_page(guest=True)
    now = start_at_turn_of(guest, bob)
    guest.goto(f"/games/{now['match']}/")
    expect(guest.locator("html")).to_have_attribute("data-live", "on")
    name = f"new{now['match'][:6]}"
    fields = {"username": name, "password1": PASSWORD, "password2": PASSWORD}

    post_form(guest.context, "/accounts/signup/", "/accounts/signup/", **fields)

    expect(guest.locator(f"#seat-{now['you']}")).to_contain_text(name)
    expect(guest.locator("html")).to_have_attribute("data-live", "on")


def test_page_whose_sockets_are_refused_reloads_once(open_page):
    page = open_page("refused")
    page.route_web_socket(re.compile("/ws/"), lambda socket: socket.close(code=4401))
    visits: list[str] = []
    page.on(
        "request", lambda request: visits.append(request.url) if request.is_navigation_request() else None
    )
    page.goto("/")
    while len(visits) < 2:
        page.wait_for_timeout(100)
    page.wait_for_timeout(6000)
    assert len(visits) == 2
    expect(page.locator("html")).to_have_attribute("data-live", "ended")


def test_line_with_three_seconds_of_latency_can_play(open_page, site, bob):
    network = NetworkProxy(site.port)
    try:
        slow = open_page("slow", base_url=network.url)
        now = start_at_turn_of(slow, bob)
        network.round_trip = 3.0
        slow.goto(f"{network.url}/rules/", timeout=60_000)
        slow.goto(f"{network.url}/games/{now['match']}/", timeout=90_000)
        press_move(slow, now["legal"][0], now)  # before the socket is open
        wait_for_version(slow, now["version"] + 1)
        expect(slow.locator("html")).to_have_attribute("data-live", "on")
        slow.wait_for_timeout(12_000)  # several pings
        expect(slow.locator("html")).to_have_attribute("data-live", "on")
    finally:
        network.close()


@pytest.fixture
def fast_site(tmp_path_factory):
    """Return a server on which first turns have two seconds."""
    site = Site(tmp_path_factory.mktemp("fast"), FIRST_TURN_MS="2000")
    site.start()
    yield site
    site.kill()


def test_match_without_first_turn_is_called_off(open_page, fast_site):
    one, two = (open_page(base_url=fast_site.url) for _ in range(2))
    for page in (one, two):
        post_form(page.context, "/accounts/login/", "/accounts/guest/")
    start_match(one, two, clock="300+5")
    for page in (one, two):
        expect(page.locator("#over")).to_contain_text("called off")
