"""Percentages and scores, against a plain second computation."""

import random

import pytest

from events import services
from events.comparison import Field, compute_margin, find_rank
from events.field import HOUSE_COUNTS_BELOW, load_field
from events.leaderboards import build_day_leaderboard, build_period_leaderboard, count_streak
from events.models import Entry, HouseResult
from events.share import draw_bars
from games import repository
from tests.events.playing import close, open_today, play_rounds, start


def plain_percent(margins, number, own):
    """Compare one person's margin with everybody else's, one by one."""
    others = [each[number] for index, each in enumerate(margins) if index != own and number < len(each)]
    points = sum(
        1 if other < margins[own][number] else 0.5 if other == margins[own][number] else 0 for other in others
    )
    return 100 * points / len(others) if others else None


@pytest.mark.parametrize("seed", range(5))
def test_percentages_equal_a_plain_computation(seed):
    chance = random.Random(seed)
    margins = [[chance.randrange(-6, 6) * 5 for _ in range(chance.randrange(9))] for _ in range(60)]
    field = Field(margins, rounds=8)

    for own, each in enumerate(margins):
        expected = [plain_percent(margins, number, own) for number in range(len(each))]
        assert field.compute_percents(each) == pytest.approx(expected)
        final = [percent for percent in expected if percent is not None] + [0.0] * (8 - len(each))
        assert field.compute_score(each, is_final=True) == pytest.approx(sum(final) / len(final))


def test_somebody_alone_has_no_percentage():
    field = Field([[5, 0]], rounds=8)

    assert field.compute_percents([5, 0]) == [None, None]
    assert field.compute_score([5, 0]) is None


def test_result_outside_the_field_is_compared_with_all_of_it():
    field = Field([[5], [10]], rounds=1)

    assert field.compute_percent(0, 10, is_member=False) == 75.0


def test_margin_is_over_the_best_other_side():
    assert compute_margin([10, 25, 5], 0, lowest_wins=False) == -15
    assert compute_margin([10, 25, 5], 0, lowest_wins=True) == -5


def test_equal_scores_share_a_place():
    assert [find_rank(score, [50.0, 70.0, 50.0]) for score in (70.0, 50.0)] == [1, 2]


def test_bars_follow_the_percentages():
    assert draw_bars([0, 12.5, 99.9, 100, None]) == "▁▂██·"


@pytest.mark.django_db
def test_stored_scores_equal_those_from_the_records(django_user_model):
    deals = open_today(rounds=3)
    people = [django_user_model.objects.create_user(f"player{n}") for n in range(6)]
    for seed, person in enumerate(people):
        play_rounds(start(deals, person), rounds=None if seed % 3 else 2, seed=seed)
    close(deals)

    margins = []
    for entry in Entry.objects.all():
        record, before, own = repository.build_record(entry.match), [0, 0], []
        for each in record["rounds"]:
            if each["end"]["how"] != "stopped":
                own.append((each["scores"][0] - before[0]) - (each["scores"][1] - before[1]))
            before = each["scores"]
        margins.append(own)
    for index, entry in enumerate(Entry.objects.all()):
        percents = [plain_percent(margins, number, index) for number in range(len(margins[index]))]
        percents += [0.0] * (3 - len(percents))
        assert entry.margins == margins[index]
        assert entry.score == pytest.approx(sum(percents) / 3)


@pytest.mark.django_db
def test_house_leaves_when_enough_people_have_played(django_user_model):
    deals = open_today(rounds=1)
    HouseResult.objects.create(deals=deals, number=0, level="club", figure=0, margins=[0], lines=[""])
    assert len(load_field(deals).counted_house) == 1
    match = play_rounds(start(deals, django_user_model.objects.create_user("first")))
    for number in range(HOUSE_COUNTS_BELOW - 1):
        person = django_user_model.objects.create_user(f"p{number}")
        services.start(deals, person, deals.opens_at)
    Entry.objects.exclude(match=match).update(margins=[5])

    loaded = load_field(deals)
    assert loaded.people == HOUSE_COUNTS_BELOW and loaded.counted_house == []


@pytest.mark.django_db
def test_board_has_a_line_for_others_with_the_reason(alice, bob, charlie):
    deals = open_today()
    for person, seed in ((alice, 1), (bob, 2), (charlie, 3)):
        play_rounds(start(deals, person), seed=seed)
    Entry.objects.filter(user=alice).update(standing=Entry.Standing.OFFICIAL)
    Entry.objects.filter(user=bob).update(standing=Entry.Standing.GUEST)
    close(deals)

    board = build_day_leaderboard(load_field(deals), alice)
    assert [(row.name, row.place) for row in board.official] == [("alice", 1)]
    assert {row.name: row.reason for row in board.others} == {
        "bob": "a guest",
        "charlie": "an account younger than seven days",
    }
    assert build_day_leaderboard(load_field(deals), alice, among={bob.pk}).official == []

    scores = {entry.user.username: entry.score for entry in Entry.objects.select_related("user")}
    period = build_period_leaderboard(deals.day, deals.day, 15, alice)
    assert [(row.name, row.score, row.is_own) for row in period.official] == [
        ("alice", scores["alice"], True)
    ]
    assert {row.name: row.score for row in period.others} == {
        name: scores[name] for name in ("bob", "charlie")
    }


@pytest.mark.django_db
def test_streak_counts_finished_days(alice):
    deals = open_today()
    assert count_streak(alice.pk, deals.day) == 0
    play_rounds(start(deals, alice))
    assert count_streak(alice.pk, deals.day) == 1
