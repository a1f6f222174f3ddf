"""How the pages of cases and ratings read: the way to the next case, sections, numbers."""

import re

import pytest

from accounts.models import Rating, RatingChange
from games.past.desk import find_next_case
from games.services import talk
from tests.games.playing import begin, play_to_the_end
from tests.html import collapse_whitespace

pytestmark = pytest.mark.django_db


def read_case(browser, person):
    return collapse_whitespace(browser.get(f"/admin/games/report/person/{person.pk}/").content.decode())


def report(person, by):
    return talk.report_person(person=person, user=by, category="talk", text="see the match", match=None)


def test_case_leads_to_next_one(alice, bob, moderator, browser_of):
    browser = browser_of(moderator)
    assert "No other case is open." in read_case(browser, bob)
    report(bob, alice)
    assert "No other case is open." in read_case(browser, bob)
    report(alice, bob)
    match = begin(alice, bob)
    talk.report(match=match, user=alice, talk=None, reason="all of it")
    subjects = [bob, alice, match]  # oldest first
    for place, subject in enumerate(subjects):
        following = find_next_case(moderator, subject)
        assert (following.person or following.match) == subjects[(place + 1) % 3]
    assert re.search(
        rf'Next case:\s*<a href="/admin/games/report/person/{alice.pk}/">alice</a>', read_case(browser, bob)
    )
    assert f"/admin/games/report/match/{match.pk}/" in read_case(browser, alice)
    browser.post(f"/admin/games/report/person/{bob.pk}/", {"dismiss": "yes"})
    assert find_next_case(moderator, bob).person == alice


def test_case_of_newcomer_has_no_empty_sections(alice, bob, moderator, browser_of):
    browser = browser_of(moderator)
    page = read_case(browser, bob)
    assert "No matches yet." in page
    for part in (
        "desk-table",
        "Opponents and partners",
        "Annul the matches since",
        "<li>–</li>",
        "Latest matches",
    ):
        assert part not in page
    assert "Nothing here: Reports · Imposed · From the same addresses · With the same browser · Talk" in page
    report(bob, alice)
    play_to_the_end(begin(alice, bob))
    page = read_case(browser, bob)
    assert "No matches yet." not in page
    assert "Opponents and partners" in page and "Annul the matches since" in page
    assert "Nothing here: Imposed · " in page


def test_changes_of_ratings_are_in_words(alice, bob, moderator, browser_of):
    rating = Rating.objects.create(
        user=alice, pool="draw", value=1512.4, recent=[1500.0, 1512.4], opponents=[bob.pk]
    )
    match = play_to_the_end(begin(alice, bob))
    values = {"match_code": match.code, "order": 7, "before": 1500.0, "after": 1512.4, "at": match.ended_at}
    change = RatingChange.objects.create(rating=rating, shares=[[bob.pk, 12.4]], weight=0.55, **values)
    browser = browser_of(moderator)
    listed = browser.get("/admin/accounts/ratingchange/").content.decode()
    shown = browser.get(f"/admin/accounts/ratingchange/{change.pk}/change/").content.decode()
    for page in (listed, shown):
        assert "+12, 1500 to 1512" in page and f'href="/games/{match.code}/"' in page
        assert "counts 55%" in page
        assert "1512.4" not in page
    assert "bob +12" in shown and f"[[{bob.pk}" not in shown
    shown = browser.get(f"/admin/accounts/rating/{rating.pk}/change/").content.decode()
    assert "1500, 1512" in shown and "bob" in shown
    assert "1512.4" not in shown and f"[{bob.pk}]" not in shown
