"""A running match while its player looks at other pages or signs up."""

import re
import time
from datetime import timedelta

from playwright.sync_api import Page, Route, expect

from games.time.presence import AWAY_DELAY
from tests.browser.conftest import PASSWORD, post_form
from tests.browser.playing import get_state, match_code, submit_move, wait_for_version
from tests.browser.stored import Wanted, store_match
from tests.browser.tables import in_first_round, open_alone, open_match_at, open_table, post_move, start_match
from tests.browser.test_clocks import begin_earlier
from tests.browser.waiting import expect_box, until

LOADED_MODULE_JS = """() => performance.getEntriesByType("resource")
    .map(({ name }) => name).find((name) => /leaving/.test(name))"""
MAX_CHANGE_SECONDS = 5  # of a page, without being shown as away
AWAY_SECONDS = (
    AWAY_DELAY.total_seconds() + 1
)  # longer than a change of page may take before a player is shown as away
FIRST_TURN_SECONDS = 600  # on the shared site
# Timers of the page end at once. Unlike Playwright's clock it lets the page measure its own request.
HURRY_JS = """{
const start = setTimeout;
setTimeout = (callback, delay, ...rest) => start(callback, (delay ?? 0) / 50, ...rest);
}"""


@in_first_round
def each_had_a_turn(now: dict) -> bool:
    """Return whether the host is on turn, after both have had a turn, so that clocks run."""
    return now["you"] == 0 and len(now["layout"]) > 1 and "@" in now["legal"][0] and len(now["hand"]) > 1


def pass_seconds(page: Page, since: float, seconds: float) -> None:
    """Wait until so many seconds have passed since a time of the monotonic clock."""
    until(page, lambda: time.monotonic() > since + seconds, f"{seconds:g} seconds to pass")


def test_reading_the_rules_keeps_the_match_and_closing_the_tab_does_not(open_page, bob):
    alice = open_page("bookish")  # without other matches, to which the strip would lead
    now = open_match_at(each_had_a_turn, alice, bob, clock="300+5")
    presence = bob.locator(f"#seat-{now['you']} .presence")
    expect(presence).to_have_attribute("title", "connected")
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
    expect(presence).to_have_attribute("title", "elsewhere on the site")
    pass_seconds(bob, left, AWAY_SECONDS)

    expect(presence).to_have_attribute("title", "elsewhere on the site")
    assert "presence is-away" not in states or took > MAX_CHANGE_SECONDS
    assert get_state(bob)["seats"][now["you"]]["connected"]
    expect(bob.get_by_role("button", name="Take the win")).to_be_hidden()
    alice.locator("#strip").get_by_role("link", name="Play").click()
    expect(presence).to_have_attribute("title", "connected")

    alice.goto("about:blank")
    expect(presence).to_have_attribute("title", "away")


def test_strip_follows_the_match(open_page, bob):
    alice = open_page("reader")  # without other matches
    code, _ = store_match(Wanted(each_had_a_turn), bob, alice, preset="all-fives", clock="300+5")
    now = get_state(bob, code)
    alice.goto("/rules/")
    strip = alice.locator("#strip")
    expect(strip.locator(".strip-fact")).to_have_text("to play")
    expect(alice.locator("html")).to_have_attribute("data-live", "on")
    now = post_move(bob, now["legal"][0], now)

    expect(strip.locator(".strip-fact")).to_have_text("Your turn")
    expect(alice).to_have_title(re.compile("^● Your turn: bob"))
    expect(alice.locator("#favicon")).to_have_attribute("href", re.compile("icon-turn"))
    clock = strip.locator("time[data-left]")
    before = clock.inner_text()
    expect(clock).not_to_have_text(before)

    post_move(bob, "resign", now)
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
    left = time.monotonic()
    table.close()
    expect(bob.locator(f"#seat-{seat} .presence")).to_have_attribute("title", "elsewhere on the site")
    pass_seconds(bob, left, AWAY_SECONDS)
    expect(bob.locator(f"#seat-{seat} .presence")).to_have_attribute("title", "elsewhere on the site")


def test_strip_sideways_leaves_result_and_replay_in_view(open_page):
    alice = open_page("sideways", phone=True, viewport={"width": 640, "height": 360})
    store_match(Wanted(lambda now: True, ["greta"]), alice, preset="all-fives")
    now = open_alone(alice, ["hanna"])
    post_move(alice, "resign", now)
    expect(alice.locator("#over-h")).to_be_visible()
    heading = expect_box(alice.locator("#over-h"), lambda box: box["x"] > 0)
    expect_box(
        alice.locator(".strip-frame .strip"),
        lambda box: box["x"] + box["width"] <= heading["x"],
        "it leaves the result in view",
    )

    alice.set_viewport_size({"width": 844, "height": 390})
    alice.goto(f"/games/{now['match']}/replay/")
    strip = expect_box(alice.locator(".strip-frame .strip"), lambda box: box["height"] > 0)
    expect(alice.locator(".replay .seat")).to_have_count(2)
    for plate in alice.locator(".replay .seat").all():
        expect_box(plate, lambda box: box["y"] >= strip["y"] + strip["height"], "it is below the strip")
    steps = expect_box(alice.locator(".steps"), lambda box: box["height"] > 0)
    expect_box(
        alice.locator(".replay .board"),
        lambda box: box["y"] + box["height"] <= steps["y"] and box["height"] > 150,
        "it is above the steps",
    )


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


