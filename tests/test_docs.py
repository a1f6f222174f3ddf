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
