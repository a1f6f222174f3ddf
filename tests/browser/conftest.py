"""The real server and real Chromium: `site`, and people who each have a browser of their own.

`visitor(...)` opens a page in a context of its own; `alice` and `bob` are two who have signed up. Whatever a page
reports as an error (a script's, a violation of the content security policy) fails the test that opened it.
"""

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, expect

from tests.server import ROOT, Site

PASSWORD = "ninety-nine bones"
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
# What the console says of answers such as 422 and of a server that is being restarted is no fault of the page; of a
# lost socket htmx logs the bare event, and of a request that the next page cut off two lines.
EXPECTED = re.compile(
    r"Failed to load resource|WebSocket connection to|net::ERR_CONNECTION_REFUSED|^\[object Event\]$"
    r"|^htmx:(sendAbort|sendError|timeout|afterRequest), "
)
expect.set_options(timeout=15_000)  # a busy machine is slow, not wrong
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict:
    return launch_options()


def launch_options() -> dict:
    """How Chromium is launched here, for Playwright."""
    found = subprocess.run([ROOT / "bin" / "chromium"], capture_output=True, text=True).stdout.strip()
    assert found, "Chromium is not installed (bin/chromium installs it)"
    quiet = ["--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run"]
    quiet += [
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--autoplay-policy=no-user-gesture-required",
    ]
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return {"executable_path": found, "headless": True, "args": quiet + sandbox}


@pytest.fixture(scope="session")
def one_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("site"), COMPUTER_PAUSE_MS="10", CALL_PAUSE_MS="40", LIMITS="off")
    site.start()
    yield site
    if site.process is not None:
        site.kill()


@pytest.fixture
def site(one_site: Site) -> Site:
    """The server all tests share; running, whatever the test before did to it."""
    if one_site.process is None:
        one_site.start()
    return one_site


@pytest.fixture(scope="session")
def signed_in() -> dict[str, StorageState]:
    """By name, the cookies of those who have signed up already: they stay signed in from test to test."""
    return {}


@pytest.fixture
def open_page(
    browser: Browser, site: Site, signed_in: dict[str, StorageState]
) -> Iterator[Callable[..., Page]]:
    """A function: visitor(name="alice" | guest=True | nobody, phone=False, scripts=True, **context options)."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def open_page(
        name: str = "", *, guest: bool = False, phone: bool = False, scripts: bool = True, **options
    ) -> Page:
        look: dict[str, Any] = {"base_url": site.url, "reduced_motion": "reduce", "locale": "en-GB"}
        look |= PHONE if phone else DESKTOP
        look["storage_state"] = signed_in.get(name)
        context = browser.new_context(java_script_enabled=scripts, **(look | options))
        contexts.append(context)
        if name and name not in signed_in:
            sign_in(context, name)
            signed_in[name] = context.storage_state()
        elif guest:
            post_form(context, "/accounts/login/", "/accounts/guest/")  # of all forms the one soonest there
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "console",
            lambda said: (
                errors.append(said.text) if said.type == "error" and not EXPECTED.search(said.text) else None
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


def sign_in(context: BrowserContext, name: str) -> None:
    """Through the log-in form; the first time, through the sign-up form."""
    if "/login/" in post_form(context, "/accounts/login/", login=name, password=PASSWORD):
        where = post_form(context, "/accounts/signup/", username=name, password1=PASSWORD, password2=PASSWORD)
        assert "/signup/" not in where, f"{name} could not sign up"


def post_form(context: BrowserContext, form: str, to: str = "", **fields: str) -> str:
    """Post a form to `to` (or where it is); the address it leads to, which is not asked for.

    The page it is on is asked for only by who has no token yet.
    """
    if not csrf_token(context):
        assert TOKEN.search(context.request.get(form).text()), f"{form} has no form"
    sent = {"csrfmiddlewaretoken": csrf_token(context)} | fields
    answer = context.request.post(to or form, form=sent, max_redirects=0)
    return urljoin(answer.url, answer.headers.get("location", ""))


def csrf_token(context: BrowserContext) -> str:
    """What its forms carry against forgery; nothing in a browser that has seen no form."""
    found = (cookie["value"] for cookie in context.cookies() if cookie["name"].endswith("csrftoken"))
    return next(found, "")


@pytest.fixture
def offline(open_page, tmp_path):
    """The page as it was saved, opened without a network."""
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
