"""Notices in a real browser: a push is displayed, and leaves the screen once its subject was read, or at the log-out.

The headless browser has no push service, no screen for notifications and no badge: the protocol of its developer tools
delivers the message, and the worker gets a screen to write to. What needs a press on a notification runs in Node
(tests/notifications).
"""

import json
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser.waiting import until
from tests.server import Site

REGISTER_JS = """async () => {
    await navigator.serviceWorker.register("/sw.js");
    await navigator.serviceWorker.ready;
    localStorage.setItem("first-visit", Date.now() - 86_400_000);
}"""
GIVE_SCREEN_JS = """() => {
    for (const name of ["setAppBadge", "clearAppBadge"]) delete WorkerNavigator.prototype[name];
    self.screen = [];
    registration.getNotifications = async () => [...self.screen];
    registration.showNotification = async (title, {tag, data}) => {
        const close = () => (self.screen = self.screen.filter((each) => each.tag !== tag));
        close();
        self.screen.push({title, tag, data, close});
    };
}"""
WANT_NOTICES_JS = "() => localStorage.setItem('notices', document.documentElement.dataset.account)"


class Browser:
    """The service worker of a page, with a screen."""

    def __init__(self, page: Page, site: Site) -> None:
        page.goto("/notifications/")
        page.evaluate(REGISTER_JS)
        self._page, self._origin = page, site.url
        self._registration = ""
        self._tools: CDPSession = page.context.new_cdp_session(page)
        self._tools.on("ServiceWorker.workerRegistrationUpdated", self._note)
        self._tools.send("ServiceWorker.enable")
        until(page, lambda: bool(self._registration), "a registration")
        (self._worker,) = page.context.service_workers
        self._worker.evaluate(GIVE_SCREEN_JS)

    def _note(self, event: dict[str, Any]) -> None:
        for registration in event["registrations"]:
            if registration["scopeURL"].startswith(self._origin) and not registration["isDeleted"]:
                self._registration = registration["registrationId"]

    def push(self, title: str, tag: str, unread: list[str]) -> None:
        data = {
            "title": title,
            "body": "",
            "url": "/notifications/1/",
            "tag": tag,
            "badge": 0,
            "open": unread,
        }
        self._tools.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": self._origin, "registrationId": self._registration, "data": json.dumps(data)},
        )

    def expect_screen(self, *titles: str) -> None:
        def read() -> list[str]:
            return self._worker.evaluate("() => self.screen.map(({title}) => title)")

        until(self._page, lambda: read() == list(titles), f"{titles} on the screen", status=read)


@pytest.fixture
def notified(open_page, site: Site) -> tuple[Browser, Page]:
    page = open_page("notified-nora")
    return Browser(page, site), page


def test_notices_leave_the_screen_when_they_were_read(notified):
    browser, page = notified
    browser.push("Your turn", "a", [])
    browser.expect_screen("Your turn")
    browser.push("2 hours left for your move", "a", ["a"])
    browser.expect_screen("2 hours left for your move")
    browser.push("You are challenged", "b", ["a"])
    browser.expect_screen("2 hours left for your move", "You are challenged")
    browser.push("A rematch?", "c", ["b"])
    browser.expect_screen("You are challenged", "A rematch?")

    page.evaluate(WANT_NOTICES_JS)
    with page.expect_response("**/notifications/check") as response:  # nothing is unread at the site
        page.goto("/rules/")
    assert response.value.json()["open"] == []
    browser.expect_screen()

    browser.push("Your turn", "a", [])
    browser.expect_screen("Your turn")
    page.locator(".account summary").click()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()
    browser.expect_screen()
