"""The pauses of computers and for calls: chosen for a table, with a personal default."""

import pytest

from games.models import Match
from lobbies import services
from lobbies.models import Table
from tests.lobbies.tables import game, make
from tests.lobbies.test_form import fields_of

pytestmark = pytest.mark.django_db


def prefers(person, **pauses):
    for name, seconds in pauses.items():
        setattr(person, name, seconds)
    person.save()
    return person


def pauses_of(row) -> tuple[int, int]:
    return row.computer_pause, row.call_pause


def posted(browser, **fields) -> Table:
    browser.post("/tables/new", {"preset": "muggins-200", "seats": "3"} | fields)
    return Table.objects.latest("created_at")


def test_default_pauses(alice, browser_of):
    assert pauses_of(posted(browser_of(alice))) == (1, 2)


@pytest.mark.parametrize("computer", [0, 1, 2, 4])
@pytest.mark.parametrize("call", [2, 4, 8])
def test_pauses_are_stored_on_table(alice, browser_of, computer, call):
    table = posted(browser_of(alice), computer_pause=str(computer), call_pause=str(call))
    assert pauses_of(table) == (computer, call)


def test_pauses_keep_table_rated(alice, browser_of):
    assert posted(browser_of(alice), rated="on", computer_pause="4", call_pause="8").rated


@pytest.mark.parametrize("fields", [{"computer_pause": "3"}, {"call_pause": "0"}, {"call_pause": "two"}])
def test_unknown_pause_is_refused_at_field(alice, browser_of, fields):
    answer = browser_of(alice).post("/tables/new", {"preset": "muggins-200", "seats": "3"} | fields)
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == set(fields)
    assert not Table.objects.exists()


def test_preferred_pauses_are_used(alice, browser_of):
    browser = browser_of(prefers(alice, computer_pause=4, call_pause=8))
    assert "computer_pause" not in fields_of(browser.get("/tables/new?preset=muggins-200").content.decode())
    fields = fields_of(browser.get("/tables/new?preset=muggins-200&computers=,club").content.decode())
    assert (fields["computer_pause"], fields["call_pause"]) == ("4", "8")
    assert pauses_of(posted(browser)) == (4, 8)
    browser.post("/play/all-fives/", {"computer": "beginner"})
    assert Table.objects.latest("created_at").computer_pause == 4


def test_anonymous_visitor_has_default_pauses(browser_of, db):
    browser = browser_of()
    browser.post(
        "/preferences/",
        {"theme": "dark", "tiles": "ebony", "pips": "ink", "volume": "1"}
        | {"computer_pause": "0", "call_pause": "4"},
    )
    assert pauses_of(posted(browser)) == (0, 4)


def test_table_shows_relevant_pauses(alice, browser_of):
    browser = browser_of(alice)
    page = browser.get(
        posted(browser, computers=",club,", call_pause="8").get_absolute_url()
    ).content.decode()
    assert "pause of computers: 1 second" in page
    assert "pause for “Muggins!”: 8 seconds" in page
    page = browser.get(make(alice).get_absolute_url()).content.decode()
    assert "pause of computers" not in page
    assert "pause for" not in page


def test_match_and_rematch_keep_pauses(alice, browser_of):
    browser = browser_of(alice)
    table = posted(browser, seats="2", computers=",club", computer_pause="4", call_pause="8")
    services.commit(table, alice, "")
    match = Match.objects.get()
    assert pauses_of(match) == (4, 8)
    browser.post(f"/games/{match.code}/move", {"move": "resign", "version": "0"})
    again = services.offer_rematch(Match.objects.get(), alice)
    assert pauses_of(again) == (4, 8)


def test_quick_play_uses_longest_call_pause(alice, bob, charlie):
    muggins = game("muggins-200", 4)
    waiting = services.quick_play(alice, muggins.replace(pauses=alice.pauses))
    for person in (prefers(bob, call_pause=8), prefers(charlie, call_pause=4)):
        assert services.quick_play(person, muggins.replace(pauses=person.pauses)) == waiting
    waiting.refresh_from_db()
    assert waiting.call_pause == 8
