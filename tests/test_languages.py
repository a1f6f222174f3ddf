"""Every language of the site, complete: a sentence without its translation fails here."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils.translation.template import templatize

from boneyard.engine.presets import PRESETS
from games.wording.preset_titles import TITLES
from lobbies.offers import QUICK
from operators.reasons import SAMPLES as reason_samples
from operators.samples import PAGES
from tests.packages import PACKAGES

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "en" and "-" not in code]
REGIONS = ["es_DO", "es_VE", "pt_PT"]  # what their games or readers say otherwise than the language at large
STRING = r"""u?("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
CALL = re.compile(rf"\b(_|n?p?gettext)\(\s*{STRING}\s*(?:,\s*{STRING})?", re.DOTALL)
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]")


def catalogue(language: str) -> Path:
    return ROOT / "locale" / language / "LC_MESSAGES" / "django.po"


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request) -> str:
    return request.param


@pytest.fixture(scope="module")
def entries(language) -> list[polib.POEntry]:
    return [entry for entry in polib.pofile(str(catalogue(language))) if not entry.obsolete]


def test_every_sentence_is_translated(language, entries):
    missing = [
        entry.msgid
        for entry in entries
        if "fuzzy" in entry.flags
        or not (all(entry.msgstr_plural.values()) if entry.msgid_plural else entry.msgstr)
    ]
    assert missing == [], f"translate these in {catalogue(language).relative_to(ROOT)}"


# The words for a pip and for a point. Ratings and shares have points of their own.
ONE_WORD_EACH = {
    "ru": (r"\bточ(?:к[аиуе]|кой|ек|кам|ками|ках)\b", r"\bоч(?:к[оауе]|ком|ков|кам|ками|ках)\b"),
    "es": (r"\bpuntos?\b", r"\btantos?\b"),
    "pt": (r"\bpintas?\b", r"\bpontos?\b"),
}
ABOUT_PIPS = re.compile(r"\bpips?\b|\blight|\bheav|\bhands\b", re.IGNORECASE)
ABOUT_POINTS = re.compile(r"\bpoints?\b|\bscor|\bworth\b|\bbonus|\bclaim", re.IGNORECASE)
ABOUT_RATINGS = re.compile(
    r"\b(?:30|thirty) days\b|new accounts|usual length|percentage point", re.IGNORECASE
)


def test_pips_and_points_have_a_word_each(language, entries):
    pip, point = (re.compile(word, re.IGNORECASE) for word in ONE_WORD_EACH[language])
    mixed = []
    for entry in entries:
        source = f"{entry.msgid} {entry.msgid_plural}"
        target = " ".join([entry.msgstr, *entry.msgstr_plural.values()])
        is_of_pips, is_of_points = ABOUT_PIPS.search(source), ABOUT_POINTS.search(source)
        if ABOUT_RATINGS.search(source):
            continue
        if is_of_pips and not is_of_points and point.search(target):
            mixed.append(f"{entry.msgid}: {point.pattern}")
        if is_of_points and not is_of_pips and pip.search(target):
            mixed.append(f"{entry.msgid}: {pip.pattern}")
    assert mixed == [], "CONTRIBUTING.md, Terms: one word for one thing"


def test_every_number_has_its_form(language, entries):
    """Check each plural form: gettext falls back to English for a missing one."""
    forms = int(
        re.search(r"nplurals=(\d+)", polib.pofile(str(catalogue(language))).metadata["Plural-Forms"])[1]
    )
    lacking = [e.msgid for e in entries if e.msgid_plural and set(e.msgstr_plural) != set(range(forms))]
    assert lacking == []


def test_every_preset_has_a_title(language):
    assert TITLES[language].keys() == PRESETS.keys(), "games/wording/preset_titles.py"


def test_popular_games_are_chosen(language):
    assert language in QUICK, "lobbies/offers.py"


def test_what_a_new_site_begins_with_is_translated(language):
    reasons = [category for category, texts in reason_samples if language not in texts]
    pages = [slug for slug, parts in PAGES.items() if any(texts and language not in texts for texts in parts)]
    assert (reasons, pages) == ([], []), "operators/reasons.py, operators/samples.py"


def test_the_catalogues_know_every_sentence_of_the_code(entries):
    known = {(entry.msgctxt, entry.msgid) for entry in entries}
    unknown = sorted(sentences() - known, key=str)
    assert unknown == [], "run `make messages`, and translate these in locale/"


def sentences() -> set[tuple[str | None, str]]:
    """Return the translatable messages of code and templates, as (context, msgid)."""
    found: set[tuple[str | None, str]] = set()
    for package in PACKAGES:
        for file in (ROOT / package).rglob("*.py"):
            found |= set(in_python(ast.parse(file.read_text())))
    templates = ROOT / "templates"
    for file in (*templates.rglob("*.html"), *templates.rglob("*.txt")):
        source = templatize(file.read_text())
        found |= {
            (None if "pgettext" not in name else ast.literal_eval(first), ast.literal_eval(second or first))
            if "pgettext" in name
            else (None, ast.literal_eval(first))
            for name, first, second in CALL.findall(source)
        }
    return {(context, text) for context, text in found if text}


