"""Tests of pages with wide and narrow fonts.

Installed fonts differ between machines; `size-adjust` scales a local sans-serif to the same width on all of them.
"""

from playwright.sync_api import Page

from tests.browser.waiting import until

# Average character width in em: slightly wider than Verdana and DejaVu Sans (0.58), and about Arial Narrow.
WIDE, NARROW = 0.61, 0.42
SET = """async ([letter, names]) => {
    const sheet = new CSSStyleSheet();
    const local = (kind) => names.map((name) => `local("${name}${kind}")`);
    const rules = (size) => `
        @font-face { font-family: "Any"; size-adjust: ${size}%; src: ${local("")} }
        @font-face { font-family: "Any"; size-adjust: ${size}%; font-weight: 600 900;
                     src: ${[...local(" Bold"), ...local("")]} }
        *, ::before, ::after { font-family: "Any" !important }`;
    const measure = async (size) => {
        sheet.replaceSync(rules(size));
        await Promise.all(["16px Any", "bold 16px Any"].map((font) => document.fonts.load(font)));
        const line = document.createElement("canvas").getContext("2d");
        const text = "abcdefghijklmnopqrstuvwxyz0123456789";
        line.font = "100px Any, monospace";
        return line.measureText(text).width / text.length / 100;
    };
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    window.anyFont = sheet;
    return measure((100 * letter) / (await measure(100)));
}"""
RESET = """() => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== window.anyFont);
}"""
NAMES = ["DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica", "Roboto", "Ubuntu", "FreeSans"]


def set_font_width(page: Page, letter: float) -> None:
    """Set the page in a font with an average character width of `letter` em."""
    page.evaluate(RESET)
    width = page.evaluate(SET, [letter, NAMES])
    assert abs(width - letter) < 0.01, f"none of {NAMES} is here"


def assert_fits_any_font(page: Page, what: str) -> None:
    """Assert that the page does not scroll horizontally in its own font, a wide and a narrow one."""
    until(page, lambda: not scrolls_sideways(page), f"{what} not to scroll sideways")
    for letter in (WIDE, NARROW):
        set_font_width(page, letter)
        where = f"{what} not to scroll sideways where a letter is {letter} em wide"
        until(page, lambda: not scrolls_sideways(page), where)
    page.evaluate(RESET)


def scrolls_sideways(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth > innerWidth")
