"""References in comments and documentation point to something that exists."""

import re
from pathlib import Path

from tests.packages import PACKAGES

ROOT = Path(__file__).resolve().parent.parent
SOURCES = [*PACKAGES, "bench", "bin", "docs/examples", "static/css", "static/js", "templates", "tests"]
DOCUMENT = re.compile(r"\b(?:docs/)?(?:decisions/)?[\w-]+\.md\b")
CITED_HEADINGS = re.compile(r'docs/(\w+\.md), ((?:"[^"]+"(?:, )?)+)')
LINK = re.compile(r"\]\(([\w./-]*)(?:#([\w-]+))?\)")
CODE_FILE = re.compile(r"(?<![\w/.*…-])((?:[\w-]+/)*[\w-]+\.(?:py|js|css))(?![\w-])")
DOTTED_NAME = re.compile(r"`([a-z]\w*(?:\.[A-Za-z_]\w*)+)(?:\(\))?`")
FOREIGN_FILES = {"sw.js", "sitecustomize.py", "mfa/js/webauthn-json.js", "webauthn-json.js"}
# Last parts of dotted words that are not names in a module: file extensions, and messages such as `match.changed`.
NOT_IN_A_MODULE = ("changed", "css", "env", "html", "js", "json", "md", "py", "txt")


def documents() -> list[Path]:
    return [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]


def texts() -> dict[Path, str]:
    """Return the text of every document and every source file, by path."""
    files = [*documents(), ROOT / "Makefile"]
    for folder in SOURCES:
        files += [
            file
            for file in (ROOT / folder).rglob("*")
            if file.suffix in (".py", ".js", ".css", ".html") and "vendor" not in file.parts
        ]
    return {file: file.read_text() for file in files if file != Path(__file__)}


def test_every_environment_variable_is_documented():
    deploy = (ROOT / "docs" / "deploy.md").read_text()
    settings = (ROOT / "dominoes_site" / "settings.py").read_text()
    names = re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', settings)
    assert len(names) > 20
    assert [name for name in names if f"`{name}`" not in deploy] == [], (
        "docs/deploy.md, Environment variables"
    )


def test_nginx_retries_a_restarted_process_at_once():
    processes = re.findall(r"^ +server unix:.*$", (ROOT / "deploy" / "nginx.conf").read_text(), re.M)
    assert len(processes) == 2
    assert all(line.endswith(" max_fails=0;") for line in processes), (
        "a release would leave no process to ask"
    )


def headings(document: Path) -> list[str]:
    return re.findall(r"^#+ (.+)$", document.read_text(), re.M)


def anchor(heading: str) -> str:
    """Return the URL fragment that most Markdown renderers give a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def test_named_documents_exist():
    existing = {str(file.relative_to(ROOT)) for file in documents()}
    missing = [
        f"{file.relative_to(ROOT)} names {name}"
        for file, text in texts().items()
        for name in DOCUMENT.findall(text)
        if name not in existing and not any(path.endswith(f"/{name}") for path in existing)
    ]
    assert missing == []


def test_cited_headings_exist():
    missing = [
        f"{file.relative_to(ROOT)} cites {heading!r} of docs/{document}"
        for file, text in texts().items()
        for document, quoted in CITED_HEADINGS.findall(text)
        for heading in re.findall(r'"([^"]+)"', quoted)
        if " ".join(heading.split()) not in headings(ROOT / "docs" / document)
    ]
    assert missing == []


def test_links_between_documents_have_targets():
    broken = []
    for file in documents():
        for path, fragment in LINK.findall(file.read_text()):
            target = (file.parent / path).resolve() if path else file
            if not target.exists():
                broken.append(f"{file.name}: {path}")
            elif fragment and fragment not in map(anchor, headings(target)):
                broken.append(f"{file.name}: {path}#{fragment}")
    assert broken == []


def test_named_code_files_exist():
    files = (*texts(), Path(__file__), *ROOT.glob("*.py"), *ROOT.glob("static/**/*.js"))
    existing = [f"/{file.relative_to(ROOT)}" for file in files]
    missing = [
        f"{file.relative_to(ROOT)} names {name}"
        for file, text in texts().items()
        for name in CODE_FILE.findall(text)
        if file.name != "Makefile" and name not in FOREIGN_FILES
        if not any(path.endswith(f"/{name}") for path in existing)
    ]
    assert missing == []


def modules() -> dict[str, list[Path]]:
    """Return the files of all modules and the folders of all packages, by the last part of their names."""
    paths: dict[str, list[Path]] = {}
    for file in texts():
        if file.suffix == ".py":
            path = file.parent if file.stem == "__init__" else file
            paths.setdefault(path.stem, []).append(path)
    return paths


def contains(path: Path, names: list[str]) -> bool:
    """Return whether a module's text has these names; in a package the first may be a module."""
    if path.is_file():
        text = path.read_text()
        return all(re.search(rf"\b{name}\b", text) for name in names)
    submodules = [path / names[0], path / f"{names[0]}.py"] if names else []
    if existing := [each for each in submodules if each.exists()]:
        return contains(existing[0], names[1:])
    return not names or any(contains(file, names) for file in path.glob("*.py"))


def test_quoted_names_of_modules_exist():
    known = modules()
    missing = [
        f"{file.relative_to(ROOT)} names {dotted}"
        for file, text in texts().items()
        for dotted in DOTTED_NAME.findall(text)
        for first, *names in [dotted.split(".")]
        if first in known and names[-1] not in NOT_IN_A_MODULE
        if not any(contains(path, names) for path in known[first])
    ]
    assert missing == []
