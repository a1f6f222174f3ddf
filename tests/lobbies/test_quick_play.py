"""Quick play: down at a fitting table at once, or waiting until somebody fits."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Rating, User
from boneyard.engine.shuffle import commitment_to
from games.models import Match
from lobbies import pairing, services
from lobbies.models import Table
from tests.games.playing import begin
from tests.lobbies.tables import game, guest, make, names, waited
from tests.site.configuring import configure

JSON = {"Accept": "application/json"}


def rate(user: User, value: float) -> None:
    Rating.objects.update_or_create(user=user, pool="muggins", defaults={"value": value, "matches": 40})


def rated(seats: int = 2, preset: str = "all-fives"):
    return game(preset, seats, rated=True)


def test_second_player_joins_first(alice, bob, browser_of):
    answer = browser_of(alice).post("/play/all-fives/", {"seats": "2", "clock": "300+5"})
    table = Table.objects.get()
    assert (answer.status_code, answer.url) == (303, f"/tables/{table.code}/")
    assert (table.rated, table.clock, table.quick, table.private) == (True, (300, 5), True, False)
    answer = browser_of(bob).post("/play/all-fives/", {"seats": "2", "clock": "300+5"})
    assert answer.url == f"/tables/{table.code}/"
    assert names(table) == ["alice", "bob"]


@pytest.mark.parametrize(
    "other",
    [
        {"seats": "3", "clock": "300+5"},
        {"seats": "2", "clock": "600+5"},
        {"seats": "2", "clock": "180+3"},
    ],
)
def test_clock_and_seats_separate_games(alice, bob, browser_of, other):
    browser_of(alice).post("/play/all-fives/", {"seats": "2", "clock": "300+5"})
    browser_of(bob).post("/play/all-fives/", other)
    assert Table.objects.count() == 2


def test_presets_are_separate(alice, bob):
    assert services.quick_play(alice, rated()) != services.quick_play(bob, rated(preset="draw"))


def test_guests_play_casual(alice, browser_of):
    services.quick_play(alice, rated())
    one, other = browser_of(), browser_of()
    one.post("/play/all-fives/", {"seats": "2"})
    other.post("/play/all-fives/", {"seats": "2"})
    table = Table.objects.get(rated=False)
    assert [sitting.user.is_guest for sitting in table.sittings.all()] == [True, True]


def test_guests_join_casual_tables(alice, browser_of):
    table = make(alice)
    answer = browser_of().post("/play/all-fives/", {"seats": "2"})
    assert answer.url == f"/tables/{table.code}/"


def test_handmade_open_tables_fit(alice, bob, charlie):
    table = make(alice, seats=3, rated=True)
    assert services.quick_play(bob, rated(3)) == table
    assert services.quick_play(charlie, rated(3)) == table


@pytest.mark.parametrize("about", [{"private": True}, {"claims": "muggins"}, {"target": 150}])
def test_private_and_house_rules_do_not_fit(alice, bob, about):
    table = make(alice, **about)
    assert services.quick_play(bob, game()) != table


@pytest.mark.usefixtures("full_crowd")
def test_nearest_rating_is_chosen(alice, bob, charlie, db):
    for who, rating in ((alice, 1540), (bob, 1430), (charlie, 1500)):
        rate(who, rating)
    services.quick_play(alice, rated())
    far = services.quick_play(bob, rated(3))
    Table.objects.filter(pk=far.pk).update(seats=2)
    assert services.quick_play(charlie, rated()).host == alice


@pytest.mark.usefixtures("full_crowd")
def test_search_widens_with_time(alice, bob):
    rate(alice, 1500)
    rate(bob, 1750)
    older, younger = services.quick_play(alice, rated()), services.quick_play(bob, rated())
    assert older != younger
    waited(older, 14)
    waited(younger, 2)
    services.sweep(timezone.now())
    assert names(older) == ["alice", ""]
    waited(older, 16)
    services.sweep(timezone.now())
    assert names(older) == ["alice", "bob"]
    younger.refresh_from_db()
    assert (younger.status, younger.moved_to) == (Table.Status.CLOSED, older.code)


@pytest.mark.usefixtures("full_crowd")
def test_later_player_finds_widened_table(alice, bob):
    rate(alice, 1500)
    rate(bob, 1750)
    table = services.quick_play(alice, rated())
    waited(table, 16)
    assert services.quick_play(bob, rated()) == table


@pytest.mark.usefixtures("full_crowd")
def test_merged_table_redirects_page(alice, bob, browser_of):
    rate(bob, 1750)
    older, younger = services.quick_play(alice, rated()), services.quick_play(bob, rated())
    services.commit(younger, bob, commitment_to("old"))
    waited(older, 60)
    services.sweep(timezone.now())
    assert browser_of(bob).get(f"/tables/{younger.code}/").url == f"/tables/{older.code}/"
    led = browser_of(bob).get(f"/tables/{younger.code}/go")
    assert led.headers["HX-Redirect"] == f"/tables/{older.code}/"
    # What was committed to under the other table's seal does not count here.
    assert older.sittings.get(user=bob).commitment is None


@pytest.mark.usefixtures("full_crowd")
def test_four_seat_tables_are_merged(alice, bob, charlie, db):
    dora = User.objects.create_user("dora")
    for who, rating in ((alice, 1500), (bob, 1500), (charlie, 1900), (dora, 1900)):
        rate(who, rating)
    four = rated(4, "sebastopol")
    for who in (alice, bob, charlie, dora):
        Rating.objects.update_or_create(
            user=who, pool="sebastopol-pairs", defaults={"value": 1500 if who in (alice, bob) else 1900}
        )
    older = services.quick_play(alice, four)
    services.quick_play(bob, four)
    younger = services.quick_play(charlie, four)
    services.quick_play(dora, four)
    assert [names(table) for table in (older, younger)] == [
        ["alice", "bob", "", ""],
        ["charlie", "dora", "", ""],
    ]
    waited(older, 31)
    services.sweep(timezone.now())
    older.refresh_from_db()
    assert names(older) == ["alice", "bob", "charlie", "dora"]
    assert older.full_at is not None


@pytest.mark.parametrize("comes_by_link", [True, False])
def test_who_was_seated_by_quick_play_is_stored(alice, bob, comes_by_link):
    table = services.quick_play(alice, rated())
    services.sit(table, bob) if comes_by_link else services.quick_play(bob, rated())
    quick = dict(table.sittings.values_list("user__username", "quick"))
    assert quick == {"alice": True, "bob": not comes_by_link}


def test_repeat_waits_at_same_table(alice):
    assert services.quick_play(alice, rated()) == services.quick_play(alice, rated())
    assert Table.objects.count() == 1


def test_other_game_moves_the_wait(alice):
    first = services.quick_play(alice, rated())
    second = services.quick_play(alice, rated(preset="draw"))
    first.refresh_from_db()
    assert (first.status, second.open) == (Table.Status.CLOSED, True)


def test_joined_player_is_redirected(alice, bob):
    first = services.quick_play(alice, rated())
    services.sit(first, bob)
    assert services.quick_play(alice, rated(preset="draw")) == first


def test_computer_match_starts_with_nonce(alice, browser_of):
    fields = {"seats": "4", "computer": "club", "commitment": commitment_to("a")}
    browser_of(alice).post("/play/sebastopol/", fields)
    table = Table.objects.get()
    assert (names(table), table.rated, table.private) == (["alice", "club", "club", "club"], False, True)
    assert table.committed_at is not None
    browser_of(alice).post(f"/tables/{table.code}/nonce", {"nonce": "a"})
    assert Match.objects.get().code == table.code


def test_computer_match_without_commitment_starts_at_once(alice):
    services.quick_play(alice, game(), "strong")
    assert Match.objects.get().seats.get(position=1).level == "strong"


def test_preset_as_form_field(browser_of, db):
    browser_of().post("/play/", {"preset": "draw", "computer": "beginner"})
    assert Table.objects.get().preset == "draw"


def test_anonymous_quick_play_creates_guest(browser_of, db):
    browser = browser_of()
    browser.post("/play/draw/", {"seats": "2"})
    assert str(Table.objects.get().host_id) == browser.session["_auth_user_id"]
    assert Table.objects.get().host.is_guest


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"seats": "7"}, "Players: this game is played with 2, 3, 4."),
        ({"clock": "soon"}, "Clock: write it as 300+5"),
        ({"computer": "godlike"}, "Computers: there is none called godlike"),
    ],
)
def test_invalid_input_is_refused(alice, browser_of, fields, sentence):
    told = browser_of(alice).post("/play/draw/", fields, headers=JSON)
    assert (told.status_code, told.json()["reason"]) == (422, "invalid")
    assert sentence in told.json()["error"]
    assert sentence in browser_of(alice).post("/play/draw/", fields, follow=True).content.decode()
    assert not Table.objects.exists()


def test_unknown_game_is_404(browser_of, db):
    assert browser_of().post("/play/chess/").status_code == 404
    assert browser_of().post("/play/", {"seats": "2"}).status_code == 404
    assert browser_of().get("/play/draw/").status_code == 405
    assert not User.objects.exists()


def test_banned_user_is_refused(alice, browser_of):
    browser = browser_of(alice)
    User.objects.filter(pk=alice.pk).update(banned_at=timezone.now())
    told = browser.post("/play/draw/", headers=JSON)
    assert told.status_code in (302, 303, 403)
    assert not Table.objects.exists()


def test_guests_fit_everybody(bob):
    table = services.quick_play(guest(), game())
    rate(bob, 2300)
    assert services.quick_play(bob, game()) == table


@pytest.mark.usefixtures("full_crowd")
def test_absent_player_is_not_merged(alice, bob):
    rate(bob, 1750)
    older, younger = services.quick_play(alice, rated()), services.quick_play(bob, rated())
    waited(older, 300)
    older.sittings.update(seen_at=timezone.now() - timedelta(seconds=61))
    services.sweep(timezone.now())
    older.refresh_from_db()
    assert older.status == Table.Status.CLOSED
    assert names(younger) == ["bob", ""]


def test_lone_waiter_may_fill_with_computers(alice, browser_of):
    table = services.quick_play(alice, rated(4, "dominican"))
    page = browser_of(alice).get(f"/tables/{table.code}/").content.decode()
    assert "Start with computers" in page
    answer = browser_of(alice).post(f"/tables/{table.code}/computers")
    assert answer.status_code == 303
    table.refresh_from_db()
    assert (table.rated, table.private, table.full_at is not None) == (False, True, True)
    assert [sitting.level for sitting in table.sittings.order_by("position")] == ["", "club", "club", "club"]
    assert "Start with computers" not in browser_of(alice).get(f"/tables/{table.code}/").content.decode()


def test_rated_wait_cannot_be_filled(alice, bob, browser_of):
    table = services.quick_play(alice, rated(4, "dominican"))
    services.quick_play(bob, rated(4, "dominican"))
    assert names(table)[:2] == ["alice", "bob"]
    for person in (alice, bob):
        answer = browser_of(person).post(f"/tables/{table.code}/computers", headers=JSON)
        assert (answer.status_code, answer.json()["reason"]) == (403, "waits_for_people")
    table.refresh_from_db()
    assert table.rated and table.sittings.count() == 2


def test_filled_table_starts_with_nonce(alice, browser_of):
    table = services.quick_play(alice, rated(4, "dominican"))
    services.commit(table, alice, commitment_to("ab"))
    services.fill_with_computers(table, alice)
    services.give_nonce(table, alice, "ab")
    match = Match.objects.get(code=table.code)
    assert (match.rated, match.seats.filter(kind="computer").count()) == (False, 3)


@pytest.mark.django_db
def test_longest_waiter_may_fill_casual_table(browser_of):
    one, other, third = browser_of(), browser_of(), browser_of()
    for browser in (one, other):
        browser.post("/play/dominican/", {"seats": "4"})
    table = Table.objects.get()
    path = f"/tables/{table.code}/computers"
    assert third.post(path, headers=JSON).json()["reason"] == "not_seated"
    assert other.post(path, headers=JSON).json()["reason"] == "waits_for_people"
    one.post(path)
    assert [sitting.level for sitting in table.sittings.order_by("position")] == ["", "", "club", "club"]
    assert one.post(path, headers=JSON).json()["reason"] == "full"


@pytest.mark.parametrize("private", [True, False])
def test_host_of_casual_table_may_fill_it(alice, bob, browser_of, private):
    table = make(alice, "dominican", 4, private=private)
    services.sit(table, bob, 2)
    path = f"/tables/{table.code}/"
    assert "Start with computers" not in browser_of(bob).get(path).content.decode()
    assert browser_of(bob).post(f"{path}computers", headers=JSON).json()["reason"] == "waits_for_people"
    assert "Start with computers" in browser_of(alice).get(path).content.decode()
    browser_of(alice).post(f"{path}computers")
    assert names(table) == ["alice", "club", "bob", "club"]
    assert Table.objects.get().private == private


@pytest.mark.parametrize("kind", ["rated", "challenge"])
def test_table_for_people_cannot_be_filled(alice, bob, browser_of, kind):
    if kind == "rated":
        table = services.make_table(alice, rated(4, "dominican"))
    else:
        table = services.challenge(alice, bob, game("draw"))
    answer = browser_of(alice).post(f"/tables/{table.code}/computers", headers=JSON)
    assert (answer.status_code, answer.json()["reason"]) == (403, "waits_for_people")


@pytest.mark.parametrize(
    ("wait", "people", "reach"),
    [(0, 50, 100), (30, 50, 400), (0, 500, 100), (0, 20, 250), (30, 20, 1000), (0, 5, 1000), (0, 0, 5000)],
)
def test_reach_grows_with_the_wait_and_in_a_small_crowd(wait, people, reach):
    assert pairing.compute_reach(wait, people) == reach


def test_few_people_meet_whatever_their_ratings(alice, bob):
    rate(alice, 1200)
    rate(bob, 2000)
    table = services.quick_play(alice, rated())
    assert services.quick_play(bob, rated()) == table


def test_people_who_wait_or_play_are_counted(alice, bob, charlie):
    begin(alice, bob, rated=True)
    services.quick_play(charlie, rated())
    assert pairing.count_people("all-fives", 2, True) == 3
    assert pairing.count_people("all-fives", 2, False) == 0


@pytest.mark.parametrize("press", ["/play/", "/play/draw/"])
def test_quick_play_says_in_the_lobby_why_it_refuses_during_maintenance(alice, browser_of, press):
    configure(maintenance=True, maintenance_text={"en": "Back at noon."})
    for browser in (browser_of(alice), browser_of()):
        answer = browser.post(press, {"ask": "1"}, follow=True)
        assert answer.redirect_chain == [("/", 303)]
        messages = answer.content.decode().partition('id="messages"')[2].partition("</div>")[0]
        assert "Back at noon." in messages
    answer = browser_of(alice).post(press, headers=JSON)
    assert (answer.status_code, answer.json()["reason"]) == (503, "maintenance")
    assert not Table.objects.exists()
