"""axe checks of the current page against WCAG 2.2 AA and best practices."""

from pathlib import Path
from typing import Literal

from playwright.sync_api import Page, ViewportSize

from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.fonts import assert_fits_any_font

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
CONTRAST = ["color-contrast"]  # nothing else depends on the theme
# Rules about how a part fits the rest of its page.
OUTLINE = [
    "page-has-heading-one",
    "heading-order",
    "landmark-unique",
    "landmark-one-main",
    "duplicate-id-aria",
]

# Checks the page or only its parts that match the selector; without these also only what was hidden when
# MARK_SHOWN_JS ran. Hidden parts are never checked.
RUN_AXE_JS = """async ([rules, part, isOnlyNew]) => {
    let include = [...document.querySelectorAll(part || ":root")];
    if (isOnlyNew) {
        const all = include.flatMap(each => [each, ...each.querySelectorAll("*")]);
        const fresh = new Set(all.filter(each => each.checkVisibility() && !window.shownToAxe.has(each)));
        include = [...fresh].filter(each => !fresh.has(each.parentElement));
        if (!include.length) return [];
    }
    return (await axe.run({ include }, { runOnly: rules, resultTypes: ["violations"] })).violations;
}"""
MARK_SHOWN_JS = """() => {
    window.shownToAxe = new WeakSet([...document.querySelectorAll("*")].filter(each => each.checkVisibility()));
}"""
# axe skips text on gradients: replace them by the background colour.
REMOVE_GRADIENTS_JS = """() => {
    const plain = new CSSStyleSheet();
    plain.replaceSync("*, ::before, ::after { background-image: none !important }");
    document.adoptedStyleSheets = [plain];
}"""


def find_violations(
    page: Page, rules: list[str] = RULES, part: str = "", *, is_only_new: bool = False
) -> list[str]:
    """Return what axe finds on the page, or on its parts that match the selector `part`.

    `is_only_new`: where something is shown that was hidden when MARK_SHOWN_JS ran.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
        page.evaluate(REMOVE_GRADIENTS_JS)
    assert not part or page.locator(part).count(), f"there is no {part} on {page.url}"
    found = page.evaluate(RUN_AXE_JS, [rules, part, is_only_new])
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in found
        for node in fault["nodes"]
    ]


def assert_accessible(page: Page, what: str = "", part: str = "") -> None:
    """Assert that axe finds nothing on the page, in both themes, at desktop and phone size.

    axe takes two CPU seconds for a page. Where another test checks the same template, `part` is a selector of what is
    new: that is checked once a theme, each at another size.
    """
    looks: list[tuple[ViewportSize, Literal["light", "dark"], list[str], bool]] = [
        (DESKTOP["viewport"], "light", RULES, False),
        (DESKTOP["viewport"], "dark", CONTRAST, False),
        # What is shown at both sizes has the same colours at both.
        (PHONE["viewport"], "dark", CONTRAST, True),
        (PHONE["viewport"], "light", RULES, False),
    ]
    if part:
        looks = [looks[0], (PHONE["viewport"], "dark", RULES, False)]
        found = "\n".join(find_violations(page, OUTLINE))
        assert not found, f"{what or page.url}: {found}"
    for viewport, theme, rules, is_only_new in looks:
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=theme)
        found = "\n".join(find_violations(page, rules, part, is_only_new=is_only_new))
        assert not found, f"{what or page.url}, {viewport['width']} wide, {theme}: {found}"
        if viewport is DESKTOP["viewport"]:
            page.evaluate(MARK_SHOWN_JS)
    assert_fits_any_font(page, f"{what or page.url}, {viewport['width']} wide,")
    page.set_viewport_size(DESKTOP["viewport"])
