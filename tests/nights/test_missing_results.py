"""Rounds that are drawn without a result, and what is entered for them afterwards."""

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from nights.codes import table_code
from nights.models import Act, NightTable
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
    press(desk, evening, "close")
    for _ in range(2):
        assert "Undo the draw" in read(desk, evening.get_absolute_url())
        press(desk, evening, "undo")
    assert not evening.drawn_rounds.filter(undone_at=None).exists()


def test_round_is_open_again_once_the_next_draw_is_undone(desk, lacking):
    press(desk, lacking, "undo")
    assert "1 of 2 results are in" in read(desk, lacking.get_absolute_url())


def sheet_address(evening, table):
    return reverse("night-table", args=[evening.code, table.number, table_code(evening, table.number)])


def test_late_result_is_kept_beside_and_its_sender_told(client, desk, lacking):
    table = tables_of(lacking, 1)[1]
    entry = lacking.entries.get(number=table.sides[0][0])
    enter(client, lacking, 1, table, "71,68", me=entry.secret)
    own = read(client, reverse("night-me", args=[lacking.code, entry.secret]))
    assert "This round is closed. Your result is kept for the directors." in own
    assert "round 1, table 2: 71 – 68 came late and is kept beside" in read(desk, lacking.get_absolute_url())
    page = read(desk, lacking.get_absolute_url() + "?round=1")
    assert "Came late: round 1, table 2." in read(desk, lacking.get_absolute_url())
    button = re.search(r'value="71,68"\s+formaction="([^"]+)"', page)
    assert "Came late" in page and entry.name in page
    desk.post(button[1], {"points": "71,68", "version": lacking.version})
    table.refresh_from_db()
    assert (table.status, table.points) == ("confirmed", [71, 68])
    assert "Came late:" not in read(desk, lacking.get_absolute_url())


def test_director_who_presses_what_holds_settles_the_late_result(client, desk, lacking):
    table = tables_of(lacking, 1)[0]
    enter(client, lacking, 1, table, "71,68", me=lacking.entries.get(number=table.sides[0][0]).secret)
    page = read(desk, lacking.get_absolute_url() + "?round=1")
    button = re.search(r'value="120,85"\s+formaction="([^"]+)"', page)
    desk.post(button[1], {"points": "120,85", "version": lacking.version})
    assert "Came late" not in read(desk, lacking.get_absolute_url() + "?round=1")


def test_other_result_of_a_confirmed_table_is_kept_beside_and_credits_stay(desk, evening):
    press(desk, evening, "draw")
    table = tables_of(evening, 1)[0]
    one, other = (evening.entries.get(number=side[0]) for side in table.sides)
    for entry in (one, other):
        browser = Client()
        read(browser, reverse("night-me", args=[evening.code, entry.secret]))
        enter(browser, evening, 1, table, "71,68", me=entry.secret)
    stranger, code = Client(), table_code(evening, table.number)
    for _ in range(2):
        enter(stranger, evening, 1, table, "10,99", code=code)
    assert "Yours is kept beside it" in read(stranger, sheet_address(evening, table))
    table.refresh_from_db()
    assert (table.status, table.points) == ("confirmed", [71, 68])
    page = read(desk, evening.get_absolute_url())
    row = re.search(r'<li id="table-1".*?<li id="table-2"', page, re.DOTALL)[0]
    about = re.search(r'<span class="result-about">.*?</span>\s*<span class="result-acts">', row, re.DOTALL)[
        0
    ]
    assert one.name in about and "the table" not in about
    assert "10 – 99" in row and Act.objects.filter(kind="late").count() == 1


def test_sender_by_the_sheet_reads_that_it_is_sent_and_who_confirms_it(client, desk, evening):
    press(desk, evening, "draw")
    table = tables_of(evening, 1)[0]
    path = sheet_address(evening, table)
    assert "takes the slip of somebody of the other side" in read(client, path)
    answer = enter(client, evening, 1, table, "60,91", code=table_code(evening, table.number))
    assert answer["Location"] == path
    assert "The result is entered." in read(client, path)


@pytest.mark.parametrize("browser", ["sheet", "link", "desk"])
def test_sheet_shows_what_is_entered_already(desk, evening, browser):
    press(desk, evening, "draw")
    table = tables_of(evening, 1)[0]
    path = sheet_address(evening, table)
    entry, rival = (evening.entries.get(number=side[0]) for side in table.sides)
    enter(Client(), evening, 1, table, "60,91", me=entry.secret)
    if browser == "link":
        path = reverse("night-enter", args=[evening.code, rival.secret])
    page = read(desk if browser == "desk" else Client(), path)
    assert f"Entered, not confirmed yet: 60 – 91 ({entry.name}" in page
    assert 'value="60"' in page and 'value="91"' in page


def test_people_of_a_disputed_table_see_both_results(client, desk, evening):
    press(desk, evening, "draw")
    table = tables_of(evening, 1)[0]
    entries = [evening.entries.get(number=side[0]) for side in table.sides]
    for entry, points in zip(entries, ("120,85", "85,121"), strict=True):
        enter(Client(), evening, 1, table, points, me=entry.secret)
    page = read(client, reverse("night-me", args=[evening.code, entries[1].secret]))
    assert "85 – 120." in page and "121 – 85." in page
    page = read(client, sheet_address(evening, table))
    assert "In dispute: 120 – 85" in page and "In dispute: 85 – 121" in page
    assert desk.get(sheet_address(evening, table)).status_code == 200


def test_desk_says_what_is_missing_apart(desk, evening):
    press(desk, evening, "people", names="\n".join(f"Person {n}" for n in range(8)))
    press(desk, evening, "draw")
    tables = tables_of(evening, 1)
    sent = [(0, 0, "120,85"), (1, 0, "120,85"), (1, 1, "85,120")]
    for place, side, points in sent:
        entry = evening.entries.get(number=tables[place].sides[side][0])
        enter(Client(), evening, 1, tables[place], points, me=entry.secret)
    assert "Not entered: 3, 4. Not confirmed: 1. In dispute: 2." in read(desk, evening.get_absolute_url())


def test_desk_of_a_list_that_only_asked_leads_to_it(desk, evening):
    for number in range(1, 9):
        press(desk, evening, "entry", number=number, set="gone")
    evening.entries.update(status="asked")
    page = read(desk, evening.get_absolute_url())
    assert "8 want to play" in page and "Nobody is on the list yet" not in page
