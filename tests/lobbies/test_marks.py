"""The tile that stands for a person."""

import pytest

from accounts import relations
from accounts.drawing import name_tile
from games.models import Seat
from tests.games.playing import begin, play_to_the_end
from tests.html import collapse_whitespace
from tests.lobbies.tables import make

pytestmark = pytest.mark.django_db


def test_person_has_one_tile_everywhere(alice, bob, charlie, browser_of):
    match, ended, table = begin(alice, bob), play_to_the_end(begin(alice, bob)), make(alice)
    relations.set_relation(charlie, alice, "follow", True)
    browser = browser_of(charlie)
    addresses = (
        "/",
        match.get_absolute_url(),
        f"/games/{ended.code}/replay/",
        table.get_absolute_url(),
        "/players/alice/",
        "/players/",
    )
    tile = collapse_whitespace(name_tile("alice"))
    assert {path for path in addresses if tile not in collapse_whitespace(browser.get(path).text)} == set()


def test_computer_keeps_its_object_in_a_replay(alice, bob, browser_of):
    ended = play_to_the_end(begin(alice, bob))
    Seat.objects.filter(match=ended, user=bob).update(
        kind=Seat.Kind.COMPUTER, level="club", figure=1, user=None
    )
    page = browser_of(alice).get(f"/games/{ended.code}/replay/").text
    assert page.count('class="avatar is-computer"') == 1
