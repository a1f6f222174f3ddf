"""Actions of a page that is older than the match, and the ways from it to an account."""

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse

from games import repository
from tests.games.playing import begin, on_turn, play

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("question", "move", "ending"), [("resign", "resign", "resigned"), ("calling_off", "abort", "aborted")]
)
def test_confirmed_leaving_is_accepted_after_a_move(alice, bob, browser_of, question, move, ending):
    match = begin(alice, bob)
    leaver = bob if on_turn(match).user == alice else alice
    asking = browser_of(leaver).get(match.get_absolute_url(), {question: "1"}).content.decode()
    address = reverse("match-move", args=[match.code]) + "?version=any"
    assert f'formaction="{address}"' in asking
    play(match)

    answer = browser_of(leaver).post(address, {"move": move, "version": "0"})

    assert answer.status_code == 303
    match.refresh_from_db()
    assert match.result_how == ending


@pytest.mark.parametrize("move", ["pass", "draw", "6-6", "muggins"])
def test_other_moves_need_the_version(alice, bob, browser_of, move):
    match = begin(alice, bob)
    address = reverse("match-move", args=[match.code]) + "?version=any"

    answer = browser_of(alice).post(
        address, {"move": move, "version": "0"}, headers={"accept": "application/json"}
    )

    assert (answer.status_code, answer.json()["reason"]) == (400, "malformed")
    match.refresh_from_db()
    assert match.version == 0


def test_guest_returns_to_the_match_after_signing_up(bob, browser_of):
    guest = get_user_model().objects.create_user("guest-9", is_guest=True)
    match = begin(guest, bob)
    page = browser_of(guest).get(match.get_absolute_url()).content.decode()
    for name in ("account_signup", "account_login"):
        assert f'href="{reverse(name)}?next={match.get_absolute_url()}"' in page


def test_title_of_a_match_in_pairs_names_the_pairs(alice, bob, browser_of):
    match = begin(alice, bob, "casual", "club", preset="dominican")
    page = browser_of(alice).get(match.get_absolute_url()).content.decode()
    assert "<title>alice &amp; Otto against bob &amp; Vesna, Dominican pairs · Boneyard" in page
    assert "alice &amp; Otto against bob &amp; Vesna</h1>" in page


@pytest.mark.parametrize(("preset", "is_charged"), [("kozel", True), ("all-fives", False)])
def test_points_of_kozel_are_not_displayed_as_a_gain(alice, bob, browser_of, preset, is_charged):
    match = begin(alice, bob, preset=preset)
    while not repository.get_value(match).ended:
        match = play(match)
    page = browser_of(alice).get(match.get_absolute_url()).content.decode()
    assert ('class="gain digits is-charged"' in page) == is_charged
    assert ('class="race-box sides-2 is-charged"' in page) == is_charged
