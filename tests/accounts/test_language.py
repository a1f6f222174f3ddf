"""A person's own language, else the cookie's, else the browser's."""

import re
from datetime import datetime

import pytest
from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import gettext, override

from accounts.borrowed import BORROWED
from tests.html import collapse_whitespace

PAGE = "/preferences/"


def language_of(answer):
    return answer.headers["Content-Language"]


def test_the_browsers_language(browser_of, db):
    answer = browser_of().get(PAGE, headers={"Accept-Language": "ru;q=0.9, fr"})
    assert language_of(answer) == "ru"
    assert "Accept-Language" in answer.headers["Vary"]
    assert language_of(browser_of().get(PAGE, headers={"Accept-Language": "tlh"})) == "en"


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("es-DO,es;q=0.9", "es"),
        ("es-VE", "es"),
        ("pt", "pt"),
        ("pt-BR,pt;q=0.9,en-US;q=0.8,en;q=0.7", "pt"),
        ("pt-PT,pt;q=0.9,en;q=0.8", "pt-pt"),
        ("pt-AO", "pt"),
        ("en-GB,pt-PT;q=0.5", "en"),
    ],
)
def test_a_region_has_its_language(browser_of, db, accepted, language):
    answer = browser_of().get(PAGE, headers={"Accept-Language": accepted})
    assert language_of(answer) == language
    assert f'<html lang="{language}"' in answer.content.decode()


def test_the_cookie_comes_before_it(browser_of, db):
    browser = browser_of()
    browser.cookies[settings.LANGUAGE_COOKIE_NAME] = "es"
    assert language_of(browser.get(PAGE, headers={"Accept-Language": "ru"})) == "es"
    assert browser.get(PAGE).context["form"]["language"].value() == "es"


def test_ones_own_comes_first(browser_of, alice):
    alice.language = "ru"
    alice.save()
    browser = browser_of(alice)
    browser.cookies[settings.LANGUAGE_COOKIE_NAME] = "es"
    assert language_of(browser.get(PAGE)) == "ru"


@pytest.mark.parametrize(("said", "language"), [("es", "es"), ("tlh", "ru"), ("", "ru")])
def test_a_part_comes_in_the_language_of_its_page(browser_of, alice, said, language):
    alice.language = "ru"
    alice.save()
    answer = browser_of(alice).get(PAGE, headers={"HX-Request": "true", "Page-Language": said})
    assert language_of(answer) == language


def test_a_cookie_of_nonsense_does_no_harm(browser_of, db):
    browser = browser_of()
    browser.cookies[settings.LANGUAGE_COOKIE_NAME] = "../../etc"
    assert language_of(browser.get(PAGE)) == "en"


def test_nobodys_cookie_is_kept_for_a_year(browser_of, db):
    browser = browser_of()
    browser.post("/language/", {"language": "es", "next": "/"})
    assert language_of(browser.get(PAGE)) == "es"
    browser.post(PAGE, {"theme": "dark", "tiles": "ivory", "pips": "ink", "volume": 10, "language": "ru"})
    assert browser.cookies[settings.LANGUAGE_COOKIE_NAME]["max-age"] == 31_536_000
    assert language_of(browser.get(PAGE)) == "ru"


def test_address_language_is_kept_for_the_visit(browser_of, db):
    browser = browser_of()
    browser.get("/ru/rules/", headers={"Accept-Language": "en"})
    assert browser.cookies[settings.LANGUAGE_COOKIE_NAME]["max-age"] == ""
    assert language_of(browser.get("/rules/", headers={"Accept-Language": "en"})) == "ru"
    browser.get("/es/rules/")
    assert language_of(browser.get("/rules/")) == "ru"


def test_address_language_does_not_replace_a_chosen_one(browser_of, alice):
    alice.language = "es"
    alice.save()
    browser = browser_of(alice)
    browser.get("/ru/rules/")
    assert settings.LANGUAGE_COOKIE_NAME not in browser.cookies
    assert language_of(browser.get("/rules/")) == "es"


