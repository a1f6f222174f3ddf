"""The installed app without a network: pages, replays, lessons, puzzles, the check of records and the score sheet."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import assert_accessible
from tests.browser.conftest import DESKTOP, IGNORED_CONSOLE_ERRORS, TIMEOUT_MS
from tests.browser.stored import Wanted, store_match
from tests.browser.waiting import expect_value
from tests.server import Site

REGISTER_JS = """async () => {
    await navigator.serviceWorker.register("/sw.js");
    const {active} = await navigator.serviceWorker.ready;
    const account = document.documentElement.dataset.account ?? "";
    active.postMessage({type: "refresh", language: document.documentElement.lang, account});
}"""
IS_STORED_JS = """async (names) => {
    for (const [name, address] of names)
        if (!(await caches.has(name)) || !(await (await caches.open(name)).match(address))) return false;
    return true;
}"""
HAS_FILES_JS = """async () => {
    const files = (await (await caches.open("static")).keys()).map(({url}) => url);
    return ["shuffle", "score", "embed", "selection"].every((name) => files.some((url) => url.includes(name)));
}"""
# The worker goes on with other pages once the page that asked is stored with its files.
IS_FIRST_STORED_JS = """async () => {
    const progress = await caches.match("/offline/progress.json");
    return progress ? (await progress.json()).stored.length > 1 : Boolean(await caches.match("/offline/state.json"));
}"""
# The headless shell opens no app windows.
AS_INSTALLED_JS = """() => {
    for (const sheet of document.styleSheets)
        for (const {media} of sheet.cssRules)
            if (media?.mediaText.includes("display-mode: standalone")) media.mediaText = "all";
}"""
HAS_NO_OWN_JS = "async () => !(await caches.has('own'))"
# In the worker: the reader logs out as soon as replays begin to be stored.
LOG_OUT_WHILE_STORING_JS = """async (account) => {
    await caches.delete("own");
    let isOver = false;
    const stored = refreshOwn("en", account).finally(() => { isOver = true; });
    while (!isOver && !(await caches.has("own"))) await new Promise((done) => setTimeout(done));
    const isLoggedOut = await caches.delete("own");
    await stored;
    return isLoggedOut && !(await caches.has("own"));
}"""
HAS_WORKER_JS = "() => Boolean(navigator.serviceWorker.controller)"
PAGES = ["pages", "/offline/state.json"]
OWN = ["own", "/offline/account.json"]
STORED_PAGES_JS = """async () => {
    const texts = {};
    for (const name of await caches.keys())
        for (const request of await (await caches.open(name)).keys())
            if (!/\\.(woff2|png)/.test(request.url))
                texts[request.url] = await (await (await caches.open(name)).match(request)).text();
    return texts;
}"""


def store(page: Page, *wanted) -> None:
    """Visit a page as somebody who comes back, and wait until everything is stored."""
    page.goto("/")
    page.evaluate(REGISTER_JS)
    expect_value(page, IS_STORED_JS, argument=[PAGES, *wanted])
    has_files = page.evaluate(HAS_FILES_JS)
    assert has_files, "pages count as stored before their static files are"


def let_worker_be_asked(page: Page) -> None:
    """Let the pages ask the service worker, as those of a reader who comes back."""
    page.evaluate("localStorage.setItem('first-visit', Date.now() - 86_400_000)")


@pytest.fixture(scope="module")
def errors() -> list[str]:
    """Return the list that collects the errors of `reader`."""
    return []


@pytest.fixture(scope="module")
def reader(browser: Browser, shared_site: Site, errors: list[str]) -> Iterator[Page]:
    """Return a page of a visitor for whom the site's pages are stored: that takes seconds, so once for these tests."""
    context = browser.new_context(
        base_url=shared_site.url, reduced_motion="reduce", locale="en-GB", **DESKTOP
    )
    context.set_default_timeout(TIMEOUT_MS)
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    store(page)
    yield page
    context.close()


