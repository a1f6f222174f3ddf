"""The pages of a night on phones: people are led into their matches, and nothing hidden is shown."""

import json
import math
import re
from ipaddress import ip_network
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from boneyard.engine.shuffle import commitment_to
from games import repository
from games.models import Match
from lobbies.models import Sitting
from nights import services
from nights.models import Night
from nights.phones import order_seats
from operators import shared_networks
from tests.computer.tables import another_deal
from tests.games.playing import play, play_to_the_end
from tests.nights.conftest import address, press
from tests.nights.phones import (
    act,
    begin_round,
    keep,
    let_time_pass,
    make_night,
    play_round,
    tables_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_open_nights")]


def own_address(entry, *parts):
    return reverse("night-me", args=[entry.night.code, entry.secret]) + "".join(parts)


def read(browser, path):
    answer = browser.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def browser_of(entry) -> Client:
    browser = Client()
    browser.force_login(entry.user)
    return browser


FORM = {
    "name": "Friday",
    "start": "2027-01-08T20:30",
    "preset": "dominican",
    "format": "partners",
    "where": "phones",
    "rounds": 5,
    "hands": 4,
    "clock": "600+5",
    "minutes": 30,
}


def test_night_on_phones_is_made_with_clock_and_house_rules(desk):
    answer = desk.post("/nights/new", FORM | {"rule-next_lead": "rotate"})
    night = Night.objects.get()
    assert answer["Location"] == night.get_absolute_url()
    assert (night.place, night.clock, night.minutes, night.rated) == ("phones", (600, 5), None, False)
    assert night.rules["next_lead"] == "rotate"
    assert "on phones" in read(desk, night.get_absolute_url())


def test_house_rules_of_a_night_at_real_tables_are_not_kept(desk):
    desk.post("/nights/new", FORM | {"where": "wood", "rule-next_lead": "rotate"})
    night = Night.objects.get()
    assert (night.rules, night.clock, night.minutes) == (None, None, 30)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"format": "pairs"}, "Pairs that stay together play at real tables only"),
        ({"rated": "on"}, "A rated night plays a game as it is written"),
        ({"clock": "3d"}, "choose a clock of minutes"),
        ({"rule-claims": "muggins"}, "only in a game in which the ends are counted"),
    ],
)
def test_form_says_what_cannot_be_played_on_phones(desk, changes, sentence):
    answer = desk.post("/nights/new", FORM | changes)
    assert answer.status_code == 422
    assert sentence.lower() in answer.content.decode().lower()
    assert not Night.objects.exists()


def test_rated_night_is_made_to_points(desk):
    desk.post("/nights/new", FORM | {"rated": "on", "target": 200, "preset": "dominican"})
    assert Night.objects.get().rated


def test_person_without_an_account_becomes_a_guest_and_sits_at_the_drawn_seat(host):
    night = make_night(host, 4, accounts=0)
    act(services.draw, night, host)
    entry = night.entries.get(number=2)
    phone = Client()
    assert "This is me" in read(phone, own_address(entry))
    phone.post(own_address(entry, "claim"))
    entry.refresh_from_db()
    assert entry.user.is_guest
    (table,) = tables_of(night)
    sitting = Sitting.objects.get(table__code=table.waiting_code)
    assert (sitting.user, sitting.position) == (entry.user, order_seats(table.sides).index(2))
    page = read(phone, own_address(entry))
    assert "1 of 4 are there" in page and "This is me" not in page
    assert "data-shuffle" in page  # the page adds its part


def test_people_commit_and_reveal_on_their_own_pages(host):
    night = make_night(host, 2, format="singles", preset="block")
    act(services.draw, night, host)
    (table,) = tables_of(night)
    people = [browser_of(entry) for entry in night.entries.order_by("number")]
    nonces = ["a" * 20, "b" * 20]
    for browser, entry, nonce in zip(people, night.entries.order_by("number"), nonces, strict=True):
        read(browser, own_address(entry))
        commitment = commitment_to(nonce)
        browser.post(f"/tables/{table.waiting_code}/commit", {"commitment": commitment})
    keep(night)
    for browser, nonce in zip(people, nonces, strict=True):
        browser.post(f"/tables/{table.waiting_code}/nonce", {"nonce": nonce})
    match = Match.objects.get()
    assert sorted(match.entropy.split(".")) == nonces
    keep(night)
    entry = night.entries.get(number=1)
    for path in (own_address(entry), night.get_absolute_url()):
        assert f'data-match="/games/{match.code}/"' in read(people[0], path)
    assert "data-match" not in read(Client(), night.get_absolute_url())
    assert f"/games/{match.code}/" in read(Client(), night.get_absolute_url())
    data = json.loads(read(Client(), address(night, "night.json")))
    assert data["tables"][0]["match"] == match.code


def test_personal_link_of_somebody_with_an_account_leads_others_into_no_match(host):
    night = make_night(host, 2, format="singles", preset="block")
    begin_round(night, host)
    entry = night.entries.get(number=1)
    page = read(Client(), own_address(entry))
    assert "This name belongs to an account" in page
    assert "data-match" not in page


