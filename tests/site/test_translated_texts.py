"""What operators wrote before a language was added is shown in another one, and marked with it."""

import re

import pytest

from operators.models import Page
from tests.site.configuring import configure

pytestmark = pytest.mark.django_db


def read(browser_of, address: str, language: str) -> str:
    return browser_of().get(address, headers={"accept-language": language}).content.decode()


@pytest.mark.parametrize("language", ["pt-BR", "pt-PT"])
def test_page_falls_back_until_it_is_translated(language, browser_of):
    page, _ = Page.objects.update_or_create(
        slug="about", defaults={"title": {"ru": "О нас", "en": "Us"}, "body": {"en": "*Hello*"}}
    )
    shown = read(browser_of, "/about/", language)
    assert '<h1 lang="en">Us</h1>' in shown
    assert re.search(r'<div lang="en">\s*<p><em>Hello</em></p>', shown)

    page.title |= {"pt": "Nós"}
    page.body |= {"pt": "Olá"}
    page.save()
    shown = read(browser_of, "/about/", language)
    assert "<h1>Nós</h1>" in shown and "<p>Olá</p>" in shown and 'lang="en">' not in shown.split("<footer")[0]


def test_announcement_of_the_language_serves_its_region(browser_of):
    configure(announcement={"en": "Tournament", "pt": "Torneio"})
    (tag,) = re.findall(
        r'<p class="message announcement"([^>]*)>Torneio', read(browser_of, "/rules/", "pt-PT")
    )
    assert "lang=" not in tag


def test_operators_write_in_languages_without_a_region():
    texts = Page._meta.get_field("body").formfield()
    assert [name.strip("_") for name in texts.widget.widgets_names] == ["en", "ru", "es", "pt"]
