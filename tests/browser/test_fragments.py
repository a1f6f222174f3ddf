"""The page's script applies frames as tests/dom.py does, on random pairs of fragments."""

from collections.abc import Callable

from hypothesis import HealthCheck, Phase, given, seed, settings
from playwright.sync_api import Page

from live.fragments.diff import diff, render_frame
from tests import dom
from tests.live.test_fragments import page_pairs

APPLY = """([before, frame]) => {
    document.getElementById("main").innerHTML = before;
    htmx.swap(document.createElement("div"), frame, {swapStyle: "none"});
    return document.getElementById("main").innerHTML;
}"""


def test_script_applies_frames_like_the_test_parser(open_page: Callable[..., Page]):
    page = open_page()
    page.goto("/rules/")

    @seed(1)
    @settings(
        max_examples=40,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(page_pairs())
    def check(pair):
        old, new = pair
        html = page.evaluate(APPLY, [old.html(), render_frame(diff(old, new))])
        expected = page.evaluate(APPLY, [new.html(), ""])
        assert dom.parse(html).comparable() == dom.parse(expected).comparable()

    check()
