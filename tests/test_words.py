"""One word for one thing: words that meant several, or named no deed of the game, have been retired."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (
    "accounts",
    "bench",
    "dominoes_site",
    "docs",
    "games",
    "live",
    "lobbies",
    "static",
    "study",
    "templates",
    "tests",
)
KINDS = (".py", ".html", ".css", ".js", ".md")
SOURCES = [
    file
    for folder in FOLDERS
    for file in (ROOT / folder).rglob("*")
    if file.suffix in KINDS
    and not {"migrations", "vendor"} & set(file.parts)
    and file != Path(__file__).resolve()
]

# The pattern, and the words that took its place.
RETIRED = {
    r"\bwave[ds]?(_|-|\b)": "continue",
    r"\bno_calls\b|\btake_due\b|\bpostpone\b": "decline_call, process_due_matches, lease",
    r"\b_unless_blocked\b|\b_finished_or_dealt\b": "end_if_blocked, finish_or_deal",
    r"\bis-gone\b|\bhere\.gone\b": "absent, away: who is gone has left the match",
    r"\bclaim_absent\b|\bclaimable_at\b": "answer_absence, get_grace_end: a claim is points said with a play",
    r"\bclass (Place|Standing|Sitting\(NamedTuple|Refused)\b": "Spot, SideScore, SeatAssignment, MoveRefused or TableRefused",
    r"\bstandings\b|\bStanding\b": "side scores, ratings, ranking",
    r"\barchive\.(value_of|opening|remember|forget_all|record_of)\b": "values",
    r"\bimport \w+ as (games|lobbies|accounts|people)\b": "the module's own name",
    r"\bleft_hands\b|\b(view|value|round_|match)\.left\b": "remaining, gone",
    r"\bmakers?(_|\b)|_maker_": "host",
    r"\b[Nn]ews is a hint\b|\bhints? (that )?(reach|cannot be sent|may be lost)": "nudge: a hint is the best move",
    r"\b(for|of|answer|stops) who (?!in\b)": "whoever, or the person meant",
    r"\bdef test_(it|its|so|and|they)_": "what the test is about: its name is read without the one before",
}


@pytest.mark.parametrize("retired", RETIRED)
def test_a_retired_word_does_not_come_back(retired):
    pattern = re.compile(retired)
    found = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for file in SOURCES
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == [], f"say {RETIRED[retired]}"


def test_every_word_of_the_glossary_is_used():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    rows = re.findall(r"^\| ([a-z ,`LRUD]+) \| (?!means)", text, re.M)
    words = [word.strip() for row in rows for word in row.split(",")]
    assert len(words) > 40
    code = "\n".join(file.read_text().lower() for file in SOURCES if not {"tests", "docs"} & set(file.parts))
    used = set(re.findall(r"[a-z]+", code))
    unused = [
        word for word in words if not {word, f"{word}s", word.removesuffix("s")} & used and " " not in word
    ]
    assert unused == [], "take these out of the glossary in CONTRIBUTING.md"
