"""Tables with a clock of days: their people need not be here at the same time."""

from datetime import timedelta

import pytest
from django.utils import timezone

from boneyard.engine.shuffle import commitment_to
from games.models import Match
from lobbies import context, lists, offers, seating, services, strip
from lobbies.models import Sitting, Table
from lobbies.notices import find_own_places
from lobbies.pairing import load_seeker
from lobbies.refusals import TableRefused
from lobbies.services import rows
from tests.games.playing import begin, on_turn, play, play_and_resign
from tests.lobbies.tables import full_since, game, guest, make, start_without_nonces, unseen, waited
from tests.times import later

pytestmark = pytest.mark.django_db
ONE_DAY = (86_400, 0)
NONCES = "alices0characters0", "bobs0characters0"


def sweep(seconds: float = 0) -> None:
    services.sweep(timezone.now() + timedelta(seconds=seconds))


@pytest.mark.parametrize(("clock", "days"), [("1d", 1), ("3d", 3), ("7d", 7)])
def test_form_takes_clocks_of_days(alice, browser_of, clock, days):
    browser_of(alice).post("/tables/new", {"preset": "all-fives", "seats": "2", "clock": clock})
    table = Table.objects.get()
    assert (table.days, table.clock) == (days, (days * 86_400, 0))
    assert f"{days} day" in browser_of().get("/").content.decode()


@pytest.mark.parametrize("clock", ["2d", "0d", "d", "1d+5", "86400+0"])
def test_other_clocks_are_refused(alice, browser_of, clock):
    answer = browser_of(alice).post("/tables/new", {"preset": "all-fives", "seats": "2", "clock": clock})
    assert answer.status_code == 422


def test_form_offers_days_except_where_points_are_called(browser_of):
    offered = browser_of().get("/tables/new?preset=all-fives").content.decode()
    called = browser_of().get("/tables/new?preset=muggins-200").content.decode()
    assert 'value="3d"' in offered and 'value="3d"' not in called


@pytest.mark.parametrize("address", ["/tables/new", "/play/muggins-200/"])
def test_called_points_do_not_go_with_days(alice, browser_of, address):
    sent = {"preset": "muggins-200", "seats": "2", "clock": "1d"}
    answer = browser_of(alice).post(address, sent, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["reason"]) == (422, "invalid")
    assert "called" in answer.json()["error"]


def test_seat_is_kept_while_its_person_is_away(alice, browser_of):
    table = make(alice, clock=ONE_DAY)
    unseen(table, alice, 3 * 86_400)
    waited(table, 3 * 86_400)
    sweep()
    assert Table.objects.get().open
    page = browser_of(alice).get(f"/tables/{table.code}/").content.decode()
    assert "You may close this page" in page
    waited(table, 7 * 86_400 + 60)
    sweep()
    assert Table.objects.get().status == Table.Status.CLOSED


def test_challenge_waits_for_days(alice, bob):
    services.challenge(alice, bob, game(clock=ONE_DAY))
    table = Table.objects.get()
    waited(table, 86_400)
    sweep()
    assert Table.objects.get().open
    services.sit(table, bob)


def test_match_starts_without_the_one_who_is_away(alice, bob):
    table = make(alice, clock=ONE_DAY)
    services.commit(table, alice, commitment_to(NONCES[0]))
    unseen(table, alice, 86_400)
    services.sit(table, bob, commitment=commitment_to(NONCES[1]))
    assert Table.objects.get().committed_at is None, "alice may have a page that answers"

    full_since(table, 6)
    Sitting.objects.filter(user=bob).update(socket_at=timezone.now())
    sweep()
    assert [s.commitment for s in Sitting.objects.at(table)] == ["", commitment_to(NONCES[1])]
    services.give_nonce(table, bob, NONCES[1])

    match = Match.objects.get()
    assert (match.entropy, match.commitments) == (f".{NONCES[1]}", [None, commitment_to(NONCES[1])])


def test_person_with_a_page_takes_part_in_the_shuffle(alice, bob):
    table = make(alice, clock=ONE_DAY)
    services.commit(table, alice, commitment_to(NONCES[0]))
    unseen(table, alice, 86_400)
    services.sit(table, bob, commitment=commitment_to(NONCES[1]))
    services.record_socket(Sitting.objects.waiting(alice.pk))
    services.advance(table, timezone.now())
    for person, nonce in zip((alice, bob), NONCES, strict=True):
        services.give_nonce(table, person, nonce)
    assert Match.objects.get().entropy == ".".join(NONCES)


def test_person_without_reveal_keeps_the_seat_and_adds_nothing(alice, bob):
    table = make(alice, clock=ONE_DAY)
    services.commit(table, alice, commitment_to(NONCES[0]))
    services.sit(table, bob, commitment=commitment_to(NONCES[1]))
    services.give_nonce(table, bob, NONCES[1])
    seal = Table.objects.get().seal
    with later(seconds=30):
        sweep()
        row = Table.objects.get()
        assert (row.open, row.reseals, row.seal != seal) == (True, 1, True)
        alice.refresh_from_db()
        assert alice.unrevealed == 1
        services.commit(table, bob, commitment_to("another0nonce"))
        services.give_nonce(table, bob, "another0nonce")
    assert Match.objects.get().entropy == ".another0nonce"


