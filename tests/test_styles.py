"""Rules across style sheets, scripts and templates. biome checks single files (`make lint`)."""

import re
from collections import Counter
from pathlib import Path

import pytest

from dominoes_site.statics import minify_css

ROOT = Path(__file__).resolve().parent.parent
STYLES = sorted((ROOT / "static" / "css").glob("*.css"))
SCRIPTS = sorted((ROOT / "static" / "js").rglob("*.js"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
MAX_LINES = 290
# SVG text is sized in units of its drawing, and `em` follows the text.
SVG_TEXT = re.compile(r"text\b|track-number")
SCALED = re.compile(
    r"(?<![\w-])((?:padding|margin|gap|row-gap|column-gap|font|border)[\w-]*)\s*:\s*([^;{}]+)"
)
LITERAL = re.compile(r"(?<![\w.#-])-?(?!0(?:px|rem)\b)\d*\.?\d+(?:px|rem)\b")
BLOCK = re.compile(r"([^{}]+)\{([^{}]*)\}")
QUOTED = re.compile(r"""\"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|body_class %\}[\w -]*""")
INCLUDE = re.compile(r"{% include \"([\w/]+\.html)\"")
IMPORT = re.compile(r'^(?:import|} from)\b[^"]*"([^"]+)";$', re.M)
STATIC = re.compile(r"<(link|script)\b[^>]*\{% static '(js/[\w/-]+\.js)' %\}")


def rules(text: str) -> list[tuple[str, str, str]]:
    """Return (enclosing at-rule or "", selector, declarations) of each rule of a style sheet."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    found, at_rule = [], ""
    for part in re.split(r"(@(?:media|container|supports)[^{]+\{|\n\})", text):
        if part.startswith(("@media", "@container", "@supports")):
            at_rule = part.strip(" {")
        elif part == "\n}":
            at_rule = ""
        else:
            found += [(at_rule, " ".join(s.split()), body) for s, body in BLOCK.findall(part + "}")]
    return [rule for rule in found if not re.match(r"@|\d+%|from|to", rule[1])]


RULES_BY_FILE = {path.name: rules(path.read_text()) for path in STYLES}


def classes() -> set[str]:
    bare = [re.sub(r'"[^"]*"', "", selector) for found in RULES_BY_FILE.values() for _, selector, _ in found]
    return {name for selector in bare for name in re.findall(r"\.(-?[A-Za-z_][\w-]*)", selector)}


def test_rules_parses_style_sheets():
    assert rules("a { b: c; }\n@media (x) {\n  .d { e: f; }\n}\n.g { h: i; }\n") == [
        ("", "a", " b: c; "),
        ("@media (x)", ".d", " e: f; "),
        ("", ".g", " h: i; "),
    ]
    assert len(classes()) > 200


@pytest.mark.parametrize("path", STYLES + SCRIPTS, ids=lambda path: path.name)
def test_file_is_short(path):
    assert len(path.read_text().splitlines()) <= MAX_LINES


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_lines_have_at_most_120_columns(path):
    assert [line for line in path.read_text().splitlines() if len(line) > 120] == []


def test_selector_is_unique():
    where = {
        (name, at_rule, selector)
        for name, found in RULES_BY_FILE.items()
        for at_rule, selector, _ in found
        if selector != ":root" and at_rule != "@media print"  # print.css overrides the others
    }
    files = Counter(selector for selector, _ in {(selector, name) for name, _, selector in where})
    assert [selector for selector, count in files.items() if count > 1] == []
    for name, found in RULES_BY_FILE.items():
        again = Counter((at_rule, selector) for at_rule, selector, _ in found)
        assert [rule for rule, count in again.items() if count > 1] == [], name


def test_tokens_are_defined_and_used():
    own = [path for path in STYLES + SCRIPTS if path.name != "admin-theme.css"]  # Django's variables
    text = "".join(path.read_text() for path in own)
    defined = set(re.findall(r"(--[\w-]+)\s*:", text))
    used = set(re.findall(r"(?:var\(|getPropertyValue\(\")(--[\w-]+)", text))
    assert defined ^ used == set()


def test_light_dark_is_a_second_value():
    """Browsers without it (Chrome 109, Safari 16, Firefox 115) get the light value."""
    for name, found in RULES_BY_FILE.items():
        declared: dict[tuple[str, str], list[str]] = {}
        for at_rule, selector, body in found:
            for declaration in filter(str.strip, body.split(";")):
                key, _, value = declaration.partition(":")
                declared.setdefault((selector, key.strip()), []).append(
                    at_rule if "light-dark(" in value else "light"
                )
        for place, values in declared.items():
            if any("supports" in value for value in values):
                assert values[0] == "light", (name, place)
            assert all(value == "light" or "supports" in value for value in values), (name, place)


def test_sizes_use_steps_of_the_scales():
    """Type, space and corners come from tokens.css: a literal is a step that no other page has."""
    found = [
        (name, selector, f"{prop}: {value}")
        for name, sheet in RULES_BY_FILE.items()
        if name != "tokens.css"
        for _, selector, body in sheet
        if not SVG_TEXT.search(selector)
        for prop, value in SCALED.findall(body)
        if (not prop.startswith("border") or "radius" in prop)
        and prop != "font-weight"
        and LITERAL.search(value)
    ]
    assert found == []


def test_touch_size_uses_token():
    for name, found in RULES_BY_FILE.items():
        for _, selector, body in found:
            assert not re.search(r"(height|width): 44px", body), (name, selector)


def test_class_names_are_longer_than_three_letters():
    assert {name for name in classes() if len(name) <= 3} == set()


def test_styled_classes_are_used():
    folders = (
        "accounts",
        "games",
        "lobbies",
        "study",
        "dominoes_site",
        "events",
        "live",
        "nights",
        "operators",
    )
    code = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    text = "".join(path.read_text() for path in [*TEMPLATES, *SCRIPTS, *code])
    # Class names appear only in quotes or attributes.
    words = set(re.findall(r"[\w-]+", " ".join(re.findall(QUOTED, text))))
    # Prefixes of computed names: plate-{{ … }}, suit-{n}, is-{{ … }}.
    prefixes = tuple(re.findall(r"(?<![\w-])([a-z]+-)\{", text))
    # Classes of Django's admin.
    words, prefixes = words | {"has_original", "inline-group", "nowrap", "tabular"}, (*prefixes, "field-")
    assert {name for name in classes() if name not in words and not name.startswith(prefixes)} == set()


# What has a side of the window instead of a side of the text. At a language from right to left a page is mirrored.
PHYSICAL = re.compile(
    r"""(?<![\w-])(?:
        (?:scroll-)?(?:margin|padding)-(?:left|right) | border-(?:left|right)(?:-\w+)?
        | border-(?:top|bottom)-\w+-radius
        | (?:left|right)(?=\s*:)(?!\s*:\s*50%)
        | (?:text-align|float|clear)(?=\s*:\s*(?:left|right))
        | (?:transform-origin|[\w-]*gradient)(?=[^;]*[\s(](?:left|right)\b) | translateX(?!\(-50%\))
    )\s*[:(][^;}]*""",
    re.X,
)
FOUR_SIDES = re.compile(r"(?<![\w-])(margin|padding|inset|border-(?:width|color|radius))\s*:\s*([^;}]+)")
REASON = re.compile(r"/\* physical: \w[^*]*\*/")


def find_physical(line: str) -> list[str]:
    """Return the declarations of a line that a mirrored page would leave on the wrong side."""
    if REASON.search(line):
        return []
    line = re.sub(r"/\*.*?\*/", "", line)
    return PHYSICAL.findall(line) + [
        f"{name}: {value}" for name, value in FOUR_SIDES.findall(line) if has_unequal_sides(name, value)
    ]


def has_unequal_sides(name: str, value: str) -> bool:
    values = re.findall(r"(?:[\w-]*\((?:[^()]|\([^()]*\))*\)|[^\s()])+", value.replace("!important", ""))
    if name == "border-radius":
        top_left, top_right, bottom_right, bottom_left = (
            (values * 4)[:4] if len(values) != 3 else (*values, values[1])
        )
        return (top_left, bottom_left) != (top_right, bottom_right)
    return len(values) == 4 and values[1] != values[3]


@pytest.mark.parametrize(
    "path", [path for path in STYLES if path.name != "mirrored.css"], ids=lambda path: path.name
)
def test_sides_are_those_of_the_text(path):
    """Use margin-inline-start, inset-inline-end, text-align: start …, or say why not: /* physical: the reason */."""
    lines = enumerate(path.read_text().splitlines(), 1)
    assert [f"{path.name}:{number}: {each}" for number, line in lines for each in find_physical(line)] == []


@pytest.mark.parametrize(
    ("line", "is_physical"),
    [
        ("  margin-left: 2px;", True),
        ("a { border-right-color: red; }", True),
        ("  right: 0;", True),
        ("  left: 50%;", False),  # a middle is on neither side
        ("  text-align: right;", True),
        ("  border-top-left-radius: 2px;", True),
        ("  padding: 0 var(--s1) 0 calc(1px + env(safe-area-inset-left));", True),
        ("  padding: 0 var(--s1) 0 var(--s1);", False),
        ("  inset: 0 auto auto;", False),
        ("  border-radius: var(--r3) 0 0;", True),
        ("  border-radius: var(--r3) var(--r3) 0 0;", False),
        ("  mask-image: linear-gradient(to left, transparent, #000 2rem);", True),
        ("  right: 0; /* physical: the line of play is not mirrored */", False),
        (".left { color: red; }", False),
        ("  margin-inline: 0 auto;", False),
    ],
)
def test_physical_sides_are_found(line, is_physical):
    assert bool(find_physical(line)) == is_physical


def test_imported_style_sheets_exist_without_urls():
    """Check imported sheets: the storage inlines them, so a relative URL would break."""
    imported = {name for path in STYLES for name in re.findall(r'@import "([^"]+)";', path.read_text())}
    assert len(imported) > 5
    assert imported <= {path.name for path in STYLES}
    assert [
        name for name in imported if re.search(r"url\((?!#)", (STYLES[0].parent / name).read_text())
    ] == []


def test_pages_preload_imported_modules():
    """Otherwise nested imports load one after the other."""
    base = STATIC.findall((ROOT / "templates" / "base.html").read_text())
    everywhere = {name for tag, name in base if tag == "link"}
    for path in TEMPLATES:
        text = path.read_text()
        included = [(ROOT / "templates" / name).read_text() for name in INCLUDE.findall(text)]
        linked = STATIC.findall("".join([text, *included]))
        preloaded = {name for tag, name in linked if tag == "link"}
        for _, name in [each for each in linked if each[0] == "script"]:
            needed = imports(ROOT / "static" / name) - everywhere
            assert needed <= preloaded, path.name


def imports(path: Path) -> set[str]:
    """Return the static paths of all modules that a module imports, directly or not."""
    found: set[Path] = set()
    pending = [path]
    while pending:
        module = pending.pop()
        for name in IMPORT.findall(module.read_text()):
            other = (module.parent / name).resolve()
            if other not in found:
                found.add(other)
                pending.append(other)
    return {other.relative_to(ROOT / "static").as_posix() for other in found}


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_minified_selectors_keep_descendants(path):
    def count(text: str) -> int:
        return len(re.findall(r"[\w\])] \*?:[a-z]", text))

    source = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
    assert count(minify_css(source)) == count(source)
