"""The leaderboard: its order, its pages and the viewer's own row."""

import re

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts import conduct, drawing, leaderboard, leaderboards
from accounts.pools import LIVE_POOLS
from core.numbers import display_rating
from tests import budgets
from tests.accounts.rating import crowd, proven, rate, seasoned
from tests.html import collapse_whitespace
from tests.statements import captured_statements

ADDRESS = "/leaderboard/muggins/"


@pytest.fixture(autouse=True)
def _fresh_index():
    leaderboards.active_leaderboards.cache.clear()
    leaderboards.weeks_best.cache.clear()


@pytest.fixture
def many(db):
    """120 ranked players; every third shares the rating of the one before."""
    return crowd({f"player-{n:03}": 2000 - 5 * (n - (n % 3 == 2)) for n in range(120)})


def rows_of(text):
    """Return (rank, name) of each line."""
    lines = re.findall(r'id="rank-\d+" data-name="([^"]+)" data-rating="\d+" data-rank="(\d*)"', text)
    return [(int(rank) if rank else None, name) for name, rank in lines]


def read(browser, path=ADDRESS):
    return collapse_whitespace(browser.get(path).content.decode())


def test_index_lists_active_pools_by_activity(browser_of, alice, bob, charlie):
    rate(1, alice, bob, pool="draw")
    rate(2, alice, bob)
    rate(3, bob, charlie)
    text = read(browser_of(), "/leaderboard/")
    assert re.findall(r'<a href="/leaderboard/([\w-]+)/">', text) == ["muggins", "draw"]
    assert re.findall(r"Most played</small> ?<a [^>]*>(\w+)</a> ?</span> ?<b>(\d+)</b>", text) == [
        ("bob", "3")
    ]
    assert re.findall(r"Biggest gain</small> ?<a [^>]*>(\w+)</a> ?</span> ?<b>\+(\d+)</b>", text) == [
        ("alice", "40")
    ]
    assert re.findall(r"in a row</small> ?<a [^>]*>(\w+)</a> ?</span> ?<b>(\d+)</b>", text) == [
        ("alice", "2")
    ]
    assert text.count('class="chip" href="/leaderboard/') == len(LIVE_POOLS)


def test_index_without_matches_invites(browser_of, db):
    assert "No rated match yet this month." in read(browser_of(), "/leaderboard/")


def test_index_leads_to_a_chosen_pool(browser_of, db):
    assert browser_of().get("/leaderboard/?pool=muggins").url == ADDRESS


def test_only_established_ratings_are_listed_on_demand(browser_of, db):
    seasoned("new", 1700, matches=3)
    seasoned("old", 1600)
    assert rows_of(read(browser_of())) == [(1, "new"), (2, "old")]
    assert rows_of(read(browser_of(), f"{ADDRESS}?established=on")) == [(2, "old")]


def test_line_links_to_the_table_of_a_player(browser_of, alice, bob, monkeypatch):
    rate(1, alice, bob)
    table = leaderboard.Table("/games/x/", "45 – 30")
    monkeypatch.setattr(leaderboard, "_find_tables", [lambda ids: {alice.pk: table}])
    links = re.findall(r'<a class="at-table-now" href="([^"]+)">at a table, (.*?) ?</a>', read(browser_of()))
    assert links == [("/games/x/", "45 – 30")]


def test_unknown_pool_is_not_found(browser_of, db):
    assert browser_of().get("/leaderboard/chess/").status_code == 404


def test_empty_leaderboard_says_so(browser_of, db):
    assert "Nobody has a rated match here yet." in read(browser_of())


def test_row_shows_rating_trend_and_record(browser_of, alice, bob):
    proven(alice, bob)
    for order in range(1, 13):
        rate(order, alice, bob)
    text = read(browser_of())
    row = next(r for r in leaderboard.page("muggins", None, {}).rows if r.name == "bob")
    assert (row.rank, row.matches, row.wins, row.provisional) == (2, 42, 0, False)
    line = re.search(r'<tr class="[^"]*" id="rank-\d+" data-name="bob".*?</tr>', text)[0]
    assert f"<b>{row.value}</b>" in line
    assert f'<small class="trend downward">{-row.change}</small>' in line
    assert line.count('class="open"') == 10
    assert "42 matches" in line
    assert reverse("profile", args=["bob"]) in line
    assert " style=" not in text


def test_mark_ends_after_thirty_matches(browser_of, db):
    seasoned("old", 1600, matches=30)
    assert "provisional" not in read(browser_of())


def test_provisional_line_says_how_many_matches(browser_of, alice, bob):
    rate(1, alice, bob)
    text = read(browser_of())
    assert rows_of(text) == [(1, "alice"), (2, "bob")]
    assert text.count("1 of 30 matches") == 2
    assert text.count('<span class="is-provisional">') == 2