LANGUAGES = {
    "en": "English",
    "ru": "Русский",
    "es": "Español",
    "pt": "Português",
    "pt-pt": "Português (Portugal)",
}


def test_languages_are_listed_by_their_own_names(browser_of, alice):
    for browser in (browser_of(), browser_of(alice)):
        for language in LANGUAGES:
            browser.post("/language/", {"language": language})
            page = collapse_whitespace(browser.get(PAGE).content.decode())
            assert f'<html lang="{language}"' in page
            for code, name in LANGUAGES.items():
                assert re.search(
                    f'<button type="submit" name="language" value="{code}" lang="{code}"[^>]*> ?{re.escape(name)}',
                    page,
                )
                assert re.search(f'<option value="{code}"[^>]*>{re.escape(name)}</option>', page)


def test_who_landed_in_a_wrong_one_comes_back_in_one_press(browser_of, alice):
    alice.language = "ru"
    alice.save()
    browser = browser_of(alice)
    answer = browser.post("/language/", {"language": "es", "next": "/rules/"})
    assert (answer.status_code, answer.url) == (303, "/rules/")
    assert language_of(browser.get("/rules/")) == "es"
    alice.refresh_from_db()
    assert alice.language == "es"


@pytest.mark.parametrize("nonsense", ["", "tlh", "../../etc", "ru\x00"])
def test_a_language_that_there_is_not_changes_nothing(browser_of, alice, nonsense):
    browser = browser_of(alice)
    answer = browser.post("/language/", {"language": nonsense, "next": "https://elsewhere.example/"})
    assert (answer.status_code, answer.url) == (303, "/")
    assert language_of(browser.get(PAGE)) == "en"


@pytest.mark.parametrize(
    ("language", "day", "moment"),
    [
        ("en", "4 Nov 2026", "4 Nov 2026, 15:05"),
        ("en-gb", "4 Nov 2026", "4 Nov 2026, 15:05"),
        ("ru", "04.11.2026", "04.11.2026 15:05"),
        ("es", "04/11/2026", "04/11/2026 15:05"),
        ("pt", "04/11/2026", "04/11/2026 15:05"),
        ("pt-pt", "04/11/2026", "04/11/2026 15:05"),
    ],
)
def test_a_date_can_be_read_in_one_way_only(language, day, moment):
    with override(language):
        assert date_format(datetime(2026, 11, 4), "SHORT_DATE_FORMAT") == day  # noqa: DTZ001
        assert date_format(datetime(2026, 11, 4, 15, 5), "SHORT_DATETIME_FORMAT") == moment  # noqa: DTZ001


@pytest.mark.parametrize(
    ("language", "day", "month"),
    [
        ("en", "4 November", "November 2026"),
        ("ru", "4 ноября", "Ноябрь 2026 г."),
        ("es", "4 de noviembre", "noviembre de 2026"),
        ("pt", "4 de novembro", "novembro de 2026"),
        ("pt-pt", "4 de novembro", "novembro de 2026"),
    ],
)
def test_month_has_the_case_its_date_needs(language, day, month):
    with override(language):
        assert date_format(datetime(2026, 11, 4), "MONTH_DAY_FORMAT") == day  # noqa: DTZ001
        assert date_format(datetime(2026, 11, 4), "YEAR_MONTH_FORMAT") == month  # noqa: DTZ001


def test_in_spanish_the_libraries_speak_to_people_as_the_pages_do(browser_of, alice):
    answer = browser_of(alice).get("/accounts/password/change/", headers={"Accept-Language": "es"})
    assert "Tu contraseña debe tener al menos 8 caracteres." in collapse_whitespace(answer.content.decode())
    with override("es"):
        said = [gettext(sentence) for sentence in BORROWED]
    formal = re.compile(r"\b(su|sus|usted|introduzca|escriba)\b", re.IGNORECASE)
    assert not [sentence for sentence in said if formal.search(sentence)]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("pt", "Esta senha é muito comum."),
        ("pt-pt", "Esta palavra-passe é muito comum."),
    ],
)
def test_libraries_speak_the_portuguese_of_the_reader(language, words):
    with override(language):
        assert gettext("This password is too common.") == words