@pytest.fixture
def offline_page(reader: Page, site: Site, errors: list[str]) -> Iterator[Page]:
    """Return the page of `reader`, at the offline page, without a network during the test."""
    reader.context.set_offline(True)
    reader.goto("/")  # the front page is not stored
    expect(reader.get_by_role("heading", name="Without a network")).to_be_visible()
    yield reader
    reader.context.set_offline(False)
    assert [text for text in errors if not IGNORED_CONSOLE_ERRORS.search(text)] == []


def test_worker_comes_with_the_second_visit_only(open_page):
    page = open_page()
    page.clock.install()
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    page.goto("/")
    page.wait_for_load_state()
    page.clock.run_for(10_000)
    expect_value(page, "navigator.serviceWorker.getRegistrations().then((all) => all.length)", 0)
    assert not [url for url in requested if "sw.js" in url or "offline" in url]

    let_worker_be_asked(page)
    page.goto("/rules/")
    page.wait_for_load_state()
    page.clock.run_for(10_000)
    expect_value(page, HAS_WORKER_JS)


def test_app_works_without_a_network(offline_page):
    page = offline_page
    expect(page.get_by_text("There is no network just now")).to_be_visible()
    expect(page.locator("#stored-lessons li")).to_have_count(5)
    expect(page.locator("#stored-puzzles li")).to_have_count(4)
    assert_accessible(page)

    page.get_by_role("link", name="Score sheet for your own table").click()
    page.get_by_label("Game").select_option("all-fives")
    page.get_by_label("Name of side 1").fill("Ana")
    for first, second in ((60, 5), (45, 15)):
        page.get_by_label("Points of Ana").fill(str(first))
        page.get_by_label("Points of Side 2").fill(str(second))
        page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Ana wins, 105 – 20.")).to_be_visible()
    expect(page.get_by_role("img", name="Ana 105 of 100, Side 2 20 of 100")).to_be_visible()
    page.get_by_role("button", name="Take back hand 2").click()
    expect(page.get_by_role("status").filter(has_text="Ana: 0 + 60 = 60")).to_be_visible()
    face = page.locator(".sprite .tile-face").first
    is_loaded = lambda fill: "url(" in fill  # noqa: E731 - tiles are black without table.css
    expect_value(face, "face => getComputedStyle(face).fill", is_loaded)
    for tile in ("6-6", "5-0"):
        page.get_by_role("checkbox", name=tile).check(force=True)
    expect(page.locator("#pips")).to_have_text("17")
    assert_accessible(page)
    page.reload()
    expect(page.locator("#hand-list")).to_contain_text("60 – 5")


def test_sheet_of_winners_pips_and_extras_ends_at_the_target(open_page):
    page = open_page(phone=True)
    page.goto("/score/?game=dominican")
    for winner, pips in (("Pair 1", 90), ("Pair 2", 40), ("Pair 1", 80)):
        page.get_by_role("radio", name=winner).check(force=True)
        page.get_by_label("Capicúa").check()
        page.get_by_label("Pips left").fill(str(pips))
        page.get_by_role("button", name="Add this hand").click()
    expect(page.get_by_role("status").filter(has_text="Pair 1 wins, 220 – 65.")).to_be_visible()
    expect(page.get_by_role("button", name="New sheet")).to_be_focused()
    assert_accessible(page)
    page.get_by_role("button", name="New sheet").click()
    page.get_by_label("Game").select_option("mexican-train")
    page.get_by_label("Sides").select_option("3")
    expect(page.get_by_text("Round 1: the double 12-12 leads")).to_be_visible()


def test_offline_page_reloads_only_with_a_network(offline_page):
    page = offline_page
    # A network that is gone at once, just after a link was pressed.
    page.get_by_role("link", name="Score sheet for your own table").evaluate(
        "link => { link.click(); dispatchEvent(new Event('online')); }"
    )
    page.wait_for_url("**/score/")

    page.goto("/")
    expect(page.get_by_role("heading", name="Without a network")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="Without a network")).to_be_hidden()


