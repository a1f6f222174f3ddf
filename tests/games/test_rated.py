"""Rating of matches, once and in the transaction that ends them."""

import pytest
from django.db.models import F
from django.utils import timezone

from accounts import replaying
from accounts.models import Rating, RatingChange, User
from games import services
from games.models import Match, Rerating
from games.services import connections, rerating
from tests.games.playing import begin, on_turn, play, play_and_resign, play_to_the_end

pytestmark = pytest.mark.django_db


def rating(user, pool="muggins"):
    return Rating.objects.get(user=user, pool=pool)


def test_result_changes_both_ratings_once(alice, bob):
    match = play_to_the_end(begin(alice, bob, rated=True))

    winner = match.seats.get(position=match.winners[0])
    loser = match.seats.exclude(pk=winner.pk).get()
    assert (winner.rating_before, winner.rating_after) == (1500, 1520)
    assert (loser.rating_before, loser.rating_after) == (1500, 1480)
    assert rating(winner.user).value == 1520
    assert RatingChange.objects.count() == 2


def test_casual_and_guest_matches_are_not_rated(alice, bob):
    play_to_the_end(begin(alice, bob))
    bob.is_guest = True
    bob.save()
    play_to_the_end(begin(alice, bob, rated=True))

    assert not RatingChange.objects.exists()


def test_matches_with_computers_are_not_rated(alice):
    match = begin(alice, "club", rated=True)
    services.play(match=match, seat=match.seats.get(user=alice), move="resign", seen_version=0)

    assert not RatingChange.objects.exists()


def test_match_ended_before_all_turns_is_not_rated(alice, bob):
    match = begin(alice, bob, rated=True)
    play(match)
    match = services.play(match=match, seat=on_turn(match), move="resign", seen_version=1)

    assert match.rating_order is None
    assert not RatingChange.objects.exists()


def test_result_explains_why_unrated(alice, bob, browser_of):
    def read_outcome(match):
        return browser_of(alice).get(match.get_absolute_url()).content.decode()

    assert "A casual match" in read_outcome(play_and_resign(begin(alice, bob, seed="casual")))
    cut_short = services.play(
        match=(match := begin(alice, bob, rated=True)),
        seat=match.seats.get(user=alice),
        move="abort",
        seen_version=0,
    )
    assert "Nobody loses rating: it ended before everybody had had a turn" in read_outcome(cut_short)
    for number in range(10):
        play_and_resign(begin(alice, bob, rated=True, seed=f"match {number}"))
    eleventh = play_and_resign(begin(alice, bob, rated=True, seed="eleventh"))
    assert "Two of you had met in ten rated matches that day" in read_outcome(eleventh)
    assert "A casual match" not in read_outcome(eleventh)


def test_eleventh_match_of_a_day_is_not_rated(alice, bob):
    for number in range(11):
        play_and_resign(begin(alice, bob, rated=True, seed=f"match {number}"))

    assert rating(alice).matches == 10
    assert Match.objects.filter(rating_order=None).count() == 1


@pytest.mark.parametrize("ending", ["resign", "abort", "running"])
def test_friends_cannot_choose_the_eleventh_match(alice, bob, charlie, ending):
    """Whether a match is rated is certain when it begins, however another match of two of its players ends."""
    dora = User.objects.create_user("dora", "dora@example.org", "x")
    for number in range(9):
        play_and_resign(begin(alice, bob, rated=True, seed=f"match {number}"))
    tenth = begin(alice, bob, rated=True, seed="tenth")
    pairs = begin(alice, charlie, bob, dora, preset="pairs-international", rated=True)
    if ending == "resign":
        play_and_resign(tenth)
    elif ending == "abort":
        play(tenth, "abort")
    assert play_and_resign(pairs).rating_order is None


def test_leaver_at_table_of_three_is_last(alice, bob, charlie):
    match = begin(alice, bob, charlie, rated=True)
    for _ in range(12):
        match = play(match)
    match = services.play(
        match=match, seat=match.seats.get(user=bob), move="resign", seen_version=match.version
    )
    match = play_to_the_end(match)

    gained = {seat.user: seat.rating_after - 1500 for seat in match.seats.all()}
    assert gained.pop(bob) == -20
    assert sorted(gained.values()) == [-20, 20], "those who stayed are rated among each other"
    assert rating(bob, "muggins-free").finished == [False]
    assert rating(alice, "muggins-free").finished == [True]