def test_refusing_to_reveal_again_and_again_costs_the_seat(alice, bob):
    table = make(alice, clock=ONE_DAY)
    services.commit(table, alice, commitment_to(NONCES[0]))
    services.sit(table, bob, commitment=commitment_to(NONCES[1]))
    for number in range(4):
        with later(seconds=30 * (number + 1)):
            sweep()
            Sitting.objects.filter(table=table).update(socket_at=timezone.now())
            for person, commitment in (alice, commitment_to(NONCES[0])), (bob, ""):
                row = Table.objects.get()
                if row.open and row.committed_at is None:
                    services.commit(table, person, commitment)
    assert Table.objects.get().status == Table.Status.CLOSED and not Match.objects.exists()


def test_quick_play_of_days_finds_people_who_are_away(alice, bob, browser_of):
    browser_of(alice).post("/play/all-fives/", {"seats": "2", "clock": "1d"})
    unseen(Table.objects.get(), alice, 86_400)
    sweep()
    browser_of(bob).post("/play/all-fives/", {"seats": "2", "clock": "1d"})
    assert Sitting.objects.count() == 2 and Table.objects.count() == 1


def test_waits_of_days_and_live_ones_do_not_end_each_other(alice, bob):
    services.quick_play(alice, game(clock=ONE_DAY))
    services.quick_play(alice, game("draw", clock=ONE_DAY))
    services.quick_play(alice, game())
    assert len(Sitting.objects.waiting(alice.pk)) == 3
    table = Table.objects.get(clock_seconds=300)
    services.sit(table, bob)
    start_without_nonces(table, alice, bob)
    assert len(Sitting.objects.waiting(alice.pk)) == 2, "a live match leaves the tables of days"
    assert services.quick_play(alice, game(clock=ONE_DAY)) == Table.objects.get(
        clock_seconds=86_400, preset="all-fives"
    )


def test_suggestions_name_no_clock_of_days(alice, bob):
    services.quick_play(alice, game(clock=ONE_DAY))
    assert not list(seating.find_joinable(load_seeker(bob, timezone.now()), seating.load_tables()))
    play_and_resign(begin(alice, bob, clock=ONE_DAY))
    assert all(tile.clock.count("+") == 1 for tile in offers.own_and_usual_games(alice)[0])


def test_number_of_matches_of_days_is_limited(alice, bob, settings, monkeypatch):
    settings.LIMITS = True
    monkeypatch.setattr(rows, "MAX_DAY_GAMES", 5)
    for number in range(4):
        make(alice, "draw" if number % 2 else "block", clock=ONE_DAY)
    begin(alice, bob, clock=ONE_DAY)
    with pytest.raises(TableRefused) as refused:
        make(alice, clock=ONE_DAY)
    assert refused.value.reason == "too_many_day_games" and refused.value.sentence
    make(alice), make(alice)


def test_rematch_waits_and_its_opponent_is_told_elsewhere(alice, bob, browser_of):
    match = play_and_resign(begin(alice, bob, clock=ONE_DAY))
    table = services.offer_rematch(match, alice)
    unseen(table, alice, 86_400)
    sweep()
    assert Table.objects.get().open
    page = browser_of(bob).get("/rules/").content.decode()
    assert "alice wants a rematch" in page and f"/tables/{match.code}/rematch" in page
    assert "wants a rematch" not in browser_of(alice).get("/rules/").content.decode()
    result = browser_of(bob).get(match.get_absolute_url()).content.decode()  # offers it itself
    assert result.partition('id="challenges"')[2].partition("</div>")[0].count("rematch") == 0
    assert "alice wants a rematch" not in context.notices(bob, "", match.code)

    browser_of(bob).post(f"/tables/{match.code}/rematch", {"on": "1"})
    full_since(table, 6)
    sweep()
    assert Match.objects.get(code=table.code).days == 1


# The strip and the lists


def test_strip_has_a_match_of_days_on_ones_own_turn_only(alice, bob, browser_of):
    match = begin(alice, bob, clock=ONE_DAY)
    mine = on_turn(match).user
    other = bob if mine == alice else alice
    assert f"/games/{match.code}/" in browser_of(mine).get("/rules/").content.decode()
    assert f"/games/{match.code}/" not in browser_of(other).get("/rules/").content.decode()


def test_strip_counts_the_matches_on_ones_own_turn(alice, bob, charlie):
    matches = [begin(alice, bob, seed=f"deal {number}", clock=ONE_DAY) for number in range(4)]
    running = [seat for match in matches for seat in match.seats.filter(user=alice)]
    turns = sum(on_turn(match).user_id == alice.pk for match in matches)
    built = strip.build_strip(alice, "", running)
    assert built.turns == turns and f'data-turns="{turns}"' in strip.render(built)


def test_own_turns_come_first_in_the_lobby(alice, bob):
    matches = [begin(alice, bob, seed=f"deal {number}", clock=ONE_DAY) for number in range(4)]
    for match in matches[:2]:
        while on_turn(match).user_id != alice.pk:
            play(match)
    states = [own.entry.state for own in find_own_places(alice)]
    assert states == sorted(states, key=("turn", "theirs").index) and "turn" in states


def test_table_of_days_has_no_strip_but_its_shuffle(alice):
    make(alice, clock=ONE_DAY)
    built = strip.build_strip(alice, "", [])
    assert built.entry is None and len(built.shuffles) == 1
    assert lists.list_waiting_places(Sitting.objects.waiting(alice.pk)) == []
    assert [own.code for own in find_own_places(alice)] == [Table.objects.get().code]


def test_guests_play_matches_of_days(browser_of):
    table = make(guest(), clock=ONE_DAY)
    services.sit(table, guest("other-owl-8"))
    full_since(table, 6)
    sweep()
    assert Match.objects.get().days == 1
