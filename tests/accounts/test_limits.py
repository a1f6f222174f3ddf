"""Limits on gains and losses: damping, new accounts, one opponent, exemptions in pairs (docs/ratings.md)."""

import random
import statistics
from datetime import timedelta

import pytest

from accounts import ratings, replaying
from accounts.limits import LIMIT_PERIOD, History, Leaver
from accounts.models import Rating, RatingChange
from tests.accounts.rating import NOON, rate, rated, seasoned

CLOSE = pytest.approx
Limit = RatingChange.Limit


def change_of(rating, order):
    return RatingChange.objects.get(rating=rating, order=order)


def gain_of(rating, order):
    change = change_of(rating, order)
    return change.after - change.before


def replay(*matches, pool="muggins"):
    played = [ratings.Rated(**{k: v for k, v in m.items() if k != "pool"}) for m in matches]
    return replaying.replay(
        pool, lambda order: [match for match in played if match.order > order], lambda: 999
    )


@pytest.mark.parametrize("matches", [5, 0])
def test_damping_has_a_floor(db, matches):
    one, other = seasoned("one", 1600), seasoned("other", 1500, matches=matches)
    rate(1, one.user, other.user)
    assert gain_of(one, 1) == CLOSE(1.7997, abs=1e-4)
    assert gain_of(other, 1) == CLOSE(-14.3974, abs=1e-4)


def test_no_damping_against_twenty_matches_or_of_new_players(db, alice, bob):
    one, other = seasoned("one", 1600), seasoned("other", 1500, matches=20)
    rate(1, one.user, other.user)
    assert (gain_of(one, 1), gain_of(other, 1)) == CLOSE((7.1987, -14.3974), abs=1e-4)
    rate(2, alice, bob)
    assert [gain_of(Rating.objects.get(user=person), 2) for person in (alice, bob)] == [20, -20]


def add_past(rating, points, *, days=1, opponent=0, young=True, order=0, exempt=None):
    """Create a change some days ago."""
    return RatingChange.objects.create(
        rating=rating,
        match_code=f"past{rating.pk}.{order}",
        order=order,
        before=1500,
        after=1500 + points,
        young=young,
        shares=[[opponent, points]],
        exempt_beside=exempt,
        at=NOON - timedelta(days=days),
    )


def test_cap_withholds_the_same_share_from_the_loser(db):
    one, other = seasoned("one", 1600), seasoned("other", 1500, matches=20)
    add_past(one, 98)
    rate(1, one.user, other.user, young=[other.user])
    assert (gain_of(one, 1), gain_of(other, 1)) == CLOSE((2, -4), abs=1e-4)
    assert (change_of(one, 1).limited_by, change_of(other, 1).limited_by) == (
        Limit.NEW_ACCOUNTS,
        Limit.WINNER,
    )


def test_losses_to_new_accounts_make_room_for_gains(db):
    one, other = seasoned("one", 1600), seasoned("other", 1500, matches=20)
    add_past(one, 98)
    add_past(one, -50, order=1, days=2)
    rate(2, one.user, other.user, young=[other.user])
    assert gain_of(one, 2) == CLOSE(7.1987, abs=1e-4)


def test_cap_ends_after_thirty_days(db):
    one, other = seasoned("one", 1600), seasoned("other", 1500, matches=20)
    add_past(one, 100, days=LIMIT_PERIOD.days + 1)
    rate(1, one.user, other.user, young=[other.user])
    assert gain_of(one, 1) == CLOSE(7.1987, abs=1e-4)


def test_one_opponent_gives_a_hundred_points(db):
    one, other = seasoned("one", 1500), seasoned("other", 1500)
    add_past(one, 97, opponent=other.user_id, young=False)
    rate(1, one.user, other.user)
    assert (gain_of(one, 1), gain_of(other, 1)) == CLOSE((3, -3), abs=1e-4)
    assert change_of(one, 1).limited_by == Limit.OPPONENT


def test_opponents_are_counted_by_pool(db):
    one, other = seasoned("one", 1500), seasoned("other", 1500)
    elsewhere = Rating.objects.create(user=one.user, pool="draw", value=1500, matches=40)
    add_past(elsewhere, 100, opponent=other.user_id, young=False)
    rate(1, one.user, other.user)
    assert gain_of(one, 1) == 10


def test_of_three_only_gains_are_cut(db):
    one, two, three = (seasoned(name, 1500) for name in ("one", "two", "three"))
    add_past(one, 100, opponent=two.user_id, young=False)
    rate(1, one.user, two.user, three.user)
    assert [gain_of(rating, 1) for rating in (one, two, three)] == CLOSE([5, 0, -10])
    assert change_of(one, 1).shares == [[two.user_id, 2.5], [three.user_id, 2.5]]