@pytest.mark.parametrize("gone", ["resign", "takeover"])
def test_early_leaver_at_table_of_three_keeps_match_rated(alice, bob, charlie, browser_of, gone):
    match = begin(alice, bob, charlie, rated=True)
    first = on_turn(match)
    leaver = match.seats.get(position=(first.position + 1) % 3)
    browser_of(leaver.user).get(match.get_absolute_url())
    if gone == "takeover":
        connections.record_open(match=match, seat=first, channel="first")
    match = services.play(match=match, seat=leaver, move="resign", seen_version=0)
    if gone == "takeover":
        match = services.answer_absence(match=match, seat=first, take="computer")
    match = play_to_the_end(match)

    after = {seat.user: seat.rating_after for seat in match.seats.all()}
    assert match.rating_order is not None
    assert after.pop(leaver.user) < 1500
    assert [value is not None for value in after.values()] == [True] * 2
    assert rating(leaver.user, "muggins-free").finished == [False]
    assert rating(leaver.user, "muggins-free").called_off == [], "it counts once"
    assert rerating.recompute() == []


def test_two_early_leavers_make_match_unrated(alice, bob, charlie, browser_of):
    play_to_the_end(begin(alice, bob, charlie, rated=True, seed="before"))
    match = begin(alice, bob, charlie, rated=True)
    for person in (alice, bob):
        browser_of(person).get(match.get_absolute_url())
        services.play(
            match=match, seat=match.seats.get(user=person), move="resign", seen_version=match.version
        )
        match.refresh_from_db()

    assert (match.result_how, match.rating_order) == ("resigned", None)
    finished = [rating(person, "muggins-free").finished for person in (alice, bob, charlie)]
    assert finished == [[False, True], [False, True], [True]]


def test_recompute_finds_no_difference(alice, bob, charlie):
    for number in range(3):
        play_to_the_end(begin(alice, bob, charlie, rated=True, seed=f"three {number}"), seed=number)
        play_and_resign(begin(alice, charlie, preset="draw", rated=True, seed=f"two {number}"))

    assert rerating.recompute() == []


def test_recompute_corrects_and_reports_difference(alice, bob):
    play_to_the_end(begin(alice, bob, rated=True))
    Rating.objects.filter(user=alice).update(value=F("value") + 3)

    differences = rerating.recompute()

    assert len(differences) == 1
    assert "alice" in differences[0]
    assert rating(alice).value in (1520, 1480)


def test_annulled_match_is_excluded_from_ratings(alice, bob):
    first = play_and_resign(begin(alice, bob, rated=True, seed="first"))
    play_and_resign(begin(alice, bob, rated=True, seed="second"))

    rerating.annul(first)
    assert rerating.has_pending(timezone.now())
    rerating.recompute_pending()

    assert not Rerating.objects.exists()
    assert rating(alice).matches == rating(bob).matches == 1
    assert rating(alice).value + rating(bob).value == pytest.approx(3000)
    assert abs(rating(alice).value - 1500) == pytest.approx(20)
    assert rerating.recompute() == []


def test_stored_results_match_recomputed_ones(alice, bob, charlie):
    for number in range(3):
        play_to_the_end(begin(alice, bob, charlie, rated=True, seed=f"three {number}"), seed=number)
    assert rerating.recompute() == []
    rerating.annul(Match.objects.order_by("rating_order").first())
    assert rerating.recompute_pending() != []
    assert rerating.recompute() == []


def test_match_ending_during_recompute_is_included(alice, bob, charlie, monkeypatch):
    for number in range(3):
        play_and_resign(begin(alice, bob, rated=True, seed=f"before {number}"))
    rerating.annul(Match.objects.order_by("rating_order").first())
    write = replaying._write_ratings
    meanwhile = iter([(alice, charlie), (charlie, bob)])

    def write_late(pool, some):
        if people := next(meanwhile, None):
            play_and_resign(begin(*people, rated=True, seed="meanwhile"))
        write(pool, some)

    monkeypatch.setattr(replaying, "_write_ratings", write_late)
    rerating.recompute_pending()
    monkeypatch.undo()

    assert rerating.recompute() == []
    assert rating(alice).matches == 3
    assert rating(charlie).matches == 2


def test_annulment_during_recompute_stays_pending(alice, bob, monkeypatch):
    matches = [play_and_resign(begin(alice, bob, rated=True, seed=f"{n}")) for n in range(3)]
    rerating.annul(matches[0])

    def annul_another(*_arguments):
        rerating.annul(matches[1])

    monkeypatch.setattr(replaying, "broadcast_page_changed", annul_another)
    rerating.recompute_pending()
    monkeypatch.undo()

    assert rerating.has_pending(timezone.now())
    rerating.recompute_pending()
    assert rating(alice).matches == 1


def test_result_says_what_the_ratings_expected(alice, bob, browser_of):
    match = play_and_resign(begin(alice, bob, rated=True))
    for viewer in (alice, bob):
        page = browser_of(viewer).get(match.get_absolute_url()).content.decode()
        assert "The ratings gave you 50% before the match." in page
        assert 'href="/rules/elo/"' in page
    assert "The ratings gave you" not in browser_of(None).get(match.get_absolute_url()).content.decode()
