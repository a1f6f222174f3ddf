"""Pages in other languages contain no words of another language except names."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import polib
import pytest
from playwright.sync_api import Page, expect

from games.wording.personas import PERSONAS
from tests.browser.conftest import post_form
from tests.browser.playing import get_state, match_code, wait_for_version
from tests.browser.tables import open_match_at, post_move, start_against_computers, wait_for_turn
from tests.server import ROOT

PAGES = [
    "/",
    "/tables/new",
    "/rules/",
    "/rules/all-fives/",
    "/rules/kozel/",
    "/rules/dominican/",
    "/rules/elo/",
    "/leaderboard/muggins/",
    "/archive/",
    "/players/",
    "/preferences/",
    "/privacy/",
    "/fairness/",
    "/watch/",
    "/rules/computers/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/nothing/here/",
]
# All text and accessible names, without names, code, URLs and elements marked as another language.
VISIBLE_TEXT_JS = """() => {
    const foreign = `[lang]:not(html), [translate=no], code, kbd, pre, script, style, noscript, textarea, datalist,
        .wordmark, .brand, .own-account, .player-name, a[href^='/players/'], .person .name, .racer, .chat .log,
        .long, #invite-link`;
    const said = [];
    const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const part = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
        if (part.closest(foreign)) continue;
        if (node.nodeType === Node.TEXT_NODE) said.push(node.data);
        else for (const name of ["aria-label", "title", "placeholder", "alt"])
            if (node.hasAttribute(name)) said.push(node.getAttribute(name));
    }
    return [...said, document.title].map(text => text.replace(/\\s+/g, " ").trim()).filter(Boolean);
}"""
HASH = re.compile(r"\b(?:[0-9a-f]{40,}|[0-9a-f]{8})\b")  # of contents; the short ones of commits
# Original names of games and languages.
ALTERNATIVE_NAMES = (
    "All Fives",
    "Bones",
    "Sniff",
    "dominó dominicano",
    "dominó",
    "English",
    "Español",
    "Português (Portugal)",
    "Português",
)
LOCALES = {"ru": "ru-RU", "es": "es-ES", "pt": "pt-BR"}
WORD = re.compile(r"[A-Za-zÀ-ÿ]{3,}")
# Names and symbols that are not translated.
NAMES = {
    "boneyard",
    "muggins",
    "elo",
    "sha",
    "cookie",
    "javascript",
    "none",
    "esc",
    "enter",
    "space",
    "beginner",
    *(figure.name.lower() for figures in PERSONAS.values() for figure in figures),
}


def words(texts: list[str]) -> set[str]:
    return {word.lower() for text in texts for word in WORD.findall(re.sub(r"%\(\w+\)s?d?", " ", text))}


@pytest.fixture(scope="module", params=["ru", "es", "pt"])
def language(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def find_foreign_words(language):
    """Return a function that finds foreign words in a text.

    In Russian these are all Latin words, in Spanish and Portuguese the words of English messages; never words of the
    catalogue.
    """
    catalogue = polib.pofile(str(Path(ROOT) / "locale" / language / "LC_MESSAGES" / "django.po"))
    own = words([text for e in catalogue for text in (e.msgstr, *e.msgstr_plural.values())]) | NAMES
    english = words([text for e in catalogue for text in (e.msgid, e.msgid_plural or "")]) - own

    def find_foreign_words(text: str) -> list[str]:
        found = words([text]) - own
        return sorted(found if language == "ru" else found & english)

    return find_foreign_words


def faults(page: Page, find_foreign_words, names: set[str]) -> Iterator[str]:
    for text in page.evaluate(VISIBLE_TEXT_JS):
        bare = HASH.sub(" ", text)
        for name in (*sorted(names, key=len, reverse=True), *ALTERNATIVE_NAMES):
            bare = bare.replace(name, " ")
        if found := find_foreign_words(bare):
            yield f"{page.url}: {', '.join(found)} in {text!r}"


def all_usernames(site) -> set[str]:
    """Return all usernames in the database, including those of other tests."""
    with closing(sqlite3.connect(site.folder / "boneyard.sqlite3")) as database:
        return {name for (name,) in database.execute("SELECT username FROM accounts_user")}


def test_pages_contain_only_their_language(open_page, language, find_foreign_words, site):
    page = open_page(guest=True, locale=LOCALES[language])
    page.goto("/")
    names = all_usernames(site)
    wrong: list[str] = []
    for address in PAGES:
        page.goto(address)
        assert page.locator("html").get_attribute("lang") == language
        wrong += faults(page, find_foreign_words, names)

    for preset, seats in (("muggins-200", 3), ("all-fives", 2)):
        start_against_computers(page, preset, seats)
        _, now = wait_for_turn(page)
        wait_for_version(page, now["version"])
        wrong += faults(page, find_foreign_words, names)
    page.goto(f"/games/{match_code(page)}/verify/")
    wrong += faults(page, find_foreign_words, names)
    assert wrong == [], "\n".join(wrong)


def is_firsts_play(now: dict) -> bool:
    """Return whether the first seat can play a tile without ending the first round."""
    return now["you"] == 0 and "@" in now["legal"][0] and len(now["hand"]) > 1 and not now["last_round"]


@pytest.mark.parametrize("language", ["ru"], indirect=True)
def test_open_page_keeps_language_until_reload(open_page, find_foreign_words, language):
    page, other = open_page(guest=True, locale=LOCALES[language]), open_page(guest=True)
    code = open_match_at(is_firsts_play, page, other, shown=[page])["match"]
    names = {seat["name"] for seat in get_state(page)["seats"]}

    post_form(page.context, "/", "/language/", language="en")
    for mover in (page, other):
        now = get_state(mover, code)
        post_move(mover, now["legal"][0], now)
    wait_for_version(page, now["version"] + 1)
    page.locator("#chat summary").click()
    page.locator("#say [name=text]").fill("123")
    page.locator("#say [name=text]").press("Enter")  # the response has all fragments
    expect(page.locator("#say [name=text]")).to_have_value("")

    assert list(faults(page, find_foreign_words, names)) == []
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert list(faults(page, find_foreign_words, names)) != []
