"""What holds for every style sheet and script; what one file shows by itself is biome's (`make lint`)."""

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
STYLES = sorted((ROOT / "static" / "css").glob("*.css"))
SCRIPTS = sorted((ROOT / "static" / "js").rglob("*.js"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
MOST_LINES = 290
BLOCK = re.compile(r"([^{}]+)\{([^{}]*)\}")
QUOTED = re.compile(r"""\"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|body_class %\}[\w -]*""")
IMPORT = re.compile(r'^(?:import|} from)\b[^"]*"([^"]+)";$', re.M)
STATIC = re.compile(r"<(link|script)\b[^>]*\{% static '(js/[\w/-]+\.js)' %\}")


def rules(text: str) -> list[tuple[str, str, str]]:
    """(at-rule around it or "", selector, declarations) of each rule of a style sheet."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    found, around = [], ""
    for part in re.split(r"(@(?:media|container)[^{]+\{|\n\})", text):
        if part.startswith(("@media", "@container")):
            around = part.strip(" {")
        elif part == "\n}":
            around = ""
        else:
            found += [(around, " ".join(s.split()), body) for s, body in BLOCK.findall(part + "}")]
    return [rule for rule in found if not re.match(r"@|\d+%|from|to", rule[1])]


EVERY = {path.name: rules(path.read_text()) for path in STYLES}


def classes() -> set[str]:
    bare = [re.sub(r'"[^"]*"', "", selector) for found in EVERY.values() for _, selector, _ in found]
    return {name for selector in bare for name in re.findall(r"\.(-?[A-Za-z_][\w-]*)", selector)}


def test_the_style_sheets_are_read():
    assert rules("a { b: c; }\n@media (x) {\n  .d { e: f; }\n}\n.g { h: i; }\n") == [
        ("", "a", " b: c; "),
        ("@media (x)", ".d", " e: f; "),
        ("", ".g", " h: i; "),
    ]
    assert len(classes()) > 200


@pytest.mark.parametrize("path", STYLES + SCRIPTS, ids=lambda path: path.name)
def test_a_file_can_be_read_at_one_sitting(path):
    assert len(path.read_text().splitlines()) <= MOST_LINES


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_no_line_is_longer_than_120_columns(path):
    assert [line for line in path.read_text().splitlines() if len(line) > 120] == []


def test_a_selector_stands_in_one_file_and_there_once():
    where = {
        (name, around, selector)
        for name, found in EVERY.items()
        for around, selector, _ in found
        if selector != ":root"
    }
    files = Counter(selector for selector, _ in {(selector, name) for name, _, selector in where})
    assert [selector for selector, count in files.items() if count > 1] == []
    for name, found in EVERY.items():
        again = Counter((around, selector) for around, selector, _ in found)
        assert [rule for rule, count in again.items() if count > 1] == [], name


def test_every_token_is_used_and_every_one_used_is_there():
    text = "".join(path.read_text() for path in STYLES + SCRIPTS)
    defined = set(re.findall(r"(--[\w-]+)\s*:", text))
    used = set(re.findall(r"(?:var\(|getPropertyValue\(\")(--[\w-]+)", text))
    assert defined ^ used == set()


def test_what_a_finger_hits_is_measured_by_the_token():
    for name, found in EVERY.items():
        for _, selector, body in found:
            assert not re.search(r"(height|width): 44px", body), (name, selector)


def test_classes_are_words():
    assert {name for name in classes() if len(name) <= 3} == set()


def test_every_class_that_has_a_style_is_used():
    folders = ("accounts", "games", "lobbies", "study", "dominoes_site", "live")
    code = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    text = "".join(path.read_text() for path in [*TEMPLATES, *SCRIPTS, *code])
    # Only what stands in quotes or an attribute can be a class: no comment, no name, no sentence of prose.
    words = set(re.findall(r"[\w-]+", " ".join(re.findall(QUOTED, text))))
    # The end of a name that a variable makes: plate-{{ … }}, suit-{n}, is-{{ … }}.
    made = tuple(re.findall(r"(?<![\w-])([a-z]+-)\{", text))
    # Django's admin names a cell by its column, and says of a date that it stays in one line.
    words, made = words | {"nowrap"}, (*made, "field-")
    assert {name for name in classes() if name not in words and not name.startswith(made)} == set()


def test_what_a_style_sheet_imports_is_there_and_names_no_file_itself():
    """The storage puts it in the import's place as it is written: an address in it would not be rewritten."""
    imported = {name for path in STYLES for name in re.findall(r'@import "([^"]+)";', path.read_text())}
    assert len(imported) > 5
    assert imported <= {path.name for path in STYLES}
    assert [
        name for name in imported if re.search(r"url\((?!#)", (STYLES[0].parent / name).read_text())
    ] == []


def test_a_page_preloads_what_its_module_imports():
    """Otherwise the imports of imports are asked for one after the other."""
    for path in TEMPLATES:
        asked = STATIC.findall(path.read_text())
        preloaded = {name for tag, name in asked if tag == "link"}
        for _, name in [each for each in asked if each[0] == "script"]:
            needed = imports(ROOT / "static" / name) - {"js/dom.js"}  # base.html preloads it
            assert needed <= preloaded, path.name


def imports(path: Path) -> set[str]:
    """All that a module imports, directly or not, as static files are named."""
    found: set[Path] = set()
    ahead = [path]
    while ahead:
        module = ahead.pop()
        for name in IMPORT.findall(module.read_text()):
            other = (module.parent / name).resolve()
            if other not in found:
                found.add(other)
                ahead.append(other)
    return {other.relative_to(ROOT / "static").as_posix() for other in found}
