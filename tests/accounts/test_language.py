"""A person's own language, else the cookie's, else the browser's."""

from django.conf import settings

PAGE = "/preferences/"


def language_of(answer):
    return answer.headers["Content-Language"]


def test_the_browsers_language(browser_of, db):
    answer = browser_of().get(PAGE, headers={"Accept-Language": "ru;q=0.9, fr"})
    assert language_of(answer) == "ru"
    assert "Accept-Language" in answer.headers["Vary"]
    assert language_of(browser_of().get(PAGE, headers={"Accept-Language": "tlh"})) == "en"


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
