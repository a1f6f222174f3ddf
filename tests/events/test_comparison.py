"""Percentages and scores, against a plain second computation."""

import random

import pytest

from events import services
from events.comparison import Field, compute_margin, find_rank
from events.field import HOUSE_COUNTS_BELOW, load_field
from events.leaderboards import Leaderboard, Row, build_day_leaderboard, build_period_leaderboard
from events.models import Entry
from events.share import draw_bars
from games import repository
from tests.events.playing import be_official, close, open_today, play_rounds, start, store_house


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
    be_official(*people)
    close(deals)

    margins = []
    for entry in Entry.objects.all():
        record, before, own = repository.build_record(entry.match), [0, 0], []
        for each in record["rounds"]:
            if each["end"]["how"] != "stopped":
                own.append((each["scores"][0] - before[0]) - (each["scores"][1] - before[1]))
            before = each["scores"]
        margins.append(own)
    finished = [each for each in margins if len(each) == 3]  # the field
    assert 0 < len(finished) < len(margins)
    for entry, own in zip(Entry.objects.all(), margins, strict=True):
        others = [each for each in finished if each is not own]
        percents = [plain_percent([own, *others], number, 0) for number in range(len(own))]
        percents += [0.0] * (3 - len(percents))
        assert entry.margins == own
        assert entry.score == pytest.approx(sum(percents) / 3)


@pytest.mark.django_db
def test_house_leaves_when_enough_people_are_official(django_user_model):
    deals = open_today(rounds=1)
    store_house(deals)
    assert len(load_field(deals).counted_house) == 15
    for number in range(HOUSE_COUNTS_BELOW):
        services.start(deals, django_user_model.objects.create_user(f"p{number}"), deals.opens_at)
    Entry.objects.update(margins=[5], finished_at=deals.opens_at)
    assert len(load_field(deals).counted_house) == 15  # new accounts do not count

    Entry.objects.update(standing=Entry.Standing.OFFICIAL)
    loaded = load_field(deals)
    assert loaded.people == HOUSE_COUNTS_BELOW and loaded.counted_house == []


@pytest.mark.django_db
def test_board_gives_no_place_and_no_reason_to_others(alice, bob, charlie):
    deals = open_today()
    for person, seed in ((alice, 1), (bob, 2), (charlie, 3)):
        play_rounds(start(deals, person), seed=seed)
    be_official(alice)
    Entry.objects.filter(user=bob).update(standing=Entry.Standing.GUEST)
    store_house(deals)
    close(deals)

    board = build_day_leaderboard(load_field(deals), alice)
    assert [(row.name, row.place) for row in board.counted] == [("alice", 1)]
    assert {(row.name, row.place, row.reason) for row in board.others} == {
        ("bob", None, ""),
        ("charlie", None, ""),
    }
    assert len({row.name for row in board.house}) == 15
    own = next(row for row in build_day_leaderboard(load_field(deals), bob).others if row.is_own)
    assert own.reason == "you played as a guest"
    assert build_day_leaderboard(load_field(deals), alice, among={bob.pk}).counted == []

    score = Entry.objects.get(user=alice).score
    period = build_period_leaderboard(deals.day, deals.day, 15, alice)
    assert [(row.name, row.score, row.is_own) for row in period.counted] == [("alice", score, True)]
    assert period.others == []


def test_long_board_shows_the_first_and_those_around_the_viewer():
    rows = [Row(n, f"p{n}", "", 100.0 - n, 1, "", n == 9) for n in range(1, 13)]

    shown = Leaderboard(rows, [], []).shown

    assert [row and row.place for row in shown] == [1, 2, 3, None, 7, 8, 9, 10, 11, None]
