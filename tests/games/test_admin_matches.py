"""The operators' list of matches, which a million of them must not slow down."""

import pytest

from games.models import Match
from tests.games.playing import begin

pytestmark = pytest.mark.django_db
LIST = "/admin/games/match/"


@pytest.fixture
def admin(django_user_model, browser_of):
    return browser_of(django_user_model.objects.create_superuser("admin", password="the admin's bones"))


def found(admin, **asked: str) -> list[Match]:
    return list(admin.get(LIST, asked).context["cl"].result_list)


@pytest.mark.parametrize("words", ["alice", "ALI", "alice bob", "bo ali"])
def test_matches_are_found_by_how_their_players_names_begin(alice, bob, charlie, admin, words):
    match = begin(alice, bob)
    begin(bob, charlie)
    assert match in found(admin, q=words)


def test_each_word_must_be_found(alice, bob, charlie, admin):
    match = begin(alice, bob)
    begin(bob, charlie)
    assert found(admin, q="alice bob") == [match]
    assert found(admin, q="alice charlie") == []


def test_a_match_is_found_by_its_code(alice, bob, charlie, admin):
    match = begin(alice, bob)
    begin(bob, charlie)
    assert found(admin, q=match.code) == [match]


@pytest.mark.parametrize("column", ["1", "-7", "99", "x"])
def test_they_stand_as_they_began_whatever_the_address_asks_for(alice, bob, charlie, admin, column):
    matches = [begin(alice, bob), begin(bob, charlie), begin(alice, charlie)]
    assert found(admin, o=column) == matches[::-1]
