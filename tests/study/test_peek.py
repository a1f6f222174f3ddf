"""Peek scores: the statistic, its storage, who sees it, and what the fairness pages show of it."""

from datetime import timedelta
from math import hypot
from random import Random

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts import moderators
from accounts.models import User
from boneyard.analysis.peek import PeekSum, score_choices, score_record
from boneyard.computer.beliefs import Beliefs
from boneyard.computer.search import distinct_moves
from boneyard.computer.selfplay import selfplay
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from boneyard.engine.tiles import mask_of
from games.models import Match, Report
from games.services import seal
from study import peeks
from study.models import PeekScore, PeekSource
from tests.computer.tables import positions
from tests.games.playing import begin, play_and_resign
from tests.html import collapse_whitespace


def find_decisions(preset: str, seats: int, seeds: int):
    """Yield the positions of casual matches in which the seat on turn has a choice."""
    for seed in range(seeds):
        for match in positions(PRESETS[preset].rules, seats, f"peek {seed}"):
            view = perspective(match, match.turn)
            if len(distinct_moves(view)) > 1 and view.laid:
                yield match, view


@pytest.mark.parametrize(("preset", "seats"), [("draw", 2), ("block", 4), ("dominican", 4), ("bergen", 3)])
def test_revealed_hand_is_in_every_deal(preset, seats):
    for match, view in find_decisions(preset, seats, seeds=1):
        other = (match.turn + 1) % seats
        hand = match.round.hands[other]
        (deal,) = Beliefs(view, reads_plays=True, revealed={other: hand}).deals(Random(1), 1)
        assert deal.hands[other] == hand
        assert [each.bit_count() for each in deal.hands] == list(view.tiles)
        assert len(deal.boneyard) == view.boneyard
        everything = [mask_of(deal.boneyard), *deal.hands, mask_of([laid.tile for laid in view.laid])]
        assert sum(everything) == mask_of(range(28))  # every tile once


def test_score_is_positive_for_moves_that_fit_the_true_hand():
    """Make the move that the true hand speaks for most; a player who cannot see the hand scores about 0."""
    peeking, blind, rng = [], [], Random(2)
    for match, view in list(find_decisions("pairs-international", 4, seeds=2))[::2]:
        partner = (match.turn + 2) % 4
        if view.tiles[partner]:
            hand = match.round.hands[partner]
            scores = score_choices(view, distinct_moves(view), partner, hand, rng)
            assert abs(sum(scores)) < 1e-9  # the shares of all moves sum to 1 under any hand
            peeking.append(max(scores))
            blind.append(rng.choice(scores))
    assert len(blind) > 12
    assert sum(peeking) / len(peeking) > 0.1
    assert abs(sum(blind)) < 3 * hypot(*blind)


def test_sums_cluster_decisions_by_round():
    (record,) = selfplay(
        PRESETS["block"].rules.replace(target=20), preset=None, players=["casual"] * 2, matches=1, seed="p"
    )
    sums = score_record(record, {0: [1]})
    assert sums[0, 1] == sums[0, None]
    assert sums[0, 1].rounds <= len(record["rounds"])
    assert set(sums) == {(0, 1), (0, None)}
    assert score_record(record, {0: [1]}) == sums


def test_false_alarm_rate_follows_the_null_of_the_computers():
    sums = PeekSum(decisions=1_000, rounds=200, total=60.0, squares=100.0)
    alone = peeks.judge(sums, peeks.Null(0.0, 0.0))
    assert alone.error == pytest.approx(10.0)
    assert alone.false_alarm_rate == pytest.approx(2.87e-7, rel=0.01)  # 10 are honest; five errors
    biased = peeks.judge(sums, peeks.Null(0.03, 0.01))
    assert biased.false_alarm_rate == pytest.approx(0.0786, rel=0.01)  # 20 over an error of 14.1


def test_convention_between_partners_is_no_alarm():
    """Use the sum that honest partners reached who lead from their long suits."""
    sums = PeekSum(decisions=3_100, rounds=403, total=24.8, squares=21.7**2)
    assert (peeks.judge(sums, peeks.Null()).false_alarm_rate or 0) > 0.3
    assert peeks.judge(PeekSum(20, 19, 15.0, 1.0), peeks.Null()).false_alarm_rate is None


@pytest.mark.django_db
def test_only_finished_rated_matches_and_computers_are_scored(alice, bob):
    running = begin(alice, "casual")
    casual = play_and_resign(begin(alice, bob, seed="casual"))
    rated = play_and_resign(begin(alice, bob, rated=True))
    beside = play_and_resign(begin(alice, "casual", seed="beside"))
    concealed = play_and_resign(begin(alice, "casual", seed="concealed"))
    Match.objects.filter(pk=concealed.pk).update(concealed=True)
    call_command("score_peeks")
    assert not PeekSource.objects.exists(), "they have just ended"
    Match.objects.update(ended_at=timezone.now() - peeks.MIN_MATCH_AGE)

    call_command("score_peeks")
    call_command("score_peeks")
    assert {source.match_id for source in PeekSource.objects.all()} == {rated.pk, beside.pk}
    rows = PeekScore.objects.select_related("seat__match", "other")
    found = {
        (row.seat.match_id, row.seat.kind, None if row.other is None else row.other.position) for row in rows
    }
    assert found == {(rated.pk, "player", 1), (rated.pk, "player", 0), (beside.pk, "computer", None)}
    assert running.playing and not casual.playing


