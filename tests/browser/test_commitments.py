"""Commit, then reveal, in the reader's own browser: on every page, over reloads, tabs and lost commitments."""

import json
import re

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import post_form
from tests.browser.playing import MATCH_URL, get_state, press_rematch
from tests.browser.tables import TABLE, open_table
from tests.browser.waiting import expect_value, sleep_of
from tests.browser.waiting import until as page_until
from tests.proxy import NetworkProxy
from tests.waiting import attempts, until

DENY_STORAGE = (
    """Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no"); } });"""
)
# A frame may show the commitment before the request that sent it is answered.
IS_CONFIRMED_JS = "code => Object.keys(localStorage).some((key) => key.startsWith(`commitment:${code}:`))"
WARNING = "The list of commitments is not the one your page knows"
SLOW_HASH_JS = """
    const digest = crypto.subtle.digest.bind(crypto.subtle);
    const later = new Promise((done) => {
        addEventListener("submit", () => setTimeout(done, 100), { capture: true, once: true });
    });
    crypto.subtle.digest = async (...args) => (await later, digest(...args));
"""


RECEIVE_SHUFFLE_JS = """forged => {
    document.querySelector("#shuffle [data-shuffle]").dataset.shuffle = JSON.stringify(forged);
    const target = document.getElementById("shuffle");
    document.dispatchEvent(new CustomEvent("htmx:oobAfterSwap", { detail: { target } }));
}"""

# A form that is submitted before the script has come has no commitment; the table's page then has five seconds for
# that, and a busy machine may need more.
HAS_SCRIPT_JS = """async () => {
    const loaded = performance.getEntriesByType("resource").find(({ name }) => name.includes("/js/commitments"));
    return Boolean(loaded && (await import(loaded.name)));
}"""


def entropy_of(page: Page, code: str) -> tuple[list[str], list[str | None]]:
    """Return the nonces and commitments of a match, which is ended for that."""
    for _ in attempts("the match to be called off"):
        state = get_state(page, code)
        if state["status"] == "finished":
            break
        # A computer may move in between.
        post_form(page.context, "/", f"/games/{code}/move", move="abort", version=str(state["version"]))
    record = page.request.get(f"/games/{code}/record.json").json()
    return record["entropy"].split("."), record["commitments"]


def code_of(url: str) -> str:
    return TABLE.search(url)[1]


def wait_for_commitment(page: Page) -> str:
    """Wait until the table's page has committed; return the commitment."""
    element = page.locator("#shuffle [data-shuffle]")
    expect(element).to_have_attribute("data-shuffle", re.compile('"commitment": "[0-9a-f]{64}"'))
    return json.loads(element.get_attribute("data-shuffle"))["commitment"]


