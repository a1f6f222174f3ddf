"""WCAG contrast of the colours in tokens.css and looks.css, for all tile and pip styles in both themes."""

import re
from itertools import product
from pathlib import Path

import pytest

STYLE_SHEETS = Path(__file__).resolve().parent.parent / "static" / "css"
COLOUR = r"(#\w+|var\(--[\w-]+\)|none)"
TABLE_TOKENS = ("--felt-hi", "--felt", "--felt-lo", "--walnut-hi", "--walnut", "--walnut-lo")
STYLES = list(product(("ivory", "bone", "ebony"), ("ink", "colour", "safe"), ("light", "dark")))

FELTS = list(product(("green", "blue", "wine", "slate"), ("ivory", "bone", "ebony"), ("light", "dark")))


def tokens(tiles: str, pips: str, felt: str = "green") -> dict[str, str]:
    """Return the value of each token for these tiles, pips and felt. Later rules override earlier ones."""
    text = (STYLE_SHEETS / "tokens.css").read_text() + (STYLE_SHEETS / "looks.css").read_text()
    text = re.sub(r"/\*.*?\*/|@media[^{]+\{(?:[^{}]*\{[^{}]*\})*\s*\}", "", text, flags=re.S)
    chosen = {
        ":root",
        *(
            f":is(:root, .look)[data-{name}={value}]"
            for name, value in (("tiles", tiles), ("pips", pips), ("felt", felt))
        ),
    }
    chosen.add(f":is(:root, .look)[data-tiles={tiles}][data-pips={pips}]")
    found: dict[str, str] = {}
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
        if selector.strip() in chosen:
            found |= {name: value.strip() for name, value in re.findall(r"(--[\w-]+)\s*:\s*([^;]+);", body)}
    return found


def colour(name: str, found: dict[str, str], theme: str) -> str:
    value = found[name]
    while not re.fullmatch(r"#\w{3,6}|none", value):
        if both := re.fullmatch(rf"light-dark\({COLOUR},\s*{COLOUR}\)", value):
            value = both[1 if theme == "light" else 2]
        else:
            value = found[re.fullmatch(r"var\((--[\w-]+)\)", value)[1]]
    return value


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_formula_of_wcag():
    assert contrast("#fff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize(("tiles", "pips", "theme"), STYLES)
def test_tiles_contrast_with_table(tiles, pips, theme):
    found = tokens(tiles, pips)
    edge = colour("--tile-edge", found, theme)
    for face, ground in product(("--tile", "--tile-off"), TABLE_TOKENS):
        outline = colour(face, found, theme) if edge == "none" else edge
        assert contrast(outline, colour(ground, found, theme)) >= 3, (face, ground)


@pytest.mark.parametrize(("felt", "tiles", "theme"), FELTS)
def test_felts_contrast_with_tiles_and_text(felt, tiles, theme):
    found = tokens(tiles, "ink", felt)
    edge = colour("--tile-edge", found, theme)
    for ground in ("--felt-hi", "--felt", "--felt-lo", "--felt-well"):
        felt_colour = colour(ground, found, theme)
        for text in ("--on-felt", "--on-felt-2", "--on-brass-felt"):
            assert contrast(colour(text, found, theme), felt_colour) >= 4.5, (text, ground)
        outline = colour("--tile", found, theme) if edge == "none" else edge
        assert contrast(outline, felt_colour) >= 3, ground
    well = colour("--felt-well", found, theme)
    assert contrast(colour("--coral-felt", found, theme), well) >= 4.5  # low clocks stand on plates


@pytest.mark.parametrize(("tiles", "pips", "theme"), STYLES)
def test_pips_contrast_with_tiles(tiles, pips, theme):
    found = tokens(tiles, pips)
    for pip, face in product(range(1, 13), ("--tile-hi", "--tile", "--tile-off")):
        ratio = contrast(colour(f"--pip-{pip}", found, theme), colour(face, found, theme))
        assert ratio >= 4.5, (pip, face, ratio)


@pytest.mark.parametrize(("tiles", "pips", "theme"), STYLES)
def test_playable_tiles_are_lighter(tiles, pips, theme):
    found = tokens(tiles, pips)
    play, off = (luminance(colour(name, found, theme)) for name in ("--tile", "--tile-off"))
    assert (play + 0.05) / (off + 0.05) >= 1.3


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_marks_contrast_with_paper(theme):
    found = tokens("ivory", "ink")
    for ground in ("--paper", "--paper-2", "--paper-3", "--brass-wash"):
        assert contrast(colour("--brass-text", found, theme), colour(ground, found, theme)) >= 3
