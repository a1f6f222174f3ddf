"""Frames on pages of other sites show everything that is in them."""

import threading
from collections.abc import Iterator
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Page, expect

from tests.browser.waiting import expect_value
from tests.server import Site

PHONE_WIDTH, DESKTOP_WIDTH = 320, 1000
CODE = """<!doctype html><body><iframe src="{address}" width="100%" height="{height}"
 style="height: auto; min-height: {height}px; aspect-ratio: 4 / 3; border: 0"></iframe>{script}</body>"""
CUT_JS = "() => document.documentElement.scrollHeight - innerHeight"
SPARE_JS = "main => innerHeight - Math.ceil(main.getBoundingClientRect().height)"


@pytest.fixture
def other_site() -> Iterator[dict[str, str]]:
    """Return the pages of another site, by path; `base` is its address."""
    pages = {"base": ""}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(pages.get(self.path, "").encode())

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    pages["base"] = f"http://127.0.0.1:{server.server_port}"
    yield pages
    server.shutdown()
    server.server_close()


def test_embedded_puzzle_is_not_cut(open_page, site: Site, other_site):
    page: Page = open_page()
    plan = page.request.get(f"{site.url}/offline/plan.json?lang=ru").json()
    address = escape(site.url + plan["puzzles"][0]["addresses"][0])
    script = f'<script async src="{site.url}/embed.js"></script>'
    other_site["/with"] = CODE.format(address=address, height=400, script=script)
    other_site["/without"] = CODE.format(address=address, height=760, script="")
    page.set_viewport_size({"width": PHONE_WIDTH, "height": 900})

    page.goto(f"{other_site['base']}/without")
    main = page.frame_locator("iframe").locator("main")
    expect(main.locator(".answers")).to_be_visible()
    expect_value(main, CUT_JS, 0)

    page.goto(f"{other_site['base']}/with")
    expect_value(main, SPARE_JS, 0)
    page.set_viewport_size(
        {"width": DESKTOP_WIDTH, "height": 900}
    )  # less is needed for the words, more for the line
    expect_value(main, SPARE_JS, 0)
    main.locator(".answers button").first.click()
    expect(main.locator(".embed-sentence")).not_to_be_empty()
    expect_value(main, SPARE_JS, 0)