def sit_down(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Sit here").click()


def sit_down_over_http(page: Page, address: str) -> None:
    """Take the second seat and add nothing to the shuffle."""
    post_form(page.context, address, f"{address}sit", seat="1")
    post_form(page.context, address, f"{address}commit", commitment="")


def wait_for_match(page: Page, address: str) -> None:
    state = f"/games/{code_of(address)}/state.json"
    until(lambda: page.request.get(state).ok, "the match to begin", interval=0.2, sleep=sleep_of(page))


def assert_added(page: Page, address: str, seats: int = 1) -> None:
    """Assert that these first seats of the match added to the shuffle."""
    nonces, commitments = entropy_of(page, code_of(address))
    assert all(re.fullmatch(r"[0-9a-z]{16,64}", nonce) for nonce in nonces[:seats])
    assert all(commitments[:seats])


def test_two_pages_commit_and_reveal_also_for_rematch(alice, bob):
    address = open_table(alice)
    alice.goto(address)
    wait_for_commitment(alice)
    sit_down(bob, address)
    for page in (alice, bob):
        expect(page).to_have_url(MATCH_URL)
    code = code_of(alice.url)
    post_form(alice.context, "/", f"/games/{code}/move", move="resign", version="0")
    assert_added(alice, address, 2)

    press_rematch(alice, bob)
    for page in (alice, bob):
        # Not `wait_for_url`: the last to agree is redirected twice, and the second navigation aborts the first.
        expect(page).to_have_url(re.compile(rf"/games/(?!{code})"))
    assert_added(alice, alice.url, 2)

    alice.goto(f"/games/{code}/verify/")
    expect(alice.locator("#verdict")).to_contain_text("every deal of this match was fixed by its seal")


def test_page_of_two_tables_runs_on_while_one_commits(open_page):
    page = open_page("gregor")
    addresses = [open_table(page), open_table(page)]
    slow = f"**/tables/{code_of(addresses[1])}/commit"
    page.route(slow, lambda route: None)  # never answered
    with page.expect_request(slow):
        page.goto(addresses[0])
    wait_for_commitment(page)
    page.evaluate("""() => document.dispatchEvent(
        new CustomEvent("htmx:oobAfterSwap", { detail: { target: { id: "shuffle" } } }))""")
    expect_value(page, "() => document.readyState", "complete")
    for address in addresses:
        post_form(page.context, "/", f"/tables/{code_of(address)}/leave")


def test_typed_characters_come_first(alice, bob):
    address = open_table(alice)
    alice.goto(address)
    before = wait_for_commitment(alice)
    alice.get_by_text("More: the seal").click()
    alice.locator("#nonce").fill("mine7")
    alice.get_by_role("button", name="Add them").click()
    expect(alice.locator("#shuffle code")).not_to_have_text(before)
    sit_down_over_http(bob, address)
    expect(alice).to_have_url(MATCH_URL)
    nonces, _commitments = entropy_of(alice, code_of(address))
    assert re.fullmatch(r"mine7[0-9a-z]{16}", nonces[0])


def test_typed_characters_outlast_news_of_the_table(alice, bob):
    address = open_table(alice, seats="3")
    alice.goto(address)
    wait_for_commitment(alice)
    alice.get_by_text("More: the seal").click()
    alice.locator("#nonce").fill("mine7")
    alice.get_by_text("More: the seal").focus()
    sit_down_over_http(bob, address)
    expect(alice.locator("main")).to_contain_text("bob")
    expect(alice.locator("#nonce")).to_have_value("mine7")


def test_another_page_of_the_site_reveals(alice, bob):
    address = open_table(alice)
    with alice.expect_response("**/commit"):
        alice.goto("/rules/")
    sit_down_over_http(bob, address)
    wait_for_match(bob, address)
    assert_added(alice, address)


def test_reload_and_second_tab_keep_the_nonce(alice, bob):
    address = open_table(alice)
    alice.goto(address)
    first = wait_for_commitment(alice)
    alice.reload()
    second_tab = alice.context.new_page()
    second_tab.goto(address)
    assert wait_for_commitment(second_tab) == wait_for_commitment(alice) == first
    alice.close()
    sit_down_over_http(bob, address)
    expect(second_tab).to_have_url(MATCH_URL)
    assert_added(second_tab, address)


def test_reload_keeps_the_nonce_without_storage(open_page, bob):
    host = open_page("gustav")
    host.add_init_script(DENY_STORAGE)
    address = open_table(host)
    host.goto(address)
    first = wait_for_commitment(host)
    host.reload()
    assert wait_for_commitment(host) == first
    sit_down_over_http(bob, address)
    expect(host).to_have_url(MATCH_URL)
    assert_added(host, address)


def test_page_without_scripts_adds_nothing(open_page, bob):
    host = open_page("hilda", scripts=False)
    address = open_table(host)
    host.goto(address)
    # Playwright's search by text leaves out what stands in `noscript`.
    expect(host.locator("#waiting noscript p").first).to_contain_text("adds nothing to the shuffle")
    sit_down(bob, address)
    expect(bob).to_have_url(MATCH_URL)
    nonces, commitments = entropy_of(bob, code_of(address))
    assert (nonces[0], commitments[0]) == ("", None)
    assert commitments[1]


def test_quick_match_against_computer_has_the_players_nonce(open_page):
    page = open_page(guest=True)
    page.goto("/")
    expect_value(page, HAS_SCRIPT_JS)
    page.locator("#computer").get_by_role("button", name="Play").click()
    expect(page).to_have_url(MATCH_URL)  # the table's page may go on before it has loaded
    nonces, commitments = entropy_of(page, code_of(page.url))
    assert nonces[0] and commitments[0]
    assert commitments[1] is None


def test_form_submitted_before_the_script_has_come_waits_for_it(open_page):
    page, held = open_page(guest=True), []
    page.route(re.compile(r"/commitments[.\w]*\.js"), lambda route: held.append(route))
    page.goto("/")
    page_until(page, lambda: held, "the request for the script")
    posts = []
    page.on("request", lambda request: posts.append(request) if request.method == "POST" else None)
    for _ in range(2):  # pressed again, as nothing happens
        page.locator("#computer").get_by_role("button", name="Play").click()
    held[0].continue_()
    page.unroute_all()
    expect(page).to_have_url(MATCH_URL)
    seated = [request for request in posts if "/play/" in request.url]
    assert len(seated) == 1 and re.search(r"commitment=[0-9a-f]{64}", seated[0].post_data or "")


def test_form_submitted_before_its_hash_is_ready_has_the_nonce(open_page):
    page = open_page(guest=True)
    page.add_init_script(SLOW_HASH_JS)
    page.goto("/")
    expect_value(page, HAS_SCRIPT_JS)
    page.locator("#computer").get_by_role("button", name="Play").click()
    expect(page).to_have_url(MATCH_URL)
    nonces, commitments = entropy_of(page, code_of(page.url))
    assert nonces[0] and commitments[0]


def test_page_warns_of_a_changed_list_and_does_not_reveal(alice):
    """A server that lies to the page gets no nonce from it."""
    sent: list[str] = []

    def refuse(route: Route) -> None:
        sent.append(route.request.url)
        route.abort()

    alice.route("**/nonce", refuse)
    changes: dict[str, dict[str, object]] = {
        "another commitment": {"commitments": ["0" * 64, "1" * 64, None]},
        "no commitment": {"commitments": [None, "1" * 64, None]},
        "another seal": {"seal": "2" * 64},
    }
    for change in changes.values():
        address = open_table(alice, seats="3")
        alice.goto(address)
        own = wait_for_commitment(alice)
        expect_value(alice, IS_CONFIRMED_JS, argument=code_of(address))
        state = json.loads(alice.locator("#shuffle [data-shuffle]").get_attribute("data-shuffle"))
        forged = state | {"commitments": [own, "1" * 64, None]} | change
        alice.evaluate(RECEIVE_SHUFFLE_JS, forged)
        expect(alice.locator("#messages")).to_contain_text(WARNING)
        assert sent == []
        post_form(alice.context, address, f"{address}leave")


def test_lost_commitment_is_sent_again(alice, bob):
    address = open_table(alice)
    tries: list[str] = []

    def fail_once(route: Route) -> None:
        tries.append(route.request.url)
        if len(tries) == 1:
            route.abort()
        else:
            route.continue_()

    alice.route("**/commit", fail_once)
    alice.goto(address)
    wait_for_commitment(alice)
    sit_down_over_http(bob, address)
    expect(alice).to_have_url(MATCH_URL)
    assert_added(alice, address)


def test_line_with_three_seconds_of_latency_adds_its_nonce(open_page, site, bob):
    network = NetworkProxy(site.port)
    host = open_page("ingrid", base_url=network.url)
    address = open_table(host).removeprefix(site.url).removeprefix(network.url)
    host.goto("/tables/new")  # for styles and scripts
    network.round_trip = 3.0
    host.goto(address)
    live = host.locator("html[data-live=on]")
    expect(live).to_be_attached()  # else the table waits for five seconds only
    sit_down_over_http(bob, address)
    wait_for_match(bob, address)
    network.round_trip = 0.0
    assert_added(bob, address)
    network.close()
