"""axe checks of the current page against WCAG 2.2 AA and best practices."""

from pathlib import Path
from typing import Literal

from playwright.sync_api import Page

from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.fonts import assert_fits_any_font

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
THEMES: dict[Literal["light", "dark"], list[str]] = {
    "light": RULES,
    "dark": ["color-contrast"],
}  # nothing else depends on the theme


RUN = """async rules =>
    (await axe.run(document, { runOnly: rules, resultTypes: ['violations'] })).violations"""
# axe leaves out what stands on a gradient: under the test it stands on the gradient's plain colour.
PLAIN = """() => {
    const plain = new CSSStyleSheet();
    plain.replaceSync("*, ::before, ::after { background-image: none !important }");
    document.adoptedStyleSheets = [plain];
}"""


def find_violations(page: Page, rules: list[str] = RULES) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
        page.evaluate(PLAIN)
    found = page.evaluate(RUN, rules)
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in found
        for node in fault["nodes"]
    ]


def assert_accessible(page: Page, what: str = "") -> None:
    """The page as it stands, light and dark, as large as a desktop and as a phone."""
    for look in (DESKTOP, PHONE):
        page.set_viewport_size(look["viewport"])
        for theme, rules in THEMES.items():
            page.emulate_media(color_scheme=theme)
            found = "\n".join(find_violations(page, rules))
            assert not found, f"{what or page.url}, {look['viewport']['width']} wide, {theme}: {found}"
    assert_fits_any_font(page, f"{what or page.url}, {look['viewport']['width']} wide,")
    page.set_viewport_size(DESKTOP["viewport"])
