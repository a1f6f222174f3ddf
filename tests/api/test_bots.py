"""Bots: how an account becomes one, where it plays and where not, and that it says so everywhere."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts import personal
from accounts.drawing import name_tile
from accounts.models import Rating, User
from accounts.pools import BOTS_SUFFIX, family_of, pool_name
from api import bots
from api.scopes import Scope
from events import services as events
from events.models import Entry
from events.refusals import EventRefused
from games.models import Match, Seat, Talk
from games.past.tallies import load_tally
from games.services import talk
from games.table.state_json import STATE_SCHEMA
from lobbies import services
from lobbies.models import Table
from lobbies.refusals import TableRefused
from lobbies.services.bots import MAX_RATED_PER_DAY
from nights.models import Entry as NightEntry
from nights.models import Night
from nights.open_models import Follower
from study.achievements import find_achievements
from tests.api.bots import Program, make_bot
from tests.api.test_tokens import confirmed
from tests.events.playing import open_today
from tests.games.playing import begin, on_turn, play, play_to_the_end
from tests.json_schema import find_faults
from tests.lobbies.tables import full_since, game, guest, make, names
from tests.nights.club_nights import make_club
from tests.nights.phones import make_night

pytestmark = pytest.mark.django_db
RATED = {"preset": "all-fives", "seats": 2, "clock": "300+5", "rated": "on"}
JSON = {"accept": "application/json"}


@pytest.fixture
def rex(db) -> User:
    return make_bot("rex")


@pytest.fixture
def fido(db) -> User:
    return make_bot("fido")


def begin_at(table: Table) -> Match:
    """Start the match of a full table whose people add nothing to the shuffle."""
    full_since(table, 60)
    assert services.advance(Table.objects.get(pk=table.pk), timezone.now())
    return Match.objects.get(code=table.code)


def play_rated(one: User, other: User) -> Match:
    """Play a rated match between two bots to its end."""
    match = begin_at(services.sit(services.challenge(one, other, game(rated=True)), other))
    return play_to_the_end(match)


# How an account becomes a bot


@pytest.mark.parametrize("scopes", [(Scope.PLAY,), (Scope.CHALLENGE,)])
def test_account_that_never_played_becomes_a_bot_by_its_token(alice, scopes):
    answer = Program(alice, scopes).post("/accounts/bot")
    assert (answer.status_code, answer.json()) == (200, {"name": "alice", "bot": True})
    alice.refresh_from_db()
    assert alice.is_bot


def test_token_without_the_scope_makes_no_bot(alice):
    assert Program(alice, [Scope.READ]).reason("/accounts/bot") == (403, "missing_scope")
    alice.refresh_from_db()
    assert not alice.is_bot


def test_form_of_the_tokens_page_asks_whether_one_is_sure(alice, browser_of):
    browser = browser_of(alice)
    assert "Tick that you are sure" in browser.post("/accounts/bot", follow=True).content.decode()
    alice.refresh_from_db()
    assert not alice.is_bot
    page = browser.post("/accounts/bot", {"sure": "1"}, follow=True).content.decode()
    alice.refresh_from_db()
    assert alice.is_bot
    assert "alice (bot)" in page


def test_tokens_page_offers_it_to_those_who_may(alice, bob, browser_of):
    browser = confirmed(browser_of(alice))
    assert "Make this account a bot" in browser.get("/preferences/tokens/").content.decode()
    begin(alice, bob)
    assert "Make this account a bot" not in browser.get("/preferences/tokens/").content.decode()


def test_who_has_played_or_is_at_a_night_or_in_a_club_becomes_no_bot(alice, bob, charlie, boss):
    begin(alice, "club")
    night = make_night(boss)
    NightEntry.objects.filter(night=night, number=1).update(user=charlie)
    make_club(bob)
    for user in (alice, bob, charlie):
        assert Program(user).reason("/accounts/bot") == (409, "has_played")
    assert not User.objects.filter(is_bot=True).exists()


def test_who_is_reminded_of_an_open_night_becomes_no_bot(alice, boss):
    Follower.objects.create(night=make_night(boss), user=alice)
    assert Program(alice).reason("/accounts/bot") == (409, "has_played")


def test_account_that_becomes_a_bot_while_it_sits_down_is_refused(alice, bob):
    table, sitting, making = make(bob), User.objects.get(pk=alice.pk), User.objects.get(pk=alice.pk)
    bots.become_bot(alice)
    with pytest.raises(TableRefused, match="no_bots"):
        services.sit(table, sitting)
    with pytest.raises(TableRefused, match="bots_are_private"):
        services.make_table(making, game())


def test_other_accounts_that_become_no_bot(alice, boss, rex, browser_of):
    make(alice)
    assert Program(alice).reason("/accounts/bot") == (409, "waits")
    assert Program(boss).reason("/accounts/bot") == (403, "staff")
    assert Program(rex).reason("/accounts/bot") == (409, "bot_already")
    visitor = browser_of(guest()).post("/accounts/bot", headers=JSON)
    assert (visitor.status_code, visitor.json()["reason"]) == (403, "no_account")


@pytest.mark.parametrize(("language", "word"), [("en", "bot"), ("ru", "бот"), ("es", "bot"), ("pt", "bot")])
def test_refusals_are_said_in_each_language(rex, language, word):
    error = Program(rex, language=language).post("/accounts/bot").json()["error"]
    assert word in error.lower()


def test_nothing_makes_a_bot_a_person_again(rex, boss, browser_of):
    page = browser_of(boss).get(f"/admin/accounts/user/{rex.pk}/change/").content.decode()
    assert 'name="is_bot"' not in page
    for path in ("/accounts/bot", "/preferences/"):
        browser_of(rex).post(path, {"is_bot": "", "on": "0", "sure": "0"})
    rex.refresh_from_db()
    assert rex.is_bot


# Where bots play


def test_rated_match_of_two_bots_counts_in_a_pool_of_bots_alone(rex, fido):
    match = play_rated(rex, fido)
    match.refresh_from_db()
    assert match.rated
    assert match.pool == "muggins" + BOTS_SUFFIX
    assert {each.pool for each in Rating.objects.all()} == {match.pool}
    assert family_of(match.pool) == "muggins"
    assert "bots" in pool_name(match.pool)


@pytest.mark.parametrize("is_host", [True, False])
def test_match_of_a_bot_and_a_person_is_casual(alice, rex, is_host):
    if is_host:
        table = services.make_table(rex, game(rated=True), private=True)
        assert table.rated
        table = services.sit(table, alice)
    else:
        table = services.sit(services.challenge(alice, rex, game(rated=True)), rex)
    match = begin_at(table)
    assert not match.rated
    assert match.seats.get(user=rex).rating_before is None
    play_to_the_end(match)
    assert not Rating.objects.exists()


def test_guest_may_sit_at_the_private_table_of_a_bot(rex):
    table = services.sit(services.make_table(rex, game(rated=True), private=True), guest())
    assert not begin_at(table).rated


def test_bots_with_a_clock_of_days_play_casually(rex, fido):
    table = services.challenge(rex, fido, game(rated=True, clock=(86_400, 0)))
    assert not table.rated


def test_bot_meets_nobody_by_quick_play(alice, rex):
    services.quick_play(alice, game(rated=True))
    program = Program(rex)
    assert program.reason("/play/all-fives/", seats=2) == (403, "bots_by_challenge")
    assert program.reason("/play/") == (403, "no_tokens_here")
    computers = {"seats": 2, "clock": "none", "computer": "club"}
    assert program.post("/play/all-fives/", **computers).status_code == 200


def test_bot_sits_at_no_open_table_of_people(alice, bob, rex, fido):
    program = Program(rex)
    given = make(alice, private=True)
    for table in (make(bob, rated=True), make(bob), make(alice, private=True, rated=True)):
        assert program.reason(f"/tables/{table.code}/sit") == (403, "no_bots")
    assert program.post(f"/tables/{given.code}/sit").json()["seat"] == 1
    assert Program(fido).reason(f"/tables/{services.challenge(alice, rex, game()).code}/sit")[0] == 403


def test_tables_of_bots_are_private(rex):
    program = Program(rex)
    assert program.reason("/tables/new", **RATED) == (403, "bots_are_private")
    answer = program.post("/tables/new", **RATED, private="on")
    assert answer.json()["rated"] is True
    assert Table.objects.get().private


def test_bots_challenge_bots_and_people_challenge_bots(alice, rex, fido):
    assert Program(rex).reason("/players/alice/challenge", **RATED) == (403, "bots_challenge_bots")
    assert Program(rex).post("/players/fido/challenge", **RATED).json()["rated"] is True
    assert Program(alice).post("/players/rex/challenge", **RATED).json()["rated"] is False


def test_bot_that_accepts_a_challenge_has_the_second_seat(rex, fido):
    table = services.sit(services.challenge(rex, fido, game(rated=True)), fido)
    assert names(table) == ["rex", "fido"]


def test_bot_plays_a_hundred_rated_matches_a_day(rex, fido, frozen_clock, monkeypatch):
    match = play_rated(rex, fido)
    for number in range(MAX_RATED_PER_DAY - 1):
        copy = Match.objects.get(pk=match.pk)
        copy.pk, copy.code, copy.rating_order, copy._state.adding = None, f"{number:010}", None, True
        copy.save()
        Seat.objects.create(match=copy, position=0, user=rex, kind="player", name="rex", is_bot=True, score=1)
    program = Program(rex)
    assert Program(fido).reason("/players/rex/challenge", **RATED) == (429, "rated_enough")
    refused = program.post("/players/fido/challenge", **RATED)
    assert (refused.status_code, refused.json()["reason"]) == (429, "rated_enough")
    assert 0 < int(refused["Retry-After"]) <= 86_400
    assert program.reason("/tables/new", **RATED, private="on") == (429, "rated_enough")
    assert program.reason(f"/tables/{match.code}/rematch", on=1) == (429, "rated_enough")
    with monkeypatch.context() as earlier:
        earlier.setattr("lobbies.services.bots.MAX_RATED_PER_DAY", MAX_RATED_PER_DAY + 1)
        asked = services.challenge(fido, rex, game(rated=True))
    assert program.reason(f"/tables/{asked.code}/sit") == (429, "rated_enough")
    casual = RATED | {"rated": ""}
    assert program.post("/players/fido/challenge", **casual).status_code == 200
    Match.objects.update(started_at=timezone.now() - timedelta(days=1))
    assert program.post("/players/fido/challenge", **RATED).status_code == 200


def test_hundred_and_first_match_that_begins_at_once_is_casual(rex, fido, monkeypatch):
    table = services.sit(services.challenge(rex, fido, game(rated=True)), fido)
    monkeypatch.setattr("lobbies.services.bots.MAX_RATED_PER_DAY", 0)
    assert not begin_at(table).rated


def test_bots_play_a_rated_rematch(rex, fido):
    match = play_rated(rex, fido)
    table = services.offer_rematch(match, rex)
    again = begin_at(services.sit(table, fido))
    assert (again.rated, again.pool) == (True, match.pool)


def test_bot_begins_no_deal_of_the_day(rex, browser_of):
    deals = open_today()
    answer = browser_of(rex).post("/daily/start", headers=JSON)
    assert (answer.status_code, answer.json()["reason"]) == (403, "bots")
    with pytest.raises(EventRefused):
        events.start(deals, rex, timezone.now())
    assert not Entry.objects.exists()
    assert Program(rex).reason("/daily/start") == (403, "no_tokens_here")


def test_bot_takes_no_part_in_nights_and_clubs(boss, rex, browser_of):
    night = make_night(boss)
    browser = browser_of(rex)
    added = browser.post(f"/nights/{night.code}/people", {"name": "rex"}, headers=JSON)
    assert (added.status_code, added.json()["reason"]) == (403, "bot")
    club = make_club(boss, is_open=True)
    joined = browser.post(f"/clubs/{club.slug}/join", headers=JSON)
    assert (joined.status_code, joined.json()["reason"]) == (403, "bot")
    before = Night.objects.count()
    fields = {
        "name": "Friday",
        "start": "2099-11-27T20:30",
        "zone": "UTC",
        "preset": "dominican",
        "weekly": "",
    }
    fields |= {"format": "partners", "draw": "rotate", "where": "wood", "rounds": "3", "hands": "4"}
    fields |= {"last": "hand", "out": "half", "audience": "unlisted"}
    assert Program(rex).reason("/nights/new", **fields) == (403, "bot")
    assert Night.objects.count() == before


def test_programs_of_people_move_against_computers_alone(alice, bob, rex):
    match = begin(alice, bob)
    while on_turn(match).user != alice:
        match = play(match)
    move = {"move": "draw", "version": match.version}
    assert Program(alice).reason(f"/games/{match.code}/move", **move) == (403, "bots_only")
    assert bots.may_move(rex, match.code)


def test_bot_moves_with_its_token(alice, rex):
    match = begin(alice, rex)
    while on_turn(match).user != rex:
        match = play(match)
    program = Program(rex)
    state = program.get(f"/games/{match.code}/state.json").json()
    answer = program.post(f"/games/{match.code}/move", move=state["legal"][0], version=state["version"])
    assert answer.json()["version"] == state["version"] + 1


# What people see


def test_bot_says_so_at_every_place(alice, rex, browser_of):
    table = services.challenge(alice, rex, game())
    browser = browser_of(alice)
    assert "rex (bot)" in browser.get(f"/tables/{table.code}/").content.decode()
    match = begin_at(services.sit(table, rex))
    talk.say(match=match, user=rex, seat=match.seats.get(user=rex), text="hello")
    pages = [f"/games/{match.code}/", "/players/rex/", "/players/?q=rex"]
    for path in pages:
        assert "rex (bot)" in browser.get(path).content.decode(), path
    assert Talk.objects.get().display_name == "rex (bot)"
    seats = browser.get(f"/games/{match.code}/state.json").json()["seats"]
    assert ["bot" in seat for seat in seats] == [False, True]
    assert find_faults(browser.get(f"/games/{match.code}/state.json").json(), STATE_SCHEMA) == []
    match = play_to_the_end(match)
    for path in (f"/games/{match.code}/", f"/games/{match.code}/replay/", "/players/alice/"):
        assert "rex (bot)" in browser.get(path).content.decode(), path


def test_word_for_a_bot_is_of_the_readers_language(alice, rex, browser_of):
    match = begin(alice, rex)
    page = browser_of(alice).get(f"/games/{match.code}/", headers={"accept-language": "ru"})
    assert "rex (бот)" in page.content.decode()


def test_tile_of_a_bot_is_that_of_its_name():
    assert name_tile("rex (bot)") == name_tile("rex (бот)") == name_tile("rex")


def test_leaderboards_of_bots_say_so(rex, fido, browser_of):
    play_rated(rex, fido)
    browser = browser_of()
    page = browser.get(f"/leaderboard/muggins{BOTS_SUFFIX}/").content.decode()
    assert "rex (bot)" in page and "fido (bot)" in page
    assert "rex" not in browser.get("/leaderboard/muggins/").content.decode()
    everything = browser.get("/leaderboard/").content.decode()
    assert "All Fives, bots" in everything and "rex (bot)" in everything
    assert "rex</a>" not in everything and "fido</a>" not in everything  # the week's best are people


def test_finished_matches_keep_the_word_when_the_account_is_deleted(alice, rex):
    match = play_to_the_end(begin(alice, rex))
    personal.delete(rex)
    seat = match.seats.get(is_bot=True)
    assert seat.display_name == "deleted player (bot)"


def test_bots_are_no_people_in_tallies_and_achievements(alice, rex, fido):
    match = begin(rex, alice)
    while on_turn(match).user != rex:
        match = play(match)
    play_to_the_end(play(match, "resign"))
    assert (load_tally(alice).matches, load_tally(alice).among_people) == (1, 0)
    assert "beat-people" not in {each.key for each in find_achievements(alice)}
    assert find_achievements(rex) == []


# What programs meet


def test_form_without_a_token_is_asked_for_one():
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post("/tables/new", RATED, headers=JSON)
    assert (answer.status_code, answer.json()["reason"]) == (401, "no_token")
    assert answer["WWW-Authenticate"].startswith("Bearer")
    assert strict.post("/tables/new", RATED).status_code == 403


def test_wrong_method_is_refused_in_json():
    plain = Client().get("/tables/abcdefghij/sit", headers=JSON)
    assert (plain.status_code, plain.json()["reason"], plain["Allow"]) == (405, "method", "POST")
