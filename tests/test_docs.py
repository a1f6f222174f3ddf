"""What comments and pages of docs/ point to is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = [
    "accounts",
    "bench",
    "bin",
    "dominoes_site",
    "games",
    "live",
    "lobbies",
    "study",
    "static/css",
    "static/js",
    "templates",
    "tests",
]
NAMED = re.compile(r"\b(?:docs/)?(?:decisions/)?[\w-]+\.md\b")
CITED = re.compile(r'docs/(\w+\.md), ((?:"[^"]+"(?:, )?)+)')
LINKED = re.compile(r"\]\(([\w./-]*)(?:#([\w-]+))?\)")
FILE = re.compile(r"(?<![\w/.*…-])((?:[\w-]+/)*[\w-]+\.(?:py|js|css))(?![\w-])")
DOTTED = re.compile(r"`([a-z]\w*(?:\.[A-Za-z_]\w*)+)(?:\(\))?`")
NOT_OURS = {"sitecustomize.py"}
# What has a dot and is no name in a module: files by their last part, and the messages that pages are sent.
NO_MODULES = ("changed", "css", "html", "js", "json", "md", "py", "txt")


def texts() -> dict[Path, str]:
    """The files that people write, by path."""
    files = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "Makefile"]
    for folder in SOURCES:
        files += [
            file
            for file in (ROOT / folder).rglob("*")
            if file.suffix in (".py", ".js", ".css", ".html") and "vendor" not in file.parts
        ]
    return {file: file.read_text() for file in files if file != Path(__file__)}


def test_every_environment_variable_is_explained():
    said = (ROOT / "docs" / "deploy.md").read_text()
    settings = (ROOT / "dominoes_site" / "settings.py").read_text()
    names = re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', settings)
    assert len(names) > 20
    assert [name for name in names if f"`{name}`" not in said] == [], "docs/deploy.md, Environment variables"


def test_nginx_asks_every_process_again_as_soon_as_it_is_back():
    processes = re.findall(r"^ +server unix:.*$", (ROOT / "docs" / "deploy.md").read_text(), re.M)
    assert len(processes) == 2
    assert all(line.endswith(" max_fails=0;") for line in processes), "a release would leave none to be asked"


def headings(document: Path) -> list[str]:
    return re.findall(r"^#+ (.+)$", document.read_text(), re.M)


def anchor(heading: str) -> str:
    """The fragment that a heading has on a page, as most renderers of Markdown make it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_every_document_that_is_named_exists():
    there = {str(file.relative_to(ROOT)) for file in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]}
    missing = [
        f"{file.relative_to(ROOT)} names {name}"
        for file, text in texts().items()
        for name in NAMED.findall(text)
        if name not in there and not any(known.endswith(f"/{name}") for known in there)
    ]
    assert missing == []


def test_every_heading_that_is_cited_exists():
    missing = [
        f"{file.relative_to(ROOT)} cites {heading!r} of docs/{document}"
        for file, text in texts().items()
        for document, quoted in CITED.findall(text)
        for heading in re.findall(r'"([^"]+)"', quoted)
        if " ".join(heading.split()) not in headings(ROOT / "docs" / document)
    ]
    assert missing == []


def test_every_link_between_documents_leads_somewhere():
    broken = []
    for file in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for path, fragment in LINKED.findall(file.read_text()):
            target = (file.parent / path).resolve() if path else file
            if not target.exists():
                broken.append(f"{file.name}: {path}")
            elif fragment and fragment not in map(anchor, headings(target)):
                broken.append(f"{file.name}: {path}#{fragment}")
    assert broken == []


def test_every_file_of_code_that_is_named_exists():
    files = (*texts(), Path(__file__), *ROOT.glob("*.py"), *ROOT.glob("static/**/*.js"))
    there = [f"/{file.relative_to(ROOT)}" for file in files]
    missing = [
        f"{file.relative_to(ROOT)} names {name}"
        for file, text in texts().items()
        for name in FILE.findall(text)
        if file.name != "Makefile" and name not in NOT_OURS
        if not any(known.endswith(f"/{name}") for known in there)
    ]
    assert missing == []


def modules() -> dict[str, list[Path]]:
    """The files of each module, and the folders of each package, by its last name."""
    found: dict[str, list[Path]] = {}
    for file in texts():
        if file.suffix == ".py":
            place = file.parent if file.stem == "__init__" else file
            found.setdefault(place.stem, []).append(place)
    return found


def has(place: Path, names: list[str]) -> bool:
    """Whether a module has these names in its text; of a package, the first may be a module."""
    if place.is_file():
        text = place.read_text()
        return all(re.search(rf"\b{name}\b", text) for name in names)
    inner = [place / names[0], place / f"{names[0]}.py"] if names else []
    if further := [each for each in inner if each.exists()]:
        return has(further[0], names[1:])
    return not names or any(has(file, names) for file in place.glob("*.py"))


def test_every_name_of_a_module_that_is_quoted_exists():
    known = modules()
    missing = [
        f"{file.relative_to(ROOT)} names {dotted}"
        for file, text in texts().items()
        for dotted in DOTTED.findall(text)
        for first, *names in [dotted.split(".")]
        if first in known and names[-1] not in NO_MODULES
        if not any(has(place, names) for place in known[first])
    ]
    assert missing == []
