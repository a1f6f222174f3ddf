"""Rating a match: the rows of its players, their history, and the recomputation."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from accounts import ranking, ratings, replaying
from accounts.models import Rating, RatingChange
from tests import budgets
from tests.accounts.rating import NOON, rate, rated, seasoned
from tests.statements import captured_statements


def rating(person, pool="muggins"):
    return Rating.objects.get(user=person, pool=pool)


def replay(*matches, pool="muggins"):
    played = [ratings.Rated(**{k: v for k, v in m.items() if k != "pool"}) for m in matches]
    return replaying.replay(
        pool, lambda order: [match for match in played if match.order > order], lambda: 99
    )


def test_first_match_changes_both_starting_ratings(alice, bob):
    assert rate(1, alice, bob) == {alice.pk: (1500, 1520), bob.pk: (1500, 1480)}

    won, lost = rating(alice), rating(bob)
    assert (won.value, won.matches, won.wins, won.recent) == (1520, 1, 1, [1500, 1520])
    assert (lost.value, lost.matches, lost.wins, lost.recent) == (1480, 1, 0, [1500, 1480])
    assert won.ranked
    assert not won.established
    change = RatingChange.objects.get(rating=won)
    assert (change.before, change.after, change.match_code, change.order) == (1500, 1520, "match00001", 1)


def test_pools_are_rated_separately(alice, bob):
    rate(1, alice, bob)
    rate(2, bob, alice, pool="draw")
    assert rating(alice).value == rating(bob, "draw").value == 1520


def test_drawn_match_counts_as_no_win(alice, bob):
    rate(1, alice, bob, ranks=[1, 1])
    assert rating(alice).wins == rating(bob).wins == 0
    assert rating(alice).value == 1500


def test_three_players_are_rated_by_earlier_ratings(alice, bob, charlie):
    after = rate(1, alice, bob, charlie)
    assert [round(after[p.pk][1], 4) for p in (alice, bob, charlie)] == [1520, 1500, 1480]


def test_partner_who_stayed_loses_nothing(alice, bob, charlie):
    david = seasoned("david", 1500).user
    after = rate(1, alice, bob, charlie, david, pairs=True, left=[bob])
    assert after[bob.pk][1] == 1480
    assert after[david.pk] == (1500, 1500)
    assert after[alice.pk][1] == after[charlie.pk][1] == 1520
    assert rating(bob).finished == [False]
    assert rating(alice).finished == [True]


def test_k_falls_after_thirty_matches_and_after_2200(db):
    new, old, master = seasoned("new", 1500, 29), seasoned("old", 1500, 30), seasoned("best", 2195, 90)
    steady = seasoned("steady", 1500).user
    for order, row in enumerate((new, old), 1):
        assert rate(order, row.user, steady)[row.user_id][1] - 1500 == pytest.approx(
            20 if row is new else 10, abs=1.2
        )
    peer = seasoned("peer", 2195, 90)
    first = rate(3, master.user, peer.user)[master.user_id]
    assert first[1] == 2205  # by K = 20: 2200 was first reached with this match
    assert rating(master.user).reached_2200
    second = rate(4, peer.user, master.user)[master.user_id]
    assert second[0] - second[1] == pytest.approx(10 * 0.5288, abs=1e-2)
    third = rate(5, peer.user, master.user)[master.user_id]
    assert third[0] - third[1] < 6  # below 2200 again, and still K = 10


def test_recent_ratings_cover_ten_matches(alice, bob):
    for order in range(1, 15):
        rate(order, alice, bob)
    recent = rating(alice).recent
    changes = list(RatingChange.objects.filter(rating__user=alice).order_by("order"))
    assert recent == [changes[4].before, *(change.after for change in changes[4:])]


def test_completion_covers_thirty_matches(alice, bob):
    for order in range(1, 10):
        rate(order, alice, bob, left=[bob] if order <= 2 else [])
    assert rating(bob).completion is None
    rate(10, alice, bob)
    assert rating(bob).completion == 80
    for order in range(11, 41):
        rate(order, alice, bob)
    assert rating(bob).completion == 100


def test_established_takes_thirty_matches_and_ten_opponents(alice, bob):
    others = [seasoned(f"other-{n}", 1500).user for n in range(9)]
    for order in range(1, 30):
        rate(order, alice, others[order % 9])
    assert not rating(alice).established
    rate(30, alice, others[0])
    assert not rating(alice).established  # they were nine
    rate(31, alice, bob)
    assert rating(alice).established
    assert len(rating(alice).opponents) == 10


def test_idle_player_leaves_the_leaderboard(db):
    idle, here = seasoned("idle", 1600), seasoned("here", 1500)
    Rating.objects.filter(pk=idle.pk).update(updated_at=timezone.now() - timedelta(days=91))

    ranking.retire_idle(timezone.now())

    assert list(Rating.objects.filter(ranked=True)) == [here]
    assert ranking.get_rank(here) == 1


def test_match_against_newcomer_is_damped(db):
    first, second = seasoned("first", 1600), seasoned("second", 1500, matches=5)
    after = rate(1, first.user, second.user)
    assert after[first.user_id][1] - 1600 == pytest.approx(1.7997, abs=1e-4)
    assert after[second.user_id][1] - 1500 == pytest.approx(-14.3974, abs=1e-4)
    assert RatingChange.objects.get(rating=first).weight == 0.25


def test_gains_from_new_accounts_are_capped(db):
    strong = seasoned("strong", 1600)
    fresh = [seasoned(f"fresh-{n}", 1500, matches=20).user for n in range(25)]
    gained = []
    for order, loser in enumerate(fresh, 1):
        before, after = rate(order, strong.user, loser, young=[loser])[strong.user_id]
        gained.append(after - before)
    assert gained[0] == pytest.approx(7.1987, abs=1e-4)
    assert sum(gained) == pytest.approx(100)
    assert gained[-1] == 0


def test_cap_on_new_accounts_spans_pools(db):
    strong, other = seasoned("strong", 1600), seasoned("other", 1500, matches=20)
    RatingChange.objects.create(
        rating=strong, match_code="earlier", order=1, before=1500, after=1598, young=True, at=NOON
    )
    seasoned_elsewhere = Rating.objects.create(user=strong.user, pool="draw", value=1600, matches=40)
    Rating.objects.create(user=other.user, pool="draw", value=1500, matches=20)
    after = rate(2, strong.user, other.user, pool="draw", young=[other.user])
    assert after[strong.user_id][1] - seasoned_elsewhere.value == pytest.approx(2)
    assert after[other.user_id][1] - 1500 == pytest.approx(-4, abs=1e-4)


def test_losses_to_new_accounts_count_in_their_own_pool_only(db):
    strong, other = seasoned("strong", 1600), seasoned("other", 1500, matches=20)
    lost = {"match_code": "earlier", "order": 1, "before": 1600, "after": 1400, "young": True, "at": NOON}
    elsewhere = Rating.objects.create(user=strong.user, pool="draw", value=1400, matches=40)
    RatingChange.objects.create(rating=elsewhere, **lost)
    for order in range(2, 32):
        fresh = seasoned(f"fresh-{order}", 1500, matches=20).user
        rate(order, strong.user, fresh, young=[fresh])
    assert rating(strong.user).value == pytest.approx(1700)
    before, after = rate(32, strong.user, other.user, pool="draw", young=[other.user])[strong.user_id]
    assert after > before


def test_loss_to_new_account_counts_in_full(db):
    strong, fresh = seasoned("strong", 1600), seasoned("fresh", 1500, matches=20)
    after = rate(1, fresh.user, strong.user, young=[fresh.user])
    assert after[strong.user_id][1] - 1600 == pytest.approx(-12.8013, abs=1e-4)


def test_match_is_rated_once(alice, bob):
    rate(1, alice, bob)
    again = rated(2, alice, bob) | {"match_code": "match00001"}
    for match in (rated(1, alice, bob) | {"match_code": "another"}, again):
        with pytest.raises(IntegrityError), transaction.atomic():
            ratings.rate(**match)
    assert rating(alice).value == 1520
    assert rating(alice).matches == 1


def test_failed_transaction_rates_nothing(alice, bob):
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        rate(1, alice, bob)
        raise ZeroDivisionError
    assert not Rating.objects.exists()


def test_statements_of_rating(alice, bob):
    rate(1, alice, bob)
    with captured_statements() as statements:
        rate(2, alice, bob)
    budgets.check("rating a match of two", {"statements": len(statements)})


def test_replay_of_same_matches_finds_no_difference(alice, bob, charlie):
    def ranking():
        rows = Rating.objects.order_by("user")
        return list(rows.values("user", "value", "matches", "wins", "ranked", "recent", "completed"))

    matches = [rated(1, alice, bob), rated(2, bob, charlie, alice), rated(5, charlie, alice, left=[alice])]
    for match in matches:
        ratings.rate(**match)
    before = ranking()

    assert replay(*matches) == []

    assert ranking() == before
    assert RatingChange.objects.count() == 7


@pytest.mark.parametrize("field", ["value", "matches", "wins", "completed"])
def test_replay_reports_and_corrects_difference(alice, bob, field):
    rate(1, alice, bob)
    right = getattr(rating(alice), field)
    Rating.objects.filter(user=alice).update(**{field: F(field) + 1})

    differences = replay(rated(1, alice, bob))

    assert len(differences) == 1
    assert "alice" in differences[0]
    assert getattr(rating(alice), field) == right


def test_replay_reports_and_corrects_history(alice, bob):
    rate(1, alice, bob)
    RatingChange.objects.filter(rating__user=alice).update(after=F("after") + 1)
    assert len(replay(rated(1, alice, bob))) == 1
    assert RatingChange.objects.get(rating__user=alice).after == 1520


def test_replay_removes_missing_match(alice, bob, charlie):
    for match in (rated(1, alice, bob), rated(2, alice, charlie)):
        ratings.rate(**match)

    assert replay(rated(2, alice, charlie)) != []

    assert rating(alice).matches == 1
    assert not Rating.objects.filter(user=bob).exists()  # as if never rated
    assert replay(rated(2, alice, charlie)) == []


def test_replay_restores_deleted_ratings(alice, bob):
    rate(1, alice, bob)
    Rating.objects.all().delete()
    assert len(replay(rated(1, alice, bob))) == 2
    assert rating(alice).value == 1520
    assert RatingChange.objects.count() == 2


def test_replay_changes_only_its_pool(alice, bob):
    rate(1, alice, bob, pool="draw")
    assert replay(pool="muggins") == []
    assert rating(alice, "draw").value == 1520


def test_rating_is_dated_by_end_of_match(alice, bob):
    rate(1, alice, bob)
    assert rating(alice).updated_at.date() == NOON.date()