def test_strip_of_every_page_says_round_table_and_time(host):
    night = make_night(host, 4)
    act(services.draw, night, host)
    let_time_pass(night, 240)
    page = read(browser_of(night.entries.get(number=1)), "/rules/")
    assert "Round 1, table 1" in page
    assert "0 of 4 are there" in page
    assert re.search(r'data-left="(59|60)\.\d"', page)


def test_nobody_sits_down_leaves_or_calls_computers_at_a_drawn_table(host):
    night = make_night(host, 4)
    act(services.draw, night, host)
    (table,) = tables_of(night)
    entry = night.entries.get(number=1)
    player, stranger = browser_of(entry), Client()
    stranger.force_login(User.objects.create_user("otto"))
    for browser, what in ((stranger, "sit"), (player, "leave"), (player, "computers")):
        answer = browser.post(f"/tables/{table.waiting_code}/{what}", HTTP_ACCEPT="application/json")
        assert answer.json()["reason"] == "drawn", what
    assert stranger.get(f"/tables/{table.waiting_code}/")["Location"] == night.get_absolute_url()
    for path in ("/", "/watch/"):
        assert table.waiting_code not in read(stranger, path)


def test_desk_seats_computers_and_helpers_after_three_minutes(desk, host):
    night = make_night(host, 5)
    press(desk, night, "entry", number=5, set="helper")
    press(desk, night, "draw")
    page = read(desk, night.get_absolute_url())
    assert "Not there yet" in page and "A computer for" not in page and "Enter table" not in page
    let_time_pass(night, 181)
    page = read(desk, night.get_absolute_url())
    assert "A computer for Person 1" in page and "Person 5 for Person 1" in page
    press(desk, night, "replace", number=1)
    press(desk, night, "replace", number=2, helper=5)
    (table,) = tables_of(night)
    assert table.replaced == [1]
    assert sorted(number for side in table.sides for number in side) == [1, 3, 4, 5]
    page = read(desk, night.get_absolute_url())
    assert "seated a computer for Person 1" in page and "seated Person 5 for Person 2" in page


def test_results_show_on_the_pages_with_a_link_to_the_match(desk, host):
    night = make_night(host, 4)
    (match,) = play_round(night, host)
    match.refresh_from_db()
    entry = night.entries.get(number=1)
    result = " – ".join(map(str, match.scores))
    assert result in read(desk, night.get_absolute_url())
    assert "is confirmed" in read(browser_of(entry), own_address(entry))
    assert "The match" in read(Client(), night.get_absolute_url())
    assert "Draw round 2" in read(desk, night.get_absolute_url())


def test_private_night_has_no_match_in_the_lobby(host):
    night = make_night(host, 4)
    (match,) = begin_round(night, host)
    for path in ("/", "/watch/"):
        assert match.code not in read(Client(), path)
    assert Client().get(match.get_absolute_url()).status_code == 200


@pytest.mark.parametrize("is_listed", [True, False])
def test_people_of_a_night_are_rated_from_one_address_of_a_listed_network(host, is_listed):
    if is_listed:
        shared_networks.cache([ip_network("203.0.113.0/24")], ttl_seconds=math.inf)
    rated = {"rated": True, "hands": None, "target": 100, "clock_seconds": 300, "clock_increment": 5}
    night = make_night(host, 2, format="singles", preset="block", **rated)
    (match,) = begin_round(night, host)
    assert match.rated
    for entry in night.entries.all():
        browser = browser_of(entry)
        browser.get(match.get_absolute_url(), REMOTE_ADDR="203.0.113.7")
    match.refresh_from_db()
    assert match.rated == is_listed


# Hidden tiles


PAGES = ("", "wall/", "night.json", "draws.json")
MOVES = 9  # of the round, before its hidden tiles change hands


def test_pages_of_a_night_are_the_same_for_other_hands(desk, host):
    night = make_night(host, 4)
    (match,) = begin_round(night, host)
    for _move in range(MOVES):
        play(match)
    match.refresh_from_db()
    (table,) = tables_of(night)
    own = night.entries.get(number=order_seats(table.sides)[0])

    def look() -> list[str]:
        browsers = (Client(), desk, browser_of(own))
        return [
            *(body(browser, address(night, page)) for page in PAGES for browser in browsers),
            *(body(browser, own_address(own)) for browser in browsers),
        ]

    before = look()
    value = repository.get_value(match)
    other = another_deal(value, 0, Random(1))
    assert other is not None and other.round.hands != value.round.hands
    repository.cache_value(match.pk, match.version, other)
    assert look() == before
    assert repository.get_value(Match.objects.get()).round.hands == other.round.hands
    assert before[PAGES.index("wall/") * 3].count("<use") > MOVES  # the line is on the wall


def body(browser, path) -> str:
    """Return a page without what differs between any two: tokens and the moment."""
    text = read(browser, path)
    return re.sub(
        r'csrfmiddlewaretoken" value="[^"]*"|"X-CSRFToken": "[^"]*"|data-now="\d+"|nonce="[^"]*"', "", text
    )


def test_wall_shows_the_line_of_play_and_no_other_tile(host):
    night = make_night(host, 4)
    (match,) = begin_round(night, host)
    wall = read(Client(), address(night, "wall/"))
    assert wall.count('class="wall-turn wall-boards"') == 1
    play_to_the_end(match)
    keep(night)
    assert "wall-boards" not in read(Client(), address(night, "wall/"))
