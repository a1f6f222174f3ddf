"""Two languages that nobody speaks, made of the English sentences while tests run: see tests/browser/test_mirrored.py.

`LONG` is 40 % longer than English, word by word. `MIRRORED` is English written from right to left. They have the codes
of real languages, so that browsers and Django know their plurals and their direction; the site itself has neither.
"""

import re
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from math import ceil
from pathlib import Path

import polib

LONG, MIRRORED = "fi", "ar"
FOLDER_VARIABLE = "PSEUDO_LANGUAGES"  # of the environment: where tests/serve.py finds the catalogues
LONGER = 0.4
FILLING = "ěuaöi"
ROOT = Path(__file__).resolve().parent.parent
# What the code fills in or reads stays: placeholders, tags, entities, addresses.
KEPT_OR_WORD = re.compile(
    r"%\(\w+\)[sd]|%[sd%]|\{[^{}]*\}|<[^>]*>|&#?\w+;|(?:https?:/|(?<!\S))/\S+|(?P<word>[^\W\d_]+(?:[’'][^\W\d_]+)?)"
)
# The direction of a paragraph is that of its first letter; the override turns Latin letters round.
RIGHT_TO_LEFT_MARK, RIGHT_TO_LEFT_OVERRIDE, POP = "\u200f", "\u202e", "\u202c"


def lengthen(sentence: str) -> str:
    """Return a sentence whose words are 40 % longer: *Playěu again with aliceěu*."""

    def lengthen_word(found: re.Match[str]) -> str:
        word = found["word"]
        if not word or len(word) < 2:
            return found[0]
        return word + "".join(islice(cycle(FILLING), ceil(LONGER * len(word))))

    return KEPT_OR_WORD.sub(lengthen_word, sentence)


def mirror(sentence: str) -> str:
    """Return a sentence that is read from right to left."""
    return f"{RIGHT_TO_LEFT_MARK}{RIGHT_TO_LEFT_OVERRIDE}{sentence}{POP}"


CHANGES: dict[str, Callable[[str], str]] = {LONG: lengthen, MIRRORED: mirror}


def write_catalogues(folder: Path) -> None:
    """Write both catalogues, of every sentence that the site's first catalogue has."""
    known = polib.pofile(str(ROOT / "locale" / "es" / "LC_MESSAGES" / "django.po"))
    for language, change in CHANGES.items():
        catalogue = polib.POFile()
        catalogue.metadata = {
            "Content-Type": "text/plain; charset=UTF-8",
            "Plural-Forms": "nplurals=2; plural=(n != 1);",
        }
        catalogue.extend(_translate(known, change))
        file = folder / language / "LC_MESSAGES" / "django.mo"
        file.parent.mkdir(parents=True)
        catalogue.save_as_mofile(str(file))


def _translate(known: polib.POFile, change: Callable[[str], str]) -> Iterator[polib.POEntry]:
    for entry in known:
        if entry.msgid_plural:
            forms = {0: change(entry.msgid), 1: change(entry.msgid_plural)}
            yield polib.POEntry(
                msgid=entry.msgid,
                msgid_plural=entry.msgid_plural,
                msgctxt=entry.msgctxt,
                msgstr_plural=forms,
            )
        else:
            yield polib.POEntry(msgid=entry.msgid, msgctxt=entry.msgctxt, msgstr=change(entry.msgid))


def speak(folder: str) -> None:
    """Let the site in this process speak them; before `django.setup`, as forms list the languages."""
    from django.conf import settings

    settings.LANGUAGES = [*settings.LANGUAGES, *((language, language) for language in CHANGES)]
    settings.LOCALE_PATHS = [Path(folder), *settings.LOCALE_PATHS]


def name_games() -> None:
    """Translate the titles of games, too; after `django.setup`."""
    from boneyard.engine.presets import PRESETS
    from games.wording.preset_titles import TITLES

    for language, change in CHANGES.items():
        TITLES[language] = {name: change(preset.title) for name, preset in PRESETS.items()}
