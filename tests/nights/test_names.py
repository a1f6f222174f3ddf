"""The names of a night's people: as lists are pasted, and written otherwise later."""

import html

import pytest

from nights.models import Act
from nights.services.naming import read_names
from tests.nights.conftest import address, press

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "line", ["1. Eva", "2) Eva", "(3) Eva", "- Eva", "• Eva", "12 - Eva", "* Eva", "#4 – Eva", "  5.Eva "]
)
def test_numbers_and_marks_of_a_pasted_list_are_cut(line):
    assert read_names(line) == ["Eva"]


@pytest.mark.parametrize("name", ["Ana-María", "3D Juan", "Luis 2", "J. Pérez"])
def test_names_that_only_look_like_a_list_stay(name):
    assert read_names(name) == [name]


def test_refusal_says_which_line_is_too_long(desk, evening):
    names = "Zoe\n" + "Maximiliano de la Torre y Fernández\nBerta"
    answer = desk.post(address(evening, "people"), {"version": evening.version, "names": names})
    page = html.unescape(answer.content.decode())
    assert "Line 2, “Maximiliano de la Torre y Fernández”: A name has at most 30 characters." in page
    assert evening.entries.count() == 8


def test_director_writes_a_name_otherwise_and_the_log_follows_whole_names(desk, evening):
    press(desk, evening, "people", names="Anabel")
    press(desk, evening, "rename", number=1, **{"name-1": " Amelia "})
    assert evening.entries.get(number=1).name == "Amelia"
    logged = list(Act.objects.values_list("kind", "about"))
    assert logged[:2] == [("rename", "Amelia"), ("add", "Anabel")]
    assert logged[2][1].startswith("Amelia, Luis")


def test_rename_to_a_name_of_somebody_else_is_refused(desk, evening):
    press(desk, evening, "rename", number=1, **{"name-1": "Luis"})
    assert evening.entries.get(number=1).name == "Ana"
    assert "Somebody else on the list has that name." in desk.get(evening.get_absolute_url()).content.decode()


def test_stranger_renames_nobody(client, evening):
    press(client, evening, "rename", number=1, **{"name-1": "Amelia"})
    assert evening.entries.get(number=1).name == "Ana"


def test_enter_key_in_a_field_of_the_desk_presses_nothing(desk, evening):
    page = desk.get(evening.get_absolute_url()).content.decode()
    first = page.index('<button type="submit" disabled hidden>')
    assert first < page.index('form="desk"')