def in_python(tree: ast.AST) -> Iterator[tuple[str | None, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            if node.func.id in ("_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy"):
                yield from ((None, text) for text in texts[:1])
            elif node.func.id in ("pgettext", "pgettext_lazy", "npgettext"):
                yield (texts[0], texts[1])


# Loans, names of games and units that are alike in all languages in Latin letters.
LOANS = {
    "API",
    "token",
    "tokens",
    "Tokens",
    "Bots",
    "bot",
    "bots",
    "%(name)s (bot)",
    "Chuchazo",
    "Sebastopol",
    "Five-Up",
    "Bergen",
    "%(n)s min",
    "< 1 min",
    "{days} d {hours} h",
    "%(minutes)s min + %(seconds)d s",
}
# What is the same as in English: names, words that both languages share, and figures alone.
SAME = {
    "ru": {"API"},
    "pt": {
        *LOANS,
        "link",
        "Site",
        "E-mail",
        "volume",
        "rating",
        "ratings",
        "Rating",
        "Ratings",
        "Chance",
        "Replay",
        "Replay: %(names)s",
        "Muggins!",
        "Muggins! +%(n)d",
    },
    "es": {
        *LOANS,
        "Club",
        "club",
        "director",
        "Error:",
        "No",
        "no",
        "Capicúa",
        "Pase de salida",
        "Pase corrido",
        "provisional",
    },
}
LETTERS = re.compile(r"[^\W\d_]")


def test_nothing_is_left_in_english(language, entries):
    same = {
        entry.msgid
        for entry in entries
        if entry.msgid in (entry.msgstr, *entry.msgstr_plural.values())
        and LETTERS.search(PLACEHOLDER.sub("", entry.msgid))
    }
    assert same == SAME[language]


def test_spanish_has_one_word_for_talk_and_one_for_sanctions():
    other_words = re.compile(r"(?i)\b(chat|medidas)\b")
    assert [e.msgid for e in polib.pofile(str(catalogue("es"))) if other_words.search(e.msgstr)] == []


# What grates on readers: Brazil hears *porcada* in “por cada”; a place in standings is no seat (*lugar*); Portugal
# says neither “está jogando” nor “pode se sentar”, and addresses nobody as *você* but in a list of names.
GRATES = {
    "pt": r"(?i)\bpor cada\b|\blugar (?:%\(place\)|RANK|provis)|tant[ao]s \w+ quant[ao]s",
    "pt_PT": r"\bvocê (?!anota|marca|%)|\b(?:pode|podem|quer|vai|deve) se \w+r\b"
    r"|\best(?:á|ão|ava)(?: \w+)? (?!quando)\w+[aei]ndo\b"
    r"|\b[Cc]ontinu\w+ (?:jogando|sendo)\b|\brodada|\bcarroça|\bbônus|\btodo mundo\b",
}


@pytest.mark.parametrize("country", GRATES)
def test_portuguese_is_that_of_its_country(country):
    usual = {(e.msgctxt, e.msgid): e for e in polib.pofile(str(catalogue("pt")))}
    said = usual | {(e.msgctxt, e.msgid): e for e in polib.pofile(str(catalogue(country)))}
    texts = [text for e in said.values() for text in (e.msgstr, *e.msgstr_plural.values())]
    assert [text for text in texts if re.search(GRATES[country], text)] == []


def test_texts_of_mails_are_translated_whole():
    """Check that each line of a mail is in the catalogues; links are not."""
    for file in (ROOT / "templates").rglob("*.txt"):
        bare = re.sub(
            r"(?s){%\s*blocktranslat.*?{%\s*endblocktranslat\w*\s*%}|{[%#{].*?[%#}]}", "", file.read_text()
        )
        assert not LETTERS.search(bare), f"{file.name} says {bare.strip()!r} in English alone"


@pytest.mark.parametrize("region", REGIONS)
def test_a_region_has_only_sentences_that_its_language_says_otherwise(region):
    usual = {
        (entry.msgctxt, entry.msgid): (entry.msgstr, entry.msgstr_plural)
        for entry in polib.pofile(str(catalogue(region[:2])))
    }
    entries = list(polib.pofile(str(catalogue(region))))
    assert entries
    for entry in entries:
        said = (entry.msgstr, entry.msgstr_plural)
        assert usual[entry.msgctxt, entry.msgid] != said, entry.msgid
    test_placeholders_are_kept(entries)
    test_the_compiled_catalogue_is_the_written_one(region, entries)


def test_placeholders_are_kept(entries):
    wrong = []
    for entry in entries:
        wanted = set(PLACEHOLDER.findall(entry.msgid)) | set(PLACEHOLDER.findall(entry.msgid_plural or ""))
        for text in entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr]:
            found = set(PLACEHOLDER.findall(text))
            # A plural form may leave its number out: "one tile".
            if not (found == wanted or (entry.msgid_plural and found <= wanted)):
                wrong.append((entry.msgid, text))
    assert wrong == []


def test_the_compiled_catalogue_is_the_written_one(language, entries):
    compiled = polib.mofile(str(catalogue(language).with_suffix(".mo")))
    written = {(e.msgctxt, e.msgid): e.msgstr or tuple(e.msgstr_plural.values()) for e in entries}
    assert {(e.msgctxt, e.msgid): e.msgstr or tuple(e.msgstr_plural.values()) for e in compiled} == written