def test_lesson_is_played_without_a_network(offline_page):
    page = offline_page
    page.get_by_role("link", name="The line").click()
    page.wait_for_url("**/learn/line/1/")
    post = (
        "(move) => { const form = document.querySelector('#play'); const field = document.createElement('input');"
        " field.name = 'answer'; field.value = move; form.append(field); form.submit(); }"
    )
    page.evaluate(post, "6-4")
    expect(page.locator("#said")).to_have_text("Not that: read again what is asked for.")
    page.wait_for_load_state()
    page.evaluate(post, "6-6")
    page.wait_for_url("**/learn/line/2/")


def test_puzzle_is_solved_without_a_network(offline_page):
    page = offline_page
    page.locator("#stored-puzzles a").first.click()
    page.locator(".answers button").first.click()
    expect(page.locator(".embed-sentence")).not_to_be_empty()
    page.get_by_role("link", name=re.compile("Show the play|Try again")).click()
    expect(page.locator(".embed-sentence, .answers").first).to_be_visible()


def test_installed_app_leads_back_to_its_pages(offline_page):
    page = offline_page
    page.locator("#stored-puzzles a").first.click()
    expect(page.locator(".answers")).to_be_visible()
    page.wait_for_load_state()
    back = page.get_by_role("link", name="All pages")
    expect(back).to_be_hidden()
    page.evaluate(AS_INSTALLED_JS)
    expect(back).to_be_visible()
    back.click()
    expect(page.get_by_role("heading", name="Without a network")).to_be_visible()


def test_own_matches_are_stored_until_the_session_ends(open_page, tmp_path):
    page = open_page("offline-olga")
    code, _ = store_match(Wanted(lambda now: True, ["greta"], ended=True), page, preset="all-fives")
    record = tmp_path / "record.json"
    record.write_text(page.request.get(f"/games/{code}/record.json").text())
    own = (OWN, ["own", f"/embed/games/{code}/frames.json?lang=en"])
    store(page, *own)
    assert_nothing_private_but(page, code)

    page.context.set_offline(True)
    assert_replay_opens(page, code)
    last = page.locator("#number").inner_text()
    start = page.get_by_role("link", name="To the start")
    start.click()
    expect(page.locator("#number")).to_have_text("0")
    expect(start).to_have_css("background-color", "rgb(34, 54, 46)")  # dark below a light mark
    page.keyboard.press("End")
    expect(page.locator("#number")).to_have_text(last)
    page.goto("/verify/")
    page.set_input_files("#record-file", record)
    expect(page.locator("[data-outcome=good]")).to_be_visible()

    # A stored page that is read meanwhile names no account.
    let_worker_be_asked(page)
    with page.expect_console_message(lambda said: "Failed to fetch" in said.text):  # nothing tells who reads
        page.goto("/learn/line/1/")
    assert_replay_opens(page, code)

    # The session ends, and begins again.
    page.context.set_offline(False)
    session = page.context.cookies()
    page.context.clear_cookies()
    page.goto("/rules/")
    expect_value(page, HAS_NO_OWN_JS)
    page.context.add_cookies(session)
    # As on a first visit, pages ask the worker for nothing: only the log-outs below delete what is stored.
    page.evaluate("localStorage.setItem('first-visit', Date.now())")
    store(page, *own)
    (worker,) = page.context.service_workers
    account = page.locator("html").get_attribute("data-account")
    leaves_nothing = worker.evaluate(LOG_OUT_WHILE_STORING_JS, account)
    assert leaves_nothing
    store(page, *own)
    page.goto("/")
    page.locator(".account summary").click()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()
    expect_value(page, HAS_NO_OWN_JS)
    left = page.evaluate(STORED_PAGES_JS)
    assert not any(code in url or code in text for url, text in left.items())