def test_pages_list_everybody_once_in_order(browser_of, many):
    browser, seen, path = browser_of(), [], ADDRESS
    while path:
        text = read(browser, path)
        seen += rows_of(text)
        following = re.search(r'rel="next" href="\?after=([^"]+)"', text)
        path = f"{ADDRESS}?after={following[1]}" if following else ""
    assert [name for _, name in seen] == [row.user.username for row in many]
    values = [display_rating(row.value) for row in many]
    assert [rank for rank, _ in seen] == [1 + sum(other > value for other in values) for value in values]


def test_later_page_links_to_previous_one(browser_of, many):
    browser = browser_of()
    second = f"{ADDRESS}?after=" + re.search(r'rel="next" href="\?after=([^"]+)"', read(browser))[1]
    third = f"{ADDRESS}?after=" + re.search(r'rel="next" href="\?after=([^"]+)"', read(browser, second))[1]
    text = read(browser, third)
    assert 'rel="next"' not in text
    back = read(browser, f"{ADDRESS}?before=" + re.search(r'rel="prev" href="\?before=([^"]+)"', text)[1])
    assert rows_of(back) == rows_of(read(browser, second))
    start = read(browser, f"{ADDRESS}?before=" + re.search(r'rel="prev" href="\?before=([^"]+)"', back)[1])
    assert rows_of(start) == rows_of(read(browser))
    assert 'rel="prev"' not in start


@pytest.mark.parametrize(
    "key", ["x", "nan:1", "inf:1", "1e400:2", "1500:", ":", "1500:99999999999999999999", "-5:-5"]
)
def test_invalid_key_shows_first_page(browser_of, many, key):
    for name in ("after", "before"):
        answer = browser_of().get(ADDRESS, {name: key})
        assert answer.status_code == 200
        assert rows_of(collapse_whitespace(answer.content.decode()))[0] == (1, "player-000")


@pytest.mark.parametrize("keys", [{"after": "100.0:1"}, {"before": "3000.0:1"}])
def test_key_past_the_end_shows_first_page(browser_of, many, keys):
    assert rows_of(collapse_whitespace(browser_of().get(ADDRESS, keys).content.decode()))[0] == (
        1,
        "player-000",
    )


def test_own_row_is_marked_in_place(browser_of, many):
    inside = read(browser_of(many[7].user))
    assert len(rows_of(inside)) == 50
    assert re.search(r'<tr class="mine" id="rank-\d+" data-name="player-007"', inside)
    assert "Place 8 of 120" in inside
    assert '<tr class="mine"' not in read(browser_of())


def test_own_row_elsewhere_is_one_press_away(browser_of, many):
    browser = browser_of(many[100].user)
    first = read(browser)
    assert '<tr class="mine"' not in first
    assert re.search(r'<a class="button" href="\?me=1"> ?Your place: 10\d', first)

    around = read(browser, f"{ADDRESS}?me=1")
    assert rows_of(around)[10][1] == "player-100"
    assert around.count('<tr class="mine"') == 1
    assert 'rel="prev"' in around


def test_banned_players_are_not_shown(browser_of, many):
    conduct.ban(many[0].user, "cheating")
    assert rows_of(read(browser_of()))[0] == (1, "player-001")


def test_statements_of_any_page(browser_of, many):
    viewer = many[100].user
    first = leaderboard.page("muggins", viewer, {})
    for keys in ({}, {"after": first.following}):
        with captured_statements() as statements:
            leaderboard.page("muggins", viewer, keys)
        budgets.check("the rows of a leaderboard", {"statements": len(statements)})


@pytest.mark.skipif(connection.vendor != "sqlite", reason="reads SQLite's plans")
@pytest.mark.parametrize(
    "keys", [{}, {"after": "1900.0:7"}, {"before": "1900.0:7"}, {"established": "on", "after": "1900.0:7"}]
)
def test_every_page_uses_an_index_without_sorting(many, keys):
    with CaptureQueriesContext(connection) as asked:
        leaderboard.page("muggins", many[100].user, keys)
    with connection.cursor() as cursor:
        for query in asked.captured_queries:
            cursor.execute("EXPLAIN QUERY PLAN " + query["sql"])
            for *_, step in cursor.fetchall():
                assert step.startswith("SEARCH"), query["sql"]
                assert not keys or not step.endswith("the_leaderboard (pool=?)"), query["sql"]


def test_name_has_one_tile():
    assert drawing.name_tile("mara") is drawing.name_tile("mara")
    assert len({drawing.name_tile(f"player-{n}") for n in range(400)}) == 28


def test_equal_rows_are_rendered_once(many):
    first, second = (leaderboard.page("muggins", None, {}).rows[3].html for _ in range(2))
    assert first is second


def test_no_migration_is_missing(db):
    call_command("makemigrations", "accounts", check=True, dry_run=True)
