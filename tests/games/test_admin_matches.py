"""The operators' list of matches, which a million of them must not slow down."""

import pytest

from games.models import Match
from tests.games.playing import begin, play

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
def test_matches_stand_as_they_began_whatever_the_address_asks_for(alice, bob, charlie, admin, column):
    matches = [begin(alice, bob), begin(bob, charlie), begin(alice, charlie)]
    assert found(admin, o=column) == matches[::-1]


def test_results_rules_and_ratings_stand_in_words(alice, bob, admin):
    match = play(play(begin(alice, bob, rated=True)), "resign")
    winner = match.seats.get(won=True).name

    assert f"{winner} won by resignation" in admin.get(LIST).content.decode()
    page = admin.get(f"{LIST}{match.pk}/change/").content.decode()
    assert "double-six" in page and "spinner_rule" not in page
    assert "1500.0" not in page


def test_nothing_is_deleted_from_a_list(alice, bob, admin):
    begin(alice, bob)
    for address in (LIST, "/admin/games/report/", "/admin/accounts/user/"):
        assert "delete_selected" not in admin.get(address).content.decode()