def test_pairs_share_a_change_among_both_opponents(db):
    one, two, three, four = (seasoned(name, 1500, pool="muggins-pairs") for name in ("a1", "b1", "a2", "b2"))
    add_past(one, 100, opponent=two.user_id, young=False)
    rate(1, one.user, two.user, three.user, four.user, pairs=True, pool="muggins-pairs")
    # One of the two winners gets half: the losers lose three quarters.
    assert [gain_of(rating, 1) for rating in (one, three, two, four)] == CLOSE([5, 10, -7.5, -7.5])


@pytest.fixture
def pair_of(db):
    """Four people of 40 matches in pairs; a plays with c, against b and d."""
    return [seasoned(name, 1500, pool="muggins-pairs") for name in ("a1", "b1", "c1", "d1")]


def lose(order, people, leaver, *, pool="muggins-pairs", by_chance=()):
    """Rate a match that the first and third lost because `leaver` left."""
    users = [rating.user for rating in people]
    rate(order, *users, pairs=True, pool=pool, ranks=[2, 1], left=[leaver.user], by_chance=by_chance)


def test_partner_who_stayed_loses_nothing(pair_of):
    first, _, third, _ = pair_of
    lose(1, pair_of, third)
    assert (gain_of(first, 1), gain_of(third, 1)) == (0, -10)
    assert change_of(first, 1).exempt_beside == third.user
    assert gain_of(pair_of[1], 1) == 10


def test_case_of_the_leaver_with_forty(db):
    people = [
        seasoned("a1", 1800, pool="muggins-pairs"),
        seasoned("b1", 1500, pool="muggins-pairs"),
        seasoned("c1", 1400, 25, pool="muggins-pairs"),
        seasoned("d1", 1500, pool="muggins-pairs"),
    ]
    lose(1, people, people[2])
    assert [gain_of(rating, 1) for rating in people] == CLOSE([0, 12.8013, -25.6026, 12.8013], abs=1e-4)


def test_one_exemption_beside_the_same_leaver(pair_of):
    first, _, third, _ = pair_of
    lose(1, pair_of, third)
    lose(2, pair_of, third)
    assert gain_of(first, 2) < -9
    assert change_of(first, 2).exempt_beside is None


def test_two_exemptions_in_thirty_days_in_any_pool(pair_of):
    first, second, third, fourth = pair_of
    others = [seasoned(name, 1500, pool="draw-pairs").user for name in ("x", "y", "z")]
    elsewhere = Rating.objects.create(user=first.user, pool="draw-pairs", value=1500, matches=40)
    for order, leaver in enumerate(others[:2], 1):
        people = [first.user, others[2], leaver, second.user]
        rate(order, *people, pairs=True, pool="draw-pairs", ranks=[2, 1], left=[leaver])
        assert gain_of(elsewhere, order) == 0
    lose(3, pair_of, third)
    assert gain_of(first, 3) == CLOSE(-10)


def test_matches_called_off_use_exemptions(pair_of):
    first, _, third, _ = pair_of
    match = rated(
        1, *(r.user for r in pair_of), pairs=True, pool="muggins-pairs", ranks=[2, 1], left=[third.user]
    )
    first_side = [player._replace(called_off_beside=(Leaver(third.user_id),)) for player in match["sides"][0]]
    ratings.rate(**match | {"sides": [first_side, match["sides"][1]]})
    assert gain_of(first, 1) == CLOSE(-10)


def test_exemption_returns_after_thirty_days(pair_of):
    first, _, third, _ = pair_of
    add_past(first, 0, days=31, young=False, exempt=third.user)
    lose(1, pair_of, third)
    assert gain_of(first, 1) == 0


def test_partners_by_chance_take_no_exemption(pair_of):
    first, second, third, fourth = pair_of
    strangers = [seasoned(f"stranger-{n}", 1500, pool="muggins-pairs") for n in range(5)]
    for order, stranger in enumerate(strangers, 1):
        lose(order, [first, second, stranger, fourth], stranger, by_chance=[stranger.user])
    assert [gain_of(first, order) < 0 for order in range(1, 6)] == [False] * 4 + [True]
    assert [change_of(first, order).exempt_by_chance for order in range(1, 6)] == [True] * 4 + [False]
    lose(6, pair_of, third)
    assert gain_of(first, 6) == 0, "both exemptions are left"


