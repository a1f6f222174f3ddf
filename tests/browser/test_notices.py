"""Notices at a match: nothing moves the hand, and each is said once."""

from datetime import timedelta
from functools import partial

from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from nights.models import Night
from nights.open_models import Follower
from tests.browser.layout import LONGEST_GUESTS, is_early, settle, size
from tests.browser.stored import change_rows
from tests.browser.tables import open_alone
from tests.browser.waiting import until
from tests.nights.open_nights import make_open_night

SIZES = ((1440, 900), (1280, 800), (1024, 700), (390, 844), (844, 390))
HAND_BOX_JS = """() => {
    const { top, bottom } = document.querySelector("#hand").getBoundingClientRect();
    return [Math.round(top), Math.round(bottom), innerHeight];
}"""


def measure_hand(page: Page) -> list[list[int]]:
    """Return top and bottom of the hand, and the window's height, at all sizes."""
    boxes = []
    for width, height in SIZES:
        page.set_viewport_size(size(width, height))
        settle(page)
        boxes.append(page.evaluate(HAND_BOX_JS))
    return boxes


def follow_night(name: str) -> None:
    """Let the user follow an open night of another game that begins within the hour."""
    start = (timezone.now() + timedelta(hours=1)).replace(minute=0, second=0, microsecond=0)
    night = make_open_night(starts_at=start, preset="block", name="Ear night")
    Follower.objects.create(night=night, user=User.objects.get(username=name))


def test_notices_do_not_move_the_hand_and_are_said_once(open_page):
    page = open_page("night-owl")
    open_alone(page, LONGEST_GUESTS[:1], is_early)
    without = measure_hand(page)
    assert all(bottom <= height for _top, bottom, height in without), without

    change_rows(page, partial(follow_night, "night-owl"))
    try:
        page.reload()
        expect(page.locator("#status")).to_contain_text("Ear night begins")
        assert measure_hand(page) == without
        page.evaluate(RAISE_MESSAGE_JS)
        assert measure_hand(page) == without

        page.reload()
        until(page, lambda: page.locator("#status").text_content(), "what is said at the start")
        expect(page.locator("#status")).not_to_contain_text("Ear night")
        page.set_viewport_size(size(*SIZES[0]))
        page.locator(".account summary").click()
        expect(page.locator(".account").get_by_text("Ear night")).to_be_visible()
    finally:
        change_rows(page, Night.objects.filter(name="Ear night").delete)


# What a request has led to, as the server would render it.
RAISE_MESSAGE_JS = """() => {
    document.querySelector("#messages").innerHTML = "<p class='message'>The table has moved on.</p>";
}"""
