"""Pairs: a partner's leaving or calling off costs the player who stayed nothing, but not without end."""

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.utils import timezone

from accounts.models import Rating, RatingChange
from games import services
from games.services import connections, rerating
from tests.games.playing import begin, play

pytestmark = pytest.mark.django_db
PRESET, POOL = "muggins-200-pairs", "muggins-pairs"


@pytest.fixture(autouse=True)
def no_pause_for_calls(settings):
    settings.CALL_PAUSE_MS = 0


@pytest.fixture
def people(alice, bob, charlie):
    """Alice plays with charlie, against bob and david."""
    return alice, bob, charlie, get_user_model().objects.create_user("david")


def begin_pairs(people, seed, quick=()):
    match = begin(*people, preset=PRESET, rated=True, seed=seed, quick=quick)
    for seat in match.seats.all():
        connections.record_hand_sent(seat)
    return match


def end(match, person, move):
    match.refresh_from_db()
    return services.play(
        match=match, seat=match.seats.get(user=person), move=move, seen_version=match.version
    )


def lose_by_resignation(people, seed, leaver):
    match = begin_pairs(people, seed)
    while match.moves.exclude(text="draw").values("seat").distinct().count() < 4:
        match = play(match)
    return end(match, leaver, "resign")


def rating(person, pool=POOL):
    return Rating.objects.get(user=person, pool=pool)


def test_throwaway_partner_protects_once(people):
    alice, _, charlie, _ = people
    for number in range(6):
        lose_by_resignation(people, f"match {number}", charlie)

    changes = RatingChange.objects.filter(rating__user=alice).order_by("order")
    assert [change.after < change.before for change in changes] == [False] + 5 * [True]
    assert rating(alice).value < 1430
    assert rerating.recompute() == []
    call_command("recompute_ratings")


def test_calling_off_uses_an_exemption(people):
    alice, _, charlie, _ = people
    assert end(begin_pairs(people, "first"), charlie, "abort").result_how == "aborted"
    match = lose_by_resignation(people, "second", charlie)
    assert match.seats.get(user=alice).rating_after < 1500
    assert rerating.recompute() == []


def test_calling_off_without_exemption_is_a_rated_resignation(people):
    alice, _, charlie, _ = people
    end(begin_pairs(people, "first"), charlie, "abort")
    match = end(begin_pairs(people, "second"), charlie, "abort")

    assert (match.result_how, match.rating_order is not None) == ("resigned", True)
    assert {seat.user: seat.rating_after < 1500 for seat in match.seats.all()} == {
        person: person in (alice, charlie) for person in people
    }
    assert rerating.recompute() == []


def test_abort_without_a_look_uses_an_exemption(people):
    """The partner may have looked, and told."""
    charlie = people[2]
    matches = [begin(*people, preset=PRESET, rated=True, seed=f"match {number}") for number in range(2)]
    assert [end(match, charlie, "abort").result_how for match in matches] == ["aborted", "resigned"]


def test_page_explains_the_exemption(people, browser_of):
    alice, _, charlie, _ = people
    match = lose_by_resignation(people, "match", charlie)
    assert "no loss: the partner left" in browser_of(alice).get(match.get_absolute_url()).content.decode()


def establish(person):
    Rating.objects.create(
        user=person, pool=POOL, matches=30, opponents=list(range(-10, 0)), established=True, completed=1
    )


@pytest.mark.parametrize(
    ("quick", "is_established", "by_chance"), [(1, 1, True), (0, 1, False), (1, 0, False)]
)
def test_partner_by_chance_is_established_and_seated_by_quick_play(people, quick, is_established, by_chance):
    alice, _, charlie, _ = people
    if is_established:
        establish(charlie)
    match = begin_pairs(people, "match", quick=[charlie] if quick else [])
    assert [seat.by_chance for seat in match.seats.all()] == [False, False, by_chance, False]

    end(match, charlie, "abort")
    end(begin_pairs(people, "next", quick=[charlie]), charlie, "abort")
    assert Rating.objects.filter(user=alice, pool=POOL, matches=1).exists(), "once beside the same leaver"


def test_strangers_who_call_off_take_no_exemption(people, django_user_model):
    alice, bob, charlie, david = people
    for number in range(4):
        stranger = django_user_model.objects.create_user(f"stranger-{number}")
        establish(stranger)
        match = begin_pairs([alice, bob, stranger, david], f"match {number}", quick=[stranger])
        assert end(match, stranger, "abort").result_how == "aborted"
    assert end(begin_pairs(people, "friend"), charlie, "abort").result_how == "aborted"
    stranger = django_user_model.objects.create_user("the-fifth")
    establish(stranger)
    match = begin_pairs([alice, bob, stranger, david], "fifth", quick=[stranger])
    assert end(match, stranger, "abort").result_how == "resigned"
    assert rating(alice).value < 1500


def test_annulment_frees_the_exemption(people):
    alice, _, charlie, _ = people
    first = lose_by_resignation(people, "first", charlie)
    second = lose_by_resignation(people, "second", charlie)
    rerating.annul(first)
    assert rerating.has_pending(timezone.now())
    rerating.recompute_pending()
    assert RatingChange.objects.get(match_code=second.code, rating__user=alice).exempt_beside == charlie
    assert rerating.recompute() == []
