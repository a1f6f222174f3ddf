"""Rounds that are drawn without a result, and what is entered for them afterwards."""

import html
import re

import pytest

from nights.models import NightTable
from tests.nights.conftest import address, press

pytestmark = pytest.mark.django_db


def tables_of(evening, number):
    return list(
        NightTable.objects.filter(
            drawn_round__night=evening, drawn_round__number=number, drawn_round__undone_at=None
        )
    )


def enter(browser, evening, number, table, points="120,85", **fields):
    table.refresh_from_db()
    form = {"round": number, "table": table.number, "points": points, "version": table.version, **fields}
    return browser.post(address(evening, "result"), form)


def read(browser, path):
    answer = browser.get(path)
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


@pytest.fixture
def lacking(desk, evening):
    """Return a night whose second round is drawn though a table of the first one has no result."""
    press(desk, evening, "draw", round=1)
    enter(desk, evening, 1, tables_of(evening, 1)[0])
    press(desk, evening, "draw", round=2, anyway=1)
    return evening


def test_drawing_anyway_is_folded_and_names_the_tables_without_a_result(desk, evening):
    press(desk, evening, "draw")
    enter(desk, evening, 1, tables_of(evening, 1)[0])
    page = read(desk, evening.get_absolute_url())
    folded = re.search(r'<details class="more" id="anyway-2">.*?</details>', page, re.DOTALL)[0]
    assert "Not entered: 2." in folded and "Draw round 2 without them" in folded
    assert "anyway" not in page.replace(folded, "")


def test_result_of_an_earlier_round_is_entered_and_corrected_from_its_page(desk, lacking):
    missing = tables_of(lacking, 1)[1]
    desk_page = read(desk, lacking.get_absolute_url())
    assert "?round=1" in desk_page and "lacks a result" in desk_page
    assert "Without a result: round 1, table 2." in desk_page
    page = read(desk, lacking.get_absolute_url() + "?round=1")
    assert "Not entered: 2." in page and "no result" in page
    sheet = re.search(r'href="([^"]+\?round=1)">\s*Enter it', page)[1]
    assert 'name="round" value="1"' in read(desk, sheet)
    answer = enter(desk, lacking, 1, missing, "60,91")
    assert answer["Location"].endswith("?round=1")
    missing.refresh_from_db()
    assert (missing.status, missing.points) == ("confirmed", [60, 91])
    enter(desk, lacking, 1, missing, "61,91")
    page = read(desk, lacking.get_absolute_url())
    assert "round 1, table 2: 61 – 91, was 60 – 91" in page
    assert "lacks a result" not in page


def test_earlier_round_is_on_the_sheet_of_directors_alone(client, desk, lacking):
    page = read(desk, lacking.get_absolute_url() + "?round=1")
    sheet = re.search(r'href="([^"]+\?round=1)">\s*Enter it', page)[1]
    assert 'name="round" value="2"' in read(client, sheet)
    assert "Correct it" not in read(client, lacking.get_absolute_url() + "?round=1")


def test_end_says_what_is_missing(desk, evening):
    for number in range(1, 6):
        press(desk, evening, "draw", round=number, anyway=1)
        for table in tables_of(evening, number)[number == 3 :]:
            enter(desk, evening, number, table)
    page = read(desk, evening.get_absolute_url())
    assert "Every result is in" not in page
    assert "Without a result: round 3, table 1." in page and "Enter what round 3 lacks" in page
    enter(desk, evening, 3, tables_of(evening, 3)[0])
    assert "Every result is in" in read(desk, evening.get_absolute_url())


def test_second_press_draws_no_second_round_and_says_that_the_round_is_drawn(desk, evening):
    old = evening.version
    press(desk, evening, "draw", round=1)
    for fields in ({}, {"version": old}):
        answer = press(desk, evening, "draw", round=1, anyway=1, **fields)
        assert answer.status_code == 303
        assert "This round is drawn already." in read(desk, evening.get_absolute_url())
    assert evening.drawn_rounds.count() == 1


def test_draw_is_undone_after_a_later_one_was(desk, evening):
    for number in (1, 2):
        press(desk, evening, "draw", round=number, anyway=1)
    for _ in range(2):
        assert "Undo the draw" in read(desk, evening.get_absolute_url())
        press(desk, evening, "undo")
    assert not evening.drawn_rounds.filter(undone_at=None).exists()


def test_round_is_open_again_once_the_next_draw_is_undone(desk, lacking):
    press(desk, lacking, "undo")
    assert "1 of 2 results are in" in read(desk, lacking.get_absolute_url())
