"""The admin list of matches, with queries that scale to a million rows."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Match
from tests.games.playing import begin, play

pytestmark = pytest.mark.django_db
LIST = "/admin/games/match/"


@pytest.fixture
def admin(django_user_model, browser_of):
    return browser_of(django_user_model.objects.create_superuser("admin", password="the admin's bones"))


def search(admin, **query: str) -> list[Match]:
    return list(admin.get(LIST, query).context["cl"].result_list)


@pytest.mark.parametrize("words", ["alice", "ALI", "alice bob", "bo ali"])
def test_search_by_prefix_of_player_name(alice, bob, charlie, admin, words):
    match = begin(alice, bob)
    begin(bob, charlie)
    assert match in search(admin, q=words)


def test_search_requires_every_word(alice, bob, charlie, admin):
    match = begin(alice, bob)
    begin(bob, charlie)
    assert search(admin, q="alice bob") == [match]
    assert search(admin, q="alice charlie") == []


def test_search_by_code(alice, bob, charlie, admin):
    match = begin(alice, bob)
    begin(bob, charlie)
    assert search(admin, q=match.code) == [match]


@pytest.mark.parametrize("column", ["1", "-7", "99", "x"])
def test_order_parameter_is_ignored(alice, bob, charlie, admin, column):
    matches = [begin(alice, bob), begin(bob, charlie), begin(alice, charlie)]
    assert search(admin, o=column) == matches[::-1]


def test_results_rules_and_ratings_are_readable(alice, bob, admin):
    match = play(play(begin(alice, bob, rated=True)), "resign")
    winner = match.seats.get(won=True).name

    listed = admin.get(LIST).content.decode()
    assert f'<span class="person-name">{winner}</span> won by resignation' in listed, (
        "the name is never broken"
    )
    page = admin.get(f"{LIST}{match.pk}/change/").content.decode()
    assert "double-six" in page and "spinner_rule" not in page
    assert "1500.0" not in page


def test_lists_have_no_delete_action(alice, bob, admin):
    begin(alice, bob)
    for address in (LIST, "/admin/games/report/", "/admin/accounts/user/"):
        assert "delete_selected" not in admin.get(address).content.decode()


def test_count_sorts_nothing(admin):
    with CaptureQueriesContext(connection) as queries:
        admin.get(LIST, {"result_how": "stalled"})
    counts = [
        query["sql"] for query in queries if "COUNT(*)" in query["sql"] and "games_match" in query["sql"]
    ]
    assert counts and not any("ORDER BY" in sql for sql in counts)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL scans a table of few rows")
def test_result_filter_uses_an_index():
    plan = Match.objects.filter(concealed=False, result_how="stalled").order_by("-pk").explain()
    assert "matches_by_result" in plan
