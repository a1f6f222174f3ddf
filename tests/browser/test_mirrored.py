"""Pages in words 40 % longer than English, and written from right to left: nothing overflows, overlaps or is cut.

Their sentences are made as the tests begin (tests/pseudo_languages.py).
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import run_quick_site
from tests.browser.layout import (
    NO_OVERLAPPING_CONTROLS,
    NO_OVERLAPPING_TEXT,
    NO_SIDEWAYS_SCROLL,
    Check,
    against,
    find_faults_at,
    open_position,
)
from tests.browser.waiting import expect_value
from tests.pseudo_languages import FOLDER_VARIABLE, LONG, MIRRORED, write_catalogues
from tests.server import Site

SIZES = ((1440, 900), (844, 390), (390, 844))
PAGES = (
    "/",
    "/rules/",
    "/rules/all-fives/",
    "/rules/elo/",
    "/rules/computers/",
    "/tables/new",
    "/learn/",
    "/learn/line/1/",
    "/daily/",
    "/leaderboard/muggins/",
    "/archive/",
    "/watch/",
    "/nights/",
    "/nights/new",
    "/host/",
    "/clubs/",
    "/score/",
    "/fairness/",
    "/preferences/",
    "/players/alice/",
)
# The texts of the page that are seen: `texts()` gives their nodes, `boxes(node)` those of their lines.
TEXTS_JS = """
    const look = part => getComputedStyle(part);
    const isHidden = part => part && (look(part).clipPath !== "none" || isHidden(part.parentElement));
    const texts = root => {
        const found = [], walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        for (let node = walk.nextNode(); node; node = walk.nextNode()) {
            const part = node.parentElement;
            if (!node.data.trim() || part.closest("svg, script, style, noscript, option, textarea, .skip")) continue;
            if (!part.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || isHidden(part)) continue;
            found.push(node);
        }
        return found;
    };
    const boxes = (node, start = 0, end = node.data.length) => {
        const range = document.createRange();
        range.setStart(node, start);
        range.setEnd(node, end);
        return [...range.getClientRects()].filter(box => box.width > 1);
    };
    const name = node => node.data.trim().slice(0, 40);
"""
# Words that end outside the window, or outside a part that hides what is beyond it.
CUT_WORDS_JS = f"""() => {{ {TEXTS_JS}
    const isCut = node => {{
        const lines = boxes(node);
        for (let around = node.parentElement; around && lines.length; around = around.parentElement) {{
            const overflow = around === document.body ? "clip" : look(around).overflowX;
            if (["auto", "scroll"].includes(overflow)) return false;
            if (overflow === "visible") continue;
            const box = around === document.body ? {{ left: 0, right: innerWidth }} : around.getBoundingClientRect();
            if (lines.some(line => line.left < box.left - 1 || line.right > box.right + 1)) return true;
        }}
        return false;
    }};
    return texts(document.body).filter(isCut).map(name);
}}"""
# Words that go on in the next line.
BROKEN_WORDS_JS = f"""() => {{ {TEXTS_JS}
    const isBroken = (node, word) => {{
        const tops = boxes(node, word.index, word.index + word[0].length).map(box => box.top);
        return Math.max(...tops) - Math.min(...tops) > 6;
    }};
    const read = texts(document.body).filter(node => !node.parentElement.closest("code"));
    return read.flatMap(node => [...node.data.matchAll(/\\p{{L}}+/gu)]
        .filter(word => isBroken(node, word)).map(word => `${{word[0]}} of ${{name(node)}}`));
}}"""
# Pairs of texts that lie over each other; what stays in the window may cover what scrolls.
OVERLAPPING_WORDS_JS = f"""() => {{ {TEXTS_JS}
    const isApart = part => part && (["fixed", "sticky"].includes(look(part).position) || isApart(part.parentElement));
    const clip = (line, part) => {{
        let {{ left, right, top, bottom }} = line;
        for (let around = part; around; around = around.parentElement) {{
            if (look(around).overflowX === "visible") continue;
            const box = around.getBoundingClientRect();
            [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
            [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
        }}
        return {{ left, right, top: top + 3, bottom: bottom - 3 }};
    }};
    const lines = texts(document.querySelector("main")).filter(node => !isApart(node.parentElement))
        .flatMap(node => boxes(node).map(line => ({{ node, ...clip(line, node.parentElement) }})))
        .filter(line => line.right > line.left && line.bottom > line.top);
    return lines.flatMap((one, i) => lines.slice(i + 1)
        .filter(other => one.node !== other.node)
        .filter(other => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
            && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4)
        .map(other => `${{name(one.node)}} | ${{name(other.node)}}`));
}}"""
NO_BROKEN_WORDS = Check("broken words", BROKEN_WORDS_JS)
NO_CUT_WORDS = Check("cut words", CUT_WORDS_JS)
NO_OVERLAPPING_WORDS = Check("overlapping words", OVERLAPPING_WORDS_JS)


@pytest.fixture(scope="module")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("pseudo")
    write_catalogues(folder)
    yield from run_quick_site(tmp_path_factory, **{FOLDER_VARIABLE: str(folder)})


@pytest.fixture(params=[LONG, MIRRORED])
def language(request: pytest.FixtureRequest) -> str:
    return request.param


def goto(page: Page, address: str, language: str) -> None:
    page.goto(address)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("html")).to_have_attribute("dir", "rtl" if language == MIRRORED else "ltr")


def test_pages_fit(open_page, alice, language):
    page, faults = open_page("nadia", locale=language), []
    for address in PAGES:
        goto(page, address, language)
        checks = (NO_SIDEWAYS_SCROLL, NO_CUT_WORDS, NO_BROKEN_WORDS, NO_OVERLAPPING_WORDS)
        faults += find_faults_at(page, SIZES, *checks, what=f"{language} {address}")
    assert faults == [], "\n".join(faults)


@pytest.mark.parametrize(("preset", "computers"), [("all-fives", 1), ("muggins-200", 2), ("kozel-pairs", 3)])
def test_match_fits(open_page, language, preset, computers):
    page = open_page(guest=True, locale=language)
    open_position(page, against(preset, computers))
    checks = (NO_SIDEWAYS_SCROLL, NO_CUT_WORDS, NO_BROKEN_WORDS, NO_OVERLAPPING_TEXT, NO_OVERLAPPING_CONTROLS)
    assert find_faults_at(page, SIZES, *checks, what=f"{language} {preset}") == []


def test_page_is_mirrored_and_the_table_is_not(open_page):
    page = open_page(guest=True, locale=MIRRORED)
    open_position(page, against("kozel-pairs", 3))
    goto(page, page.url, MIRRORED)
    left = "part => part.getBoundingClientRect().left"
    lefts = {
        name: page.locator(selector).first.evaluate(left)
        for name, selector in (
            ("brand", ".brand"),
            ("account", ".own-account"),
            ("rail", "#rail"),
            ("table", "#table"),
            ("first corner", ".plate-0"),
            ("last corner", ".plate-3"),
        )
    }
    assert lefts["account"] < lefts["brand"] and lefts["rail"] < lefts["table"]
    assert lefts["first corner"] < lefts["last corner"]  # turns go the way they go at every table
    hand = page.locator("#hand .hand-tile").evaluate_all(f"tiles => tiles.map({left})")
    assert hand == sorted(hand)  # the keys 1, 2, 3 … are below them
    for is_turned in (True, False):
        made = f"""() => {{
            const icon = document.createElement("i");
            icon.className = "{"icon-directed" if is_turned else "icon"}";
            return getComputedStyle(document.body.appendChild(icon)).transform !== "none";
        }}"""
        expect_value(page, made, is_turned)
