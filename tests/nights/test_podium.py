"""The podium to share: its picture, its words and the preview of its link."""

import pytest
from django.test import Client

from dominoes_site.card_views import draw_podium_of
from nights.models import NightTable
from tests.nights.conftest import NOW, address, press

pytestmark = pytest.mark.django_db
SHOWN = {"Ana", "Luis", "Rosa", "Nuria", "Pedro", "Carmen", "Hugo", "&lt;b&gt;Inés&lt;/b&gt;"}


@pytest.fixture
def ended(desk, evening):
    """Return the night after one round, with somebody who has only asked."""
    Client().post(address(evening, "people"), {"name": "Zoe Asker"})
    press(desk, evening, "draw")
    for table, points in zip(NightTable.objects.all(), ("120,85", "90,60"), strict=True):
        desk.post(
            address(evening, "result"),
            {"round": 1, "table": table.number, "version": table.version, "points": points},
        )
    press(desk, evening, "finish")
    evening.refresh_from_db()
    return evening


def read(path):
    return Client().get(path).content.decode()


def test_picture_has_the_names_of_the_podium_and_nobody_else(ended):
    svg = draw_podium_of(ended)
    page = read(ended.get_absolute_url())
    podium = page[page.index('class="podium"') : page.index("podium-share")]
    assert {name for name in SHOWN if name in svg} == {name for name in SHOWN if name in podium}
    assert "Zoe" not in svg and "Zoe" not in page
    assert "Friday pairs" in svg and "1 won, +35" in svg


def test_picture_is_there_once_the_night_is_over(client, evening, ended):
    answer = client.get(address(ended, "podium.png"))
    assert answer["Content-Type"] == "image/png" and answer.content.startswith(b"\x89PNG")
    ended.status = "playing"
    ended.save()
    assert client.get(address(ended, "podium.png")).status_code == 404


def test_initials_are_left_in_the_picture_too(ended):
    from nights.services import shorten_names_before

    shorten_names_before(NOW.replace(year=2027))
    ended.refresh_from_db()
    svg = draw_podium_of(ended)
    assert not any(name in svg for name in SHOWN - {"&lt;b&gt;Inés&lt;/b&gt;"})


def test_link_to_a_night_that_is_over_shows_the_podium(ended):
    page = read(ended.get_absolute_url())
    assert f"{address(ended, 'podium.png')}?lang=en" in page
    assert 'property="og:image"' in page and "Who won, and every result." in page
    assert 'data-words="Friday pairs: 1. ' in page and 'id="share-sheet"' in page


def test_link_to_a_night_to_come_invites_without_names(client, evening):
    page = read(evening.get_absolute_url())
    assert f"{address(evening, 'card.png')}?lang=en" in page
    assert client.get(address(evening, "card.png"))["Content-Type"] == "image/png"


def test_personal_page_has_no_card(ended):
    entry = ended.entries.first()
    assert "og:image" not in read(address(ended, "me", entry.secret, ""))
