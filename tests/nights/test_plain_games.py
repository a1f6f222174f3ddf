"""Nights at real tables of games that the site does not deal: their sheets, and who wins."""

import json

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from nights import services
from nights.codes import table_code
from nights.models import Night, NightTable
from nights.refusals import NightRefused
from nights.sheet_kinds import PLAIN
from nights.standings import read_table
from tests.html import collapse_whitespace
from tests.nights.conftest import address, press
from tests.nights.test_pages import draw, enter
from tests.nights.test_services import make_night

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_open_nights")]
FORM = {
    "name": "Train night",
    "start": "2027-01-08T20:30",
    "zone": "America/Santo_Domingo",
    "preset": "mexican-train",
    "format": "free",
    "rounds": 2,
    "hands": 13,
    "where": "wood",
    "add_oneself": "on",
}


def table_address(night: Night) -> str:
    return reverse("night-table", args=[night.code, 1, table_code(night, 1)])


@pytest.fixture
def train(desk):
    """Return a night of Mexican Train with eight people who are here."""
    assert desk.post("/nights/new", FORM).status_code == 303
    night = Night.objects.get()
    press(desk, night, "people", names="\n".join("ABCDEFGH"))
    night.refresh_from_db()
    assert night.entries.count() == 8
    return night


def test_train_has_its_title_and_a_double_for_each_hand(desk, train):
    assert train.game_title == "Mexican Train, from double twelve"
    with translation.override("ru"):
        assert "Мексик" in train.game_title
    tables = draw(desk, train)
    assert [len(table.sides) for table in tables] == [4, 4]
    page = desk.get(table_address(train)).content.decode()
    assert 'data-doubles="12-12 11-11 10-10' in page and page.count("0-0") >= 1
    assert "The fewest points win." in page
    sheets = collapse_whitespace(desk.get(address(train, "sheets/")).content.decode())
    assert "<td>12-12</td>" in sheets and "<td>0-0</td>" in sheets


def test_fewest_points_win_the_train(desk, train):
    table = draw(desk, train)[0]
    hands = [{"points": [0, 10, 20, 30]}] * 13
    answer = desk.post(
        address(train, "result"),
        {"round": 1, "table": table.number, "hands": json.dumps(hands), "version": table.version},
    )
    assert answer.status_code == 303
    table.refresh_from_db()
    assert table.points == [0, 130, 260, 390]
    train.refresh_from_db()
    assert read_table(train, table).points == (0, -130, -260, -390)


def test_lowest_wins_at_real_tables_of_kozel_and_not_of_dominican(desk, host, evening):
    table = draw(desk, evening)[0]
    enter(desk, evening, table, "120,85")
    table.refresh_from_db()
    assert read_table(evening, table).points == (120, 85)
    evening.preset = "kozel-pairs"
    assert read_table(evening, table).points == (-120, -85)


@pytest.mark.parametrize("preset", PLAIN)
@pytest.mark.parametrize("changes", [{"where": "phones", "clock": "300+5"}, {"format": "open"}])
def test_games_that_the_site_does_not_deal_are_for_real_tables(desk, preset, changes):
    answer = desk.post("/nights/new", FORM | {"preset": preset} | changes)
    assert answer.status_code == 422 and not Night.objects.exists()
    assert "The site does not deal this game" in answer.content.decode()


@pytest.mark.parametrize("changes", [{"place": "phones"}, {"format": "open", "place": "phones"}])
def test_service_refuses_them_elsewhere(host, changes):
    with pytest.raises(NightRefused, match="wood_only"):
        make_night(host, preset="forty-two", **changes)


@pytest.mark.parametrize("preset", PLAIN)
def test_every_page_of_such_a_night_is_shown(desk, host, preset):
    night = make_night(host, preset=preset)
    services.open_to_people(night, host, night.version, timezone.now())
    press(desk, night, "people", names="\n".join("ABCDEFGH"))
    draw(desk, night)
    assert NightTable.objects.filter(drawn_round__night=night).exists()
    for shown in (*(address(night, path) for path in ("", "sheets/", "wall/")), table_address(night)):
        assert desk.get(shown).status_code == 200, shown
    for path in ("/nights/", "/"):
        assert desk.get(path).status_code == 200