@pytest.mark.django_db
def test_people_in_pairs_are_scored_against_their_partner(alice, bob, charlie, make_person):
    match = play_and_resign(
        begin(alice, bob, charlie, make_person("dora"), preset="pairs-international"), moves=9
    )
    Match.objects.filter(pk=match.pk).update(rating_order=1)
    peeks.score_match(Match.objects.get(pk=match.pk))
    pairs = {(row.seat.position, row.other.position) for row in PeekScore.objects.all() if row.other}
    assert pairs <= {(0, 2), (2, 0), (1, 3), (3, 1)} and pairs


@pytest.fixture
def make_person(db):
    return lambda name, **fields: User.objects.create_user(name, f"{name}@example.org", "x", **fields)


@pytest.fixture
def moderator(make_person):
    person = make_person("mara", is_staff=True)
    person.groups.add(Group.objects.get(name=moderators.NAME))
    return person


def store_score(
    one: User, other: User, total: float, *, decisions: int = 500, rounds: int = 100, squares: float = 64.0
) -> Match:
    """Store a rated match of two, in which `one` scored this much against the hand of `other`."""
    match = play_and_resign(begin(one, other, rated=True, seed=f"{one} {total}"))
    mine, theirs = (match.seats.get(user=each) for each in (one, other))
    sums = {"decisions": decisions, "rounds": rounds, "total": total, "squares": squares}
    PeekScore.objects.create(seat=mine, other=theirs, **sums)
    return match


@pytest.mark.django_db
def test_case_shows_scores_to_moderators_who_may_decide(alice, bob, moderator, client):
    store_score(alice, bob, 41.5)
    (found,) = peeks.load_suspicions(alice, moderator)
    assert found.other == bob
    assert found.own.sums.total == found.both.sums.total == 41.5
    client.force_login(moderator)
    page = collapse_whitespace(client.get(f"/admin/games/report/person/{alice.pk}/").content.decode())
    assert "Plays that fit another’s hand" in page
    assert "<td>41.5</td>" in page and "<td>8.0</td>" in page
    assert "1 in 400,000" in page


@pytest.mark.django_db
def test_changing_partners_does_not_hide_a_sum(alice, moderator, make_person, client):
    for number in range(12):
        store_score(
            alice, make_person(f"partner-{number}"), 8.0 + number / 100, decisions=80, rounds=16, squares=5.0
        )
    found = peeks.load_suspicions(alice, moderator)
    assert found[0].other is None and found[0].own.sums.rounds == 192
    assert found[0].own.false_alarm_rate == pytest.approx(0, abs=1e-4)
    assert {each.own.false_alarm_rate for each in found[1:]} == {None}
    client.force_login(moderator)
    assert "all together" in client.get(f"/admin/games/report/person/{alice.pk}/").content.decode()


@pytest.mark.django_db
def test_matches_of_reported_people_are_scored_first(alice, bob, charlie):
    reported = play_and_resign(begin(alice, bob, rated=True))
    play_and_resign(begin(alice, charlie, rated=True, seed="newer"))
    Report.objects.create(person=bob, reporter=charlie, category="collusion")
    Match.objects.update(ended_at=timezone.now() - peeks.MIN_MATCH_AGE)
    first = peeks.sources(timezone.now())[0]
    assert first == reported


@pytest.mark.django_db
def test_scores_are_hidden_from_a_concerned_moderator(alice, bob, moderator, make_person, client):
    store_score(alice, bob, 41.5)
    own = store_score(alice, moderator, 33.5)
    make_person("nora", is_staff=True)
    assert peeks.load_suspicions(alice, moderator) == []
    client.force_login(moderator)
    page = client.get(f"/admin/games/report/person/{alice.pk}/").content.decode()
    assert "41.5" not in page and "33.5" not in page
    # Later the moderator may decide, but never about their own match.
    Match.objects.filter(pk=own.pk).update(ended_at=timezone.now() - timedelta(days=31))
    assert [found.other for found in peeks.load_suspicions(alice, moderator)] == [bob]


@pytest.mark.django_db
def test_nobody_else_sees_scores(alice, bob, client):
    match = store_score(alice, bob, 41.5)
    client.force_login(alice)
    for address in (f"/people/{alice}/", match.get_absolute_url(), "/fairness/numbers/", "/fairness/"):
        assert "Plays that fit" not in client.get(address).content.decode()


@pytest.mark.django_db
def test_numbers_page_shows_computers_and_refused_reveals(alice):
    page = collapse_whitespace(Client().get("/fairness/numbers/").content.decode())
    assert "No match with computers has been examined yet." in page
    assert "0 times somebody committed" in page


@pytest.mark.django_db
def test_numbers_page_sums_the_computers_by_level(alice):
    User.objects.filter(pk=alice.pk).update(unrevealed=3)
    for code in ("resealed01", "resealed01", "another001"):
        seal(code)
    match = play_and_resign(begin(alice, "casual"))
    for level, total in (("casual", 7.25), ("casual", -0.75), ("master", 60.0)):
        seat = match.seats.get(position=1)
        seat.pk, seat.match, seat.level = None, play_and_resign(begin(alice, "club", seed=f"{total}")), level
        seat.position, seat.user = 9, None
        seat.save()
        PeekScore.objects.create(seat=seat, decisions=400, rounds=50, total=total, squares=25.0)
    page = collapse_whitespace(Client().get("/fairness/numbers/").content.decode())
    casual, master = (f"<td>{name}</td>" for name in ("Casual", "Master"))
    assert ">6.5<" in page.partition(casual)[2].partition("</tr>")[0]
    assert "within" in page.partition(casual)[2].partition("</tr>")[0]
    assert "outside" in page.partition(master)[2].partition("</tr>")[0]
    assert "3 times somebody committed" in page
    assert "Once a table got a new secret" in page
