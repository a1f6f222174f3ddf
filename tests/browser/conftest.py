"""Fixtures with a real server and Chromium.

`open_page(...)` opens a page in its own browser context; `alice` and `bob` are pages of two accounts. Any error that a
page reports, of a script or of the content security policy, fails the test.
"""

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, expect
from pytest_django.plugin import DjangoDbBlocker

from tests import seeds
from tests.browser import stored
from tests.proxy import NetworkProxy
from tests.server import ROOT, Site

PASSWORD = "ninety-nine bones"
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
# Console messages about responses like 422 and server restarts; htmx logs a bare event for a lost socket, and two
# lines for a request that navigation aborted. Chromium reports a `beforeunload` without user activation.
IGNORED_CONSOLE_ERRORS = re.compile(
    r"Failed to load resource|WebSocket connection to|net::ERR_CONNECTION_REFUSED|^\[object Event\]$"
    r"|^htmx:(sendAbort|sendError|timeout|afterRequest), |^Blocked attempt to show a 'beforeunload'"
)
TIMEOUT_MS = 60_000  # a busy machine is slow, not wrong
expect.set_options(timeout=TIMEOUT_MS)
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


# What a page draws for the shuffle follows from the test, the number of the page's context and its address.
SEEDED_RANDOM_JS = """
let state = 2166136261;
for (const character of %s + location.pathname) state = Math.imul(state ^ character.charCodeAt(), 16777619);
crypto.getRandomValues = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) {
        state = (Math.imul(state, 1664525) + 1013904223) | 0;
        bytes[i] = state >>> 24;
    }
    return array;
};
"""


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict:
    return launch_options()


def launch_options() -> dict:
    """Return Playwright's launch arguments for the installed Chromium."""
    executable = subprocess.run([ROOT / "bin" / "chromium"], capture_output=True, text=True).stdout.strip()
    assert executable, "Chromium is not installed (bin/chromium installs it)"
    arguments = [
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--no-first-run",
    ]
    arguments += [
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--autoplay-policy=no-user-gesture-required",
    ]
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return {"executable_path": executable, "headless": True, "args": arguments + sandbox}


def run_site(tmp_path_factory: pytest.TempPathFactory, **environment: str) -> Iterator[Site]:
    """Yield a running server; for a fixture `shared_site`."""
    site = Site(tmp_path_factory.mktemp("site"), **environment)
    site.start()
    yield site
    if site.process is not None:
        site.kill()


def run_quick_site(tmp_path_factory: pytest.TempPathFactory, **environment: str) -> Iterator[Site]:
    """Yield a server without rate limits and with short pauses, unless `environment` has others."""
    times = {"COMPUTER_PAUSE_MS": "10", "CALL_PAUSE_MS": "40"}
    times["TEST_CONSTANTS"] = "dominoes_site.offline.PAUSE_MS=20"  # 51 pages
    yield from run_site(tmp_path_factory, LIMITS="off", **(times | environment))


@pytest.fixture(scope="session")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    yield from run_quick_site(tmp_path_factory)


@pytest.fixture(scope="session", autouse=True)
def _stored_matches(django_db_blocker: DjangoDbBlocker) -> None:
    """Let `tests.browser.stored` write into the databases of servers."""
    stored.blocker[:] = [django_db_blocker]


@pytest.fixture
def site(shared_site: Site) -> Site:
    """Return the shared server, with this test's deals, restarted if a test has stopped it."""
    shared_site.draw_for_test()
    if shared_site.process is None:
        shared_site.start()
    return shared_site


@pytest.fixture(scope="session")
def storage_states() -> dict[tuple[str, str], StorageState]:
    """Return the cookies of accounts by site and name: they stay logged in across tests."""
    return {}


@pytest.fixture
def open_page(
    browser: Browser, site: Site, storage_states: dict[tuple[str, str], StorageState]
) -> Iterator[Callable[..., Page]]:
    """Return a function that opens a page: as account `name`, as a guest, or logged out."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def open_page(
        name: str = "", *, guest: bool = False, phone: bool = False, scripts: bool = True, **options
    ) -> Page:
        look: dict[str, Any] = {"base_url": site.url, "reduced_motion": "reduce", "locale": "en-GB"}
        look |= PHONE if phone else DESKTOP
        look["storage_state"] = storage_states.get((site.url, name))
        context = browser.new_context(java_script_enabled=scripts, **(look | options))
        context.set_default_timeout(TIMEOUT_MS)
        context.add_init_script(
            SEEDED_RANDOM_JS % json.dumps(f"{seeds.SEED} {seeds.current_test()} {len(contexts)}")
        )
        contexts.append(context)
        stored.database_files[context] = site.folder / "boneyard.sqlite3"
        if name and (site.url, name) not in storage_states:
            sign_in(context, name)
            storage_states[site.url, name] = context.storage_state()
        elif guest:
            post_form(context, "/accounts/login/", "/accounts/guest/")  # the login page has the fastest form
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "console",
            lambda said: (
                errors.append(said.text)
                if said.type == "error" and not IGNORED_CONSOLE_ERRORS.search(said.text)
                else None
            ),
        )
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def alice(open_page) -> Page:
    return open_page("alice")


@pytest.fixture
def bob(open_page) -> Page:
    return open_page("bob")


@pytest.fixture
def network(site: Site) -> Iterator[NetworkProxy]:
    network = NetworkProxy(site.port)
    yield network
    network.close()


@pytest.fixture
def dora(open_page, network: NetworkProxy) -> Page:
    """Return a page behind the proxy."""
    return open_page("dora", base_url=network.url)


def sign_in(context: BrowserContext, name: str) -> None:
    """Log in, or sign up if the account does not exist."""
    if "/login/" in post_form(context, "/accounts/login/", login=name, password=PASSWORD):
        url = post_form(context, "/accounts/signup/", username=name, password1=PASSWORD, password2=PASSWORD)
        assert "/signup/" not in url, f"{name} could not sign up"


def post_form(context: BrowserContext, form: str, to: str = "", **fields: str) -> str:
    """Post a form to `to`, or to its own page. Return the redirect URL without following it.

    The form's page is only requested if there is no CSRF token yet.
    """
    if not csrf_token(context):
        assert TOKEN.search(context.request.get(form).text()), f"{form} has no form"
    sent = {"csrfmiddlewaretoken": csrf_token(context)} | fields
    answer = context.request.post(to or form, form=sent, max_redirects=0)
    return urljoin(answer.url, answer.headers.get("location", ""))


def csrf_token(context: BrowserContext) -> str:
    """Return the CSRF token of the browser context, or an empty string."""
    found = (cookie["value"] for cookie in context.cookies() if cookie["name"].endswith("csrftoken"))
    return next(found, "")


@pytest.fixture
def offline(open_page, tmp_path):
    """Return the saved verification page, opened offline."""
    online = open_page()
    online.goto("/verify/")
    saved = tmp_path / "verify.html"
    with online.expect_download() as download:
        online.get_by_role("link", name="Save this page").click()
    download.value.save_as(saved)
    page = open_page()
    page.context.set_offline(True)
    page.goto(f"file://{saved}")
    return page
