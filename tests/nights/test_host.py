"""The public page about nights, and the line about money."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def read(path: str) -> str:
    return Client().get(path).content.decode()


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("en", "Run your domino night in a minute"),
        ("ru", "Вечер домино за минуту"),
        ("es", "Monta tu noche de dominó en un minuto"),
        ("pt", "Monte sua noite de dominó em um minuto"),
    ],
)
def test_page_has_one_button_in_each_language(language, title):
    page = read(f"/{language}/host/")
    main = page[page.index("<main") : page.index("</main>")]
    assert title in main and main.count("button-main") == 1
    assert main.count('href="/nights/new"') == 1
    assert f'<meta property="og:title" content="{title}">' in page


def test_search_engines_find_it():
    assert "/en/host/" in read("/sitemap.xml")
    assert 'href="/host/"' in read("/nights/")


@pytest.mark.parametrize("path", ["/terms/", "/privacy/"])
def test_terms_and_privacy_say_that_no_money_is_handled(path):
    assert "The site handles no money" in read(path)