@pytest.mark.parametrize("by_chance", [True, False])
def test_one_exemption_beside_the_same_leaver_however_they_met(pair_of, by_chance):
    first, _, third, _ = pair_of
    lose(1, pair_of, third, by_chance=[third.user] if by_chance else [])
    lose(2, pair_of, third, by_chance=[] if by_chance else [third.user])
    assert [gain_of(first, order) < 0 for order in (1, 2)] == [False, True]


def test_matches_called_off_by_chance_count_apart(pair_of):
    history, third = History(), Leaver(pair_of[2].user_id)
    strangers = [Leaver(pk, by_chance=True) for pk in range(-4, 0)]
    assert history.may_be_exempt(1, third, 1, NOON, strangers)
    assert history.may_be_exempt(1, Leaver(7, by_chance=True), 1, NOON, [*strangers[:3], third])
    assert not history.may_be_exempt(1, Leaver(7, by_chance=True), 1, NOON, strangers)
    assert not history.may_be_exempt(1, strangers[0], 1, NOON, strangers[:1])


@pytest.mark.parametrize("leavers", [1, 20])
def test_leavers_seated_by_quick_play_lift_nobody(django_user_model, leavers):
    """Without the bounds of partners by chance: 1500 → 2577 in 300 matches of equal strength."""
    users = (django_user_model(username=f"p{n}") for n in range(61 + leavers))
    hero, *others = django_user_model.objects.bulk_create(users)
    ratings_after = [lift(hero, others[:60], others[60:], seed) for seed in range(4)]
    assert statistics.mean(ratings_after) < 1600


def lift(hero, crowd, friends, seed):
    """Return the rating of `hero` after 300 matches beside friends who leave whenever the pair is behind."""
    dice, history = random.Random(seed), History("muggins-pairs")
    of_user = {
        person.pk: Rating(user=person, pool="muggins-pairs", value=1500, matches=30)
        for person in (hero, *crowd, *friends)
    }
    for order in range(1, 301):
        opponents, leaver = dice.sample(crowd, 2), friends[order % len(friends)]
        wins = dice.random() < 0.5
        match = rated(
            order,
            *[hero, opponents[0], leaver, opponents[1]],
            pairs=True,
            ranks=[1, 2] if wins else [2, 1],
            left=() if wins else [leaver],
            by_chance=[leaver],
        )
        match["at"] = NOON + timedelta(hours=4 * order)
        del match["pool"]
        ratings.apply(ratings.Rated(**match), of_user, history)
    return of_user[hero.pk].value


@pytest.mark.parametrize("seed", range(2))
def test_recomputation_equals_live_ratings_with_leavers(db, django_user_model, seed):
    people = [django_user_model.objects.create_user(f"player-{n}") for n in range(7)]
    dice = random.Random(seed)
    matches = []
    for order in range(1, 160):
        number = dice.choice([2, 3, 4])
        pairs = number == 4 and dice.random() < 0.7
        pool = "muggins-pairs" if pairs else "muggins" if number == 2 else "muggins-free"
        users = dice.sample(people, number)
        ranks = [2, 1] if pairs else dice.sample(range(1, number + 1), number)
        left = [user for user in users if dice.random() < 0.3]
        if pairs:
            left = [user for user in users[0::2] if user in left][:1]
        elif left:
            ranks = [number - len(left) + 1 if user in left else 1 for user in users]
        young = [user for user in users[:1] if dice.random() < 0.5]
        by_chance = [user for user in users if dice.random() < 0.5]
        match = rated(
            order, *users, pairs=pairs, pool=pool, ranks=ranks, left=left, young=young, by_chance=by_chance
        )
        match |= {"scale": dice.choice([0.5, 1.0, 1.7]), "at": NOON + timedelta(hours=3 * order)}
        ratings.rate(**match)
        matches.append(match)
    changes = list(RatingChange.objects.order_by("pk").values())
    assert {change["limited_by"] for change in changes} > {Limit.NONE, Limit.WINNER}
    assert any(change["exempt_beside_id"] for change in changes)
    assert any(change["exempt_by_chance"] for change in changes)

    def replay_all():
        """Limits span pools, so a corrected pool may change another one."""
        differences = []
        for pool in ("muggins", "muggins-free", "muggins-pairs"):
            differences += replay(*(match for match in matches if match["pool"] == pool), pool=pool)
        return differences

    assert replay_all() == []
    Rating.objects.all().delete()
    while replay_all():
        pass
    again = RatingChange.objects.order_by("order", "rating__user").values_list("after", "limited_by")
    before = sorted(changes, key=lambda change: change["order"])
    assert sorted(a for a, _ in again) == sorted(change["after"] for change in before)
