"""Naming rules: constants have a noun and a unit, and the glossary lists words that the code uses."""

import re
from pathlib import Path

from tests.packages import PACKAGES

ROOT = Path(__file__).resolve().parent.parent
SOURCES = [
    path
    for folder in (*PACKAGES, "bench", "static", "templates")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".py", ".html", ".css", ".js") and not {"migrations", "vendor"} & set(path.parts)
]
# A constant of this name alone does not say what it counts, or in which unit.
VAGUE_CONSTANT = re.compile(
    r"^_?(KEPT|MANY|LONG|LONGEST|SHORTEST|MOST|LEAST|LATEST|FREE|QUIET|AGAIN|PATIENCE|EVERY|GONE|AWAY_FOR|WAITING"
    r"|TOLD|SHOWN|REMEMBERED|GATHERED|AT_ONCE|RECENT|NEAR|FOUND|OWN|PEOPLE|ROOM)\b(?=.*=)",
    re.M,
)


def test_constants_name_a_noun():
    vague = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in SOURCES
        if path.suffix == ".py"
        for match in VAGUE_CONSTANT.finditer(path.read_text())
    ]
    assert vague == []


def test_every_word_of_the_glossary_is_used():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    rows = re.findall(r"^\| ([a-z ,`LRUD]+) \| (?!means)", text, re.M)
    words = [word.strip() for row in rows for word in row.split(",")]
    assert len(words) > 20
    used = set(re.findall(r"[a-z]+", "\n".join(path.read_text().lower() for path in SOURCES)))
    unused = [
        word for word in words if not {word, f"{word}s", word.removesuffix("s")} & used and " " not in word
    ]
    assert unused == [], "take these out of the glossary in CONTRIBUTING.md"
