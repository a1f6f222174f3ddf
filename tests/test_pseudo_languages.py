"""The languages of the layout tests: what they change, and that the site does not have them."""

from pathlib import Path

import polib
import pytest
from django.conf import settings

from tests.pseudo_languages import CHANGES, LONG, MIRRORED, lengthen, mirror, write_catalogues


@pytest.mark.parametrize(
    ("sentence", "longer"),
    [
        ("Play", "Playěu"),
        ("%(name)s won", "%(name)s woněu"),
        ("{n} of {all} <b>moves</b>", "{n} ofě {all} <b>movesěu</b>"),
        ("a 6-6&nbsp;at /rules/", "a 6-6&nbsp;atě /rules/"),
    ],
)
def test_words_are_longer_and_placeholders_stay(sentence, longer):
    assert lengthen(sentence) == longer


def test_catalogues_have_every_sentence(tmp_path):
    write_catalogues(tmp_path)
    for language in CHANGES:
        entries = polib.mofile(str(tmp_path / language / "LC_MESSAGES" / "django.mo"))
        assert len(entries) > 2_000
    long, mirrored = (polib.mofile(str(tmp_path / each / "LC_MESSAGES" / "django.mo")) for each in CHANGES)
    assert long.find("Rules", msgctxt="of the games").msgstr == lengthen("Rules")
    assert mirrored.find("Privacy").msgstr == mirror("Privacy")
    words = [len(entry.msgstr) / len(entry.msgid) for entry in long if len(entry.msgid) > 40]
    assert 1.3 < sum(words) / len(words) < 1.6


def test_nobody_can_choose_them(client, db):
    assert not {LONG, MIRRORED} & dict(settings.LANGUAGES).keys()
    assert not [path for path in settings.LOCALE_PATHS if (Path(path) / LONG).exists()]
    assert client.get("/preferences/", headers={"Accept-Language": LONG}).headers["Content-Language"] == "en"
    assert client.get(f"/{LONG}/rules/").status_code == 404
