"""A match at a private table is in no list; its players see it in theirs, and a rated one counts."""

import re

import pytest
from django.core.management import call_command

from tests.games.playing import begin, play, play_to_the_end
from tests.games.test_people_pages import head_line

pytestmark = pytest.mark.django_db


@pytest.fixture
def private(alice, bob):
    """Two finished matches at private tables, a rated and a casual one."""
    rated = play_to_the_end(begin(alice, bob, rated=True))
    casual = play_to_the_end(begin(alice, bob))
    for match in (rated, casual):
        match.private = True
        match.save()
    return rated, casual


PRIVATE_LISTS = ["/archive/", "/archive/?player=alice", "/players/alice/", "/players/bob/", "/fairness/", "/"]


@pytest.mark.parametrize("address", PRIVATE_LISTS)
def test_a_private_match_is_in_no_list(charlie, browser_of, private, address):
    for viewer in (None, charlie):
        page = browser_of(viewer).get(address).content.decode()
        assert not [match.code for match in private if match.code in page]


def test_the_fairness_page_tells_how_it_ended_and_nobodys_name(charlie, browser_of, private):
    page = browser_of(charlie).get("/fairness/").content.decode()
    assert page.count("private match: reaching the target") == 2
    assert all(match.seal[:16] in page for match in private)
    assert not re.search(r"\b(alice|bob)\b", page)  # by themselves: tokens are letters by chance


def test_the_players_of_a_private_match_see_it_in_their_own(alice, bob, browser_of, private):
    mine = browser_of(alice).get("/players/alice/").content.decode()
    theirs = browser_of(alice).get("/archive/").content.decode()

    assert all(f"/games/{match.code}/replay/" in mine for match in private)
    assert not [match for match in private if match.code in theirs]


def test_a_rated_private_match_counts_in_graph_and_totals_and_a_casual_one_does_not(browser_of, private):
    context = browser_of().get("/players/alice/").context

    assert context["tally"].matches == 1
    assert len(context["ratings"]) == 1
    assert len(context["rated_game"]["changes"]) == 1


def test_private_matches_are_not_in_head_to_head(alice, bob, browser_of, private):
    between = browser_of(alice).get("/players/bob/").context["head_to_head"]

    assert (between.wins, between.losses, between.drawn) == (0, 0, 0)


@pytest.mark.parametrize("page", ["", "replay/", "record.json", "verify/", "state.json"])
def test_who_has_the_link_may_look_and_search_engines_may_not(alice, bob, browser_of, private, page):
    public = play(play(begin(alice, bob, seed="public")), "resign")

    answer = browser_of().get(f"/games/{private[0].code}/{page}")
    assert (answer.status_code, answer["X-Robots-Tag"]) == (200, "noindex")
    assert "X-Robots-Tag" not in browser_of().get(f"/games/{public.code}/{page}")


def test_private_matches_are_exported_only_when_asked_for(private, capsys):
    call_command("export_records")
    assert capsys.readouterr().out == ""
    call_command("export_records", private=True)
    assert all(match.code in capsys.readouterr().out for match in private[:1])


def test_a_casual_private_match_is_in_no_number(alice, bob, browser_of, private):
    told = head_line(browser_of(), "alice")

    assert "1 match, finishes 100 of 100." in told
    assert "Best win" not in browser_of().get("/players/alice/").content.decode(), (
        "the rated one is private, too"
    )