def test_strip_without_scripts(open_page):
    carl = open_page("carl", scripts=False)
    store_match(Wanted(lambda now: True, ["greta"]), carl, preset="all-fives")
    carl.goto("/rules/")
    expect(carl.locator("#strip .strip-fact")).to_have_text(re.compile("Your turn|to play"))
    expect(carl.locator("#strip .strip-clock")).to_be_visible()


def test_leaving_by_link_asks_nothing_but_closing_does(alice):
    open_alone(alice, ["greta"], each_had_a_turn)
    expect(alice.locator("html")).to_have_attribute("data-live", "on")
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
    now = open_match_at(each_had_a_turn, guest, bob)
    other = guest.context.new_page()
    other.goto("/accounts/signup/")
    expect(other.locator("#strip .strip-fact")).to_have_text("Your turn")
    name = f"new{match_code(guest)[:6]}"
    other.get_by_label("Name", exact=False).first.fill(name)
    other.locator("[name=password1]").fill(PASSWORD)
    other.locator("[name=password2]").fill(PASSWORD)
    other.locator("form.stack button[type=submit]").click()
    other.wait_for_url(lambda url: "/signup/" not in url)
    expect(guest.locator(".site-head")).to_contain_text(name)  # the page has reloaded for its new account
    submit_move(guest, now["legal"][0])

    wait_for_version(bob, now["version"] + 1)
    plate = guest.locator(f"#seat-{now['you']}")
    expect(plate).to_contain_text(name)
    expect(plate).not_to_contain_text("guest")
    expect(bob.locator(f"#seat-{now['you']}")).to_contain_text(name)
    expect(guest.locator("html")).to_have_attribute("data-live", "on")


def test_late_answer_to_signing_up_is_not_replaced_by_a_reload(open_page):
    guest = open_page(guest=True)
    guest.clock.install()
    code, _ = store_match(Wanted(each_had_a_turn, ["greta"]), guest, preset="all-fives")
    guest.goto("/accounts/signup/")
    expect(guest.locator("html")).to_have_attribute("data-live", "on")
    guest.get_by_label("Name", exact=False).first.fill(f"new{code[:6]}")
    guest.locator("[name=password1]").fill(PASSWORD)
    guest.locator("[name=password2]").fill(PASSWORD)

    held: list[Route] = []
    guest.route("**/accounts/signup/", lambda route: held.append(route), times=1)
    guest.locator("form.stack button[type=submit]").click(no_wait_after=True)
    until(guest, lambda: held, "the form to be sent")
    held[0].fetch(max_redirects=0)  # signs up, which ends the page's socket
    expect(guest.locator("html")).to_have_attribute("data-live", "ended")
    guest.clock.run_for(4000)
    guest.wait_for_timeout(300)  # for a reload, which would come now
    held[0].fulfill(headers={"HX-Redirect": "/rules/"})

    guest.wait_for_url("**/rules/")


def test_sign_up_as_soon_as_the_page_is_connected_reloads_it(open_page):
    guest = open_page(guest=True)
    now = open_alone(guest, ["greta"], each_had_a_turn)
    expect(guest.locator("html")).to_have_attribute("data-live", "on")
    name = f"new{now['match'][:6]}"
    fields = {"username": name, "password1": PASSWORD, "password2": PASSWORD}

    post_form(guest.context, "/accounts/signup/", "/accounts/signup/", **fields)

    expect(guest.locator(f"#seat-{now['you']}")).to_contain_text(name)
    expect(guest.locator("html")).to_have_attribute("data-live", "on")


def test_page_whose_sockets_are_refused_reloads_once(open_page):
    page = open_page("refused")
    page.add_init_script(HURRY_JS)
    page.route_web_socket(re.compile("/ws/"), lambda socket: socket.close(code=4401))
    visits: list[str] = []
    page.on(
        "request", lambda request: visits.append(request.url) if request.is_navigation_request() else None
    )
    page.goto("/")
    until(page, lambda: len(visits) > 1, "the page to reload")
    expect(page.locator("html")).to_have_attribute("data-live", "ended")
    page.wait_for_timeout(1000)  # the first reload took a fraction of it
    assert len(visits) == 2
    expect(page.locator("html")).to_have_attribute("data-live", "ended")


def test_match_without_first_turn_is_called_off(open_page):
    page = open_page("punctual")
    now = open_alone(page, ["greta"], clock="300+5")
    expect(page.locator("html")).to_have_attribute("data-live", "on")
    begin_earlier(page, now["match"], timedelta(seconds=FIRST_TURN_SECONDS))
    expect(page.locator("#over")).to_contain_text("called off")
