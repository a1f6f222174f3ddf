"""The numbers of the lobby: whom a press would seat its reader with, and what it asks."""

import random
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import relations
from accounts.models import Rating, User
from boneyard.engine.presets import PRESETS
from lobbies import seating, services
from lobbies.models import Table
from lobbies.offers import QUICK, QuickGame, may_play_rated
from lobbies.pairing import VISITOR, load_seeker
from tests.html import read_page
from tests.lobbies.tables import game, guest, make, names

pytestmark = pytest.mark.django_db

DRAW = QuickGame("draw", clock="180+3")


def offer(user: User | None, quick: QuickGame = DRAW) -> seating.Offer:
    now = timezone.now()
    seeker = load_seeker(user, now) if user else VISITOR
    return seating.find_offer(seeker, quick, seating.load_tables(), now)


def wait(user: User, quick: QuickGame = DRAW) -> Table:
    return services.quick_play(user, quick.as_game(rated=may_play_rated(user)))


def test_press_counts_those_at_its_own_table(alice, bob, charlie):
    wait(alice, QuickGame("draw", 3, "180+3"))
    wait(bob, QuickGame("draw", 3, "180+3"))
    assert (offer(charlie, QuickGame("draw", 3, "180+3")).words, offer(None).words) == (
        "2 waiting",
        "2 waiting, rated",
    )
    found = offer(charlie)
    assert (found.table, found.people, found.words) == (None, 2, "2 waiting in threes")


def test_own_seat_does_not_count(alice, bob):
    wait(alice)
    assert offer(alice).people == 0
    assert offer(bob).people == 1


@pytest.mark.parametrize(
    ("quick", "words"),
    [
        (QuickGame("draw", 4, "180+3"), "1 waiting in fours"),
        (QuickGame("draw", 2, "600+5"), "1 waiting, 10 + 5"),
    ],
)
def test_other_shape_is_named(alice, bob, quick, words):
    wait(alice, quick)
    assert offer(bob).words == words


def test_other_target_is_named(alice, bob):
    make(alice, "draw", rated=True, clock=(180, 3), target=150)
    assert offer(bob).words == "1 waiting, first past 150"


def test_felt_says_the_target_of_the_table_that_it_offers(alice, bob, browser_of):
    make(alice, "draw", 3, rated=True, clock=(180, 3), target=50)
    shown = browser_of(bob).get("/?preset=draw").content.decode()
    felt = shown.partition('id="felt"')[2].partition("</section>")[0]
    assert "alice is waiting to play Draw in threes" in felt
    assert "3 players, first past 50, " in felt


def test_casual_table_is_named_to_members(bob):
    wait(guest())
    assert offer(bob).words == "1 waiting, casual"


@pytest.mark.parametrize("seats", [2, 3])
def test_guest_reads_who_waits_for_a_rated_match(alice, browser_of, seats):
    wait(alice, QuickGame("draw", seats, "180+3"))
    found = offer(guest())
    assert (found.table, found.otherwise, found.words) == (None, None, "1 waiting, rated")
    for browser in (browser_of(), browser_of(guest("quiet-crane-2"))):
        felt = read_page(browser, "/?preset=draw").partition('id="felt"')[2].partition("</section>")[0]
        assert "alice is waiting for a rated match: Draw" in felt
        assert 'href="/accounts/signup/">Sign up to join' in felt
        assert "Nobody" not in felt and "Join alice" not in felt


def test_barred_person_is_not_told_to_sign_up(alice, bob):
    wait(alice)
    User.objects.filter(pk=bob.pk).update(unrated_until=timezone.now() + timedelta(days=1))
    assert offer(User.objects.get(pk=bob.pk)).people == 0


@pytest.mark.usefixtures("full_crowd")
def test_far_rating_is_named(alice, bob):
    Rating.objects.create(user=alice, pool="draw", value=2100, matches=40)
    wait(alice)
    assert offer(bob).words == "1 waiting, rated 2100"


def test_blocked_people_do_not_count(alice, bob):
    wait(alice)
    relations.set_relation(alice, bob, "block", True)
    assert offer(bob).people == 0


def test_house_rules_private_tables_and_days_do_not_count(alice, bob, settings):
    settings.LIMITS = False
    make(alice, "draw", private=True)
    make(alice, "draw", target=777)
    make(alice, "draw", clock=(86_400, 0))
    assert offer(bob).people == 0


def test_press_asks_where_people_wait_otherwise(alice, browser_of, bob):
    threes = wait(alice, QuickGame("draw", 3, "180+3"))
    browser, form = browser_of(bob), {"seats": "2", "clock": "180+3", "ask": "1"}
    assert browser.post("/play/draw/", form).url == "/?preset=draw"
    assert Table.objects.count() == 1
    page = browser.get("/?preset=draw").content.decode()
    assert f'action="/tables/{threes.code}/sit"' in page
    assert "Join alice" in page and "Wait at a table for two" in page
    assert browser.post("/play/draw/", {"seats": "2", "clock": "180+3"}).url != f"/tables/{threes.code}/"


def test_sitting_down_elsewhere_ends_the_wait(alice, bob, browser_of):
    own, other = wait(bob), wait(alice, QuickGame("draw", 3, "180+3"))
    page = browser_of(bob).get(f"/tables/{own.code}/").content.decode()
    assert f'action="/tables/{other.code}/sit"' in page and "in threes" in page
    browser_of(bob).post(f"/tables/{other.code}/sit")
    own.refresh_from_db()
    assert (own.status, names(other)) == (Table.Status.CLOSED, ["alice", "bob", ""])


def test_table_without_a_clock_is_named_to_who_waits(alice, bob, browser_of):
    own = wait(bob)
    make(alice, "draw", 3, clock=None)
    shown = browser_of(bob).get(f"/tables/{own.code}/").content.decode()
    assert "no clock" in shown.partition("in threes")[2]


def test_waiting_people_move_to_a_table_of_their_game(alice, bob):
    waiting = wait(alice)
    made = services.make_table(bob, game("draw", rated=True, clock=(180, 3)))
    services.sweep(timezone.now())
    assert names(made) == ["bob", "alice"]
    waiting.refresh_from_db()
    assert waiting.moved_to == made.code


@pytest.mark.parametrize("seed", range(8))
def test_number_is_whom_the_press_seats_with(db, seed, settings):
    """A property: whatever waits, quick play does what the offer says."""
    settings.LIMITS = False
    draw = random.Random(seed)
    games = [*QUICK["en"][:5], QuickGame("draw", 3, "180+3"), QuickGame("all-fives", 3)]
    for number in range(20):
        user = User.objects.create_user(f"p{number}", is_guest=draw.random() < 0.3)
        for preset in ("draw", "all-fives", "block"):
            if not user.is_guest and draw.random() < 0.5:
                pool = PRESETS[preset].pool(2)
                Rating.objects.update_or_create(
                    user=user, pool=pool, defaults={"value": draw.gauss(1500, 250), "matches": 40}
                )
        quick = draw.choice(games)
        told = offer(user, quick)
        people = told.people if told.table else 0
        table = wait(user, quick)
        assert table.sittings.exclude(user=user).count() == people
        if told.table:
            assert table == told.table
