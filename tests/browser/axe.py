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


RUN_AXE_JS = """async rules =>
    (await axe.run(document, { runOnly: rules, resultTypes: ['violations'] })).violations"""
# axe skips text on gradients: replace them by the background colour.
REMOVE_GRADIENTS_JS = """() => {
    const plain = new CSSStyleSheet();
    plain.replaceSync("*, ::before, ::after { background-image: none !important }");
    document.adoptedStyleSheets = [plain];
}"""


def find_violations(page: Page, rules: list[str] = RULES) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
        page.evaluate(REMOVE_GRADIENTS_JS)
    found = page.evaluate(RUN_AXE_JS, rules)
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in found
        for node in fault["nodes"]
    ]


def assert_accessible(page: Page, what: str = "") -> None:
    """Assert that axe finds nothing on the page, in both themes, at desktop and phone size."""
    for look in (DESKTOP, PHONE):
        page.set_viewport_size(look["viewport"])
        for theme, rules in THEMES.items():
            page.emulate_media(color_scheme=theme)
            found = "\n".join(find_violations(page, rules))
            assert not found, f"{what or page.url}, {look['viewport']['width']} wide, {theme}: {found}"
    assert_fits_any_font(page, f"{what or page.url}, {look['viewport']['width']} wide,")
    page.set_viewport_size(DESKTOP["viewport"])