def assert_replay_opens(page: Page, code: str) -> None:
    page.goto(f"/games/{code}/replay/")
    expect(page.locator("#board svg:visible")).to_have_count(1)


def assert_nothing_private_but(page: Page, code: str) -> None:
    """Assert that the match is stored, and every other page as an anonymous visitor gets it."""
    stored = page.evaluate(STORED_PAGES_JS)
    assert any(code in url for url in stored)
    pages = {url: text for url, text in stored.items() if "/static/" not in url}
    # The token of a form is nobody's.
    assert not [url for url, text in pages.items() if "data-account" in text or ">offline-olga<" in text]


def test_pages_are_never_stale(offline_page):
    page = offline_page
    expect_value(page, STORED_PAGES_JS, lambda urls: any(url.endswith("/en/score/") for url in urls))
    page.evaluate("""async () => {
        const cache = await caches.open("pages");
        await cache.put("/en/score/", new Response("<title>old</title>", {headers: {"Content-Type": "text/html"}}));
    }""")
    page.context.set_offline(False)
    page.goto("/score/")
    expect(page.get_by_role("heading", name="Score sheet")).to_be_visible()
    page.get_by_label("Name of side 1").fill("Ana")
    expect(page.get_by_label("Points of Ana")).to_be_visible()  # by its script
    page.evaluate("""async () => {
        await (await caches.open("pages")).put("/en/score/", await fetch("/en/score/"));
    }""")  # for the tests after this one


def test_shared_record_is_checked(open_page, tmp_path):
    page = open_page()
    page.goto("/")
    page.evaluate(REGISTER_JS)
    expect_value(page, HAS_WORKER_JS)
    page.goto("/rules/")
    record = tmp_path / "record.json"
    record.write_text(json.dumps([{"match": "0000000000"}]))
    page.evaluate("""() => {
        const form = document.createElement("form");
        Object.assign(form, {method: "post", action: "/verify/share", enctype: "multipart/form-data", id: "share"});
        form.innerHTML = '<input type="file" name="record" id="shared-file">';
        document.body.append(form);
    }""")
    page.set_input_files("#shared-file", record)
    page.evaluate("document.getElementById('share').submit()")
    page.wait_for_url("**/verify/?shared")
    expect(page.locator("[data-outcome=bad]")).to_be_visible()


def test_notice_is_subscribed_on_request_only(open_page):
    page = open_page("bob")
    page.add_init_script("""
        Object.defineProperty(Notification, "permission", {get: () => "default"});
        Notification.requestPermission = async () => "granted";
        PushManager.prototype.getSubscription = async () => globalThis.subscribed ?? null;
        PushManager.prototype.subscribe = async (options) => {
            globalThis.asked = options;
            const keys = {auth: "AAECAwQFBgcICQoLDA0ODw",
                p256dh: "BCbvzr0O6eNKZpGH4Ys6kSKy9zOUW2Scyfn5Ien52tgSkCOL3pzHuzMNFQxncE3SWucFUgV0S28xv0BwdFhy0OY"};
            return (globalThis.subscribed = {toJSON: () => ({endpoint: "https://push.example.com/bob", keys})});
        };
    """)
    page.goto("/notifications/")
    expect_value(page, "globalThis.asked", None)
    expect(page.get_by_role("button", name="Notify me here")).to_be_visible()
    assert_accessible(page)
    with page.expect_response("**/notifications/subscribe") as response:
        page.get_by_role("button", name="Notify me here").click()
    assert response.value.status == 204
    expect(page.get_by_role("heading", name="Devices that are notified")).to_be_visible()


def test_score_sheet_works_offline_after_its_first_visit(open_page):
    page = open_page()
    page.goto("/score/")
    expect_value(page, IS_FIRST_STORED_JS)
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="Score sheet")).to_be_visible()
