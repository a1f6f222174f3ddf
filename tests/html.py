"""Helpers for assertions on HTML text."""

import re

from django.test import Client


def collapse_whitespace(html: str) -> str:
    """Return the HTML with single spaces, and without whitespace between tags and text."""
    return re.sub(r"(?<=>) | (?=<)", "", re.sub(r"\s+", " ", html))


def read_page(browser: Client, address: str) -> str:
    """Return the HTML at an address with single spaces."""
    return collapse_whitespace(browser.get(address).content.decode())
