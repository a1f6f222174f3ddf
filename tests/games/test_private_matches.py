"""Private matches are listed for their players only; rated ones count."""

import re

import pytest
from django.core.management import call_command

from tests.games.playing import begin, play, play_to_the_end
from tests.games.test_people_pages import read_about_line

pytestmark = pytest.mark.django_db


@pytest.fixture
def private(alice, bob):
    """Create two finished private matches, a rated and a casual one."""
    rated = play_to_the_end(begin(alice, bob, rated=True))
    casual = play_to_the_end(begin(alice, bob))
    for match in (rated, casual):
        match.private = True
        match.save()
    return rated, casual


PRIVATE_LISTS = ["/archive/", "/archive/?player=alice", "/players/alice/", "/players/bob/", "/fairness/", "/"]


@pytest.mark.parametrize("address", PRIVATE_LISTS)
def test_private_match_is_not_listed(charlie, browser_of, private, address):
    for viewer in (None, charlie):
        page = browser_of(viewer).get(address).content.decode()
        assert not [match.code for match in private if match.code in page]


def test_fairness_page_hides_names_of_private_match(charlie, browser_of, private):
    page = browser_of(charlie).get("/fairness/").content.decode()
    assert page.count("private match: reaching the target") == 2
    assert all(match.seal[:16] in page for match in private)
    assert not re.search(r"\b(alice|bob)\b", page)  # as words: tokens may contain the letters


def test_players_see_private_match_in_own_lists(alice, bob, browser_of, private):
    mine = browser_of(alice).get("/players/alice/").content.decode()
    theirs = browser_of(alice).get("/archive/").content.decode().partition("<main")[2]

    assert all(f"/games/{match.code}/replay/" in mine for match in private)
    assert not [match for match in private if match.code in theirs]


def test_only_rated_private_match_counts_in_profile(browser_of, private):
    context = browser_of().get("/players/alice/").context

    assert context["tally"].matches == 1
    assert len(context["ratings"]) == 1
    assert len(context["rated_game"]["changes"]) == 1


def test_private_matches_are_not_in_head_to_head(alice, bob, browser_of, private):
    between = browser_of(alice).get("/players/bob/").context["head_to_head"]

    assert (between.wins, between.losses, between.drawn) == (0, 0, 0)


@pytest.mark.parametrize("page", ["", "replay/", "record.json", "verify/", "state.json"])
def test_private_match_is_visible_by_link_but_not_indexed(alice, bob, browser_of, private, page):
    public = play(play(begin(alice, bob, seed="public")), "resign")

    answer = browser_of().get(f"/games/{private[0].code}/{page}")
    assert (answer.status_code, answer["X-Robots-Tag"]) == (200, "noindex")
    assert "X-Robots-Tag" not in browser_of().get(f"/games/{public.code}/{page}")


def test_private_matches_are_exported_on_request(private, capsys):
    call_command("export_records")
    assert capsys.readouterr().out == ""
    call_command("export_records", private=True)
    assert all(match.code in capsys.readouterr().out for match in private[:1])


def test_casual_private_match_is_not_counted(alice, bob, browser_of, private):
    line = read_about_line(browser_of(), "alice")

    assert "1 match." in line
    assert "Best win" not in browser_of().get("/players/alice/").content.decode(), (
        "the rated one is private, too"
    )
