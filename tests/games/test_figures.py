"""Every figure that a finished match shows is added up, over random matches of all presets, against its record."""

import re
from operator import sub
from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from boneyard.computer.selfplay import RANDOM, play_match
from boneyard.engine.matches import Match as Value
from boneyard.engine.presets import PRESETS
from games import repository
from games.models import Match
from games.wording import names_for_seat, round_sentence, side_names
from tests.games.playing import begin
from tests.games.test_table_page import render_frame
from tests.html import collapse_whitespace

pytestmark = pytest.mark.django_db

TAGS = re.compile(r"<[^>]+>")
MATCHES_PER_PRESET = 2


def number_of(text: str) -> int:
    return int(TAGS.sub("", text).replace("−", "-"))


@pytest.fixture
def people(alice, bob, charlie):
    return [alice, bob, charlie, "casual"]


def store_finished(people, preset: str, value: Value) -> Match:
    """Return a stored match of these people that has ended like `value`."""
    match = begin(*people[: value.seats], preset=preset, seed=f"{preset} {value.seats}")
    match.refresh_from_db()
    repository.cache_value(match.pk, value.move_count, value)
    Match.objects.filter(pk=match.pk).update(
        version=value.move_count,
        status=Match.Status.FINISHED,
        result_how=value.result.how,
        winners=list(value.result.winners),
        scores=list(value.scores),
        ended_at=timezone.now(),
        next_action_at=None,
        pause_until=None,
    )
    match.refresh_from_db()
    return match


@pytest.mark.parametrize("preset", PRESETS)
def test_every_figure_of_a_finished_match_adds_up(preset, people):
    rng = Random(f"figures {preset}")
    for number in range(MATCHES_PER_PRESET):
        rules = PRESETS[preset].rules
        seats = rng.choice(rules.players)
        value = play_match(rules, [RANDOM] * seats, f"figures {preset} {number}")
        match = store_finished(people, preset, value)
        page = collapse_whitespace(render_frame(match, people[0]))
        names = [seat.display_name for seat in match.seats.all()]
        check_totals(page, value)
        check_rounds(page, value)
        check_ledger(page, value, side_names(value.sides, names))
        check_moves(page, value)
        check_announcements(value, names)
        check_state(match, value)


def last_gains(value: Value) -> list[int]:
    """Return by how much each score rose in the last round."""
    before = value.ended[-2].scores if len(value.ended) > 1 else (0,) * len(value.scores)
    return [*map(sub, value.scores, before)]


def check_totals(page: str, value: Value) -> None:
    sheet = re.search(r'<div class="result">(.*?)</div>', page)[1]
    assert [*map(number_of, re.findall(r"<b>(.*?)</b>", sheet))] == [*value.scores]
    for side, score in enumerate(value.scores):
        assert number_of(re.search(rf'id="score-{side}"[^>]*>(.*?)<', page)[1]) == score


def check_rounds(page: str, value: Value) -> None:
    table = re.search(r'<div class="by-round".*?<tbody>(.*?)</tbody>', page)
    if len(value.ended) < 2:
        assert table is None
        return
    for side, row in enumerate(re.findall(r"<tr>(.*?)</tr>", table[1])):
        total, *gains = map(number_of, re.findall(r"<td[^>]*>(.*?)</td>", row))
        assert sum(gains) == total == value.scores[side]
        assert gains[0] == last_gains(value)[side]
        assert len(gains) == len(value.ended)


def check_ledger(page: str, value: Value, sides: tuple[str, ...]) -> None:
    """Check that the sum of each side ends in its gain, and that those without a sum show it, or "nothing"."""
    ledger = re.search(r'<div class="ledger-sum">(.*?)</div>', page)[1]
    gains = dict(zip(sides, last_gains(value), strict=True))
    for line in re.findall(r'<p class="sum-line.*?</p>', ledger):
        parts = re.findall(r"<em>(.*?)</em>|<b[^>]*>(.*?)</b><small>(.*?)</small>", line)
        total, sign = 0, 1
        for operator, figure, owner in parts:
            if operator:
                sign = {"+": 1, "−": -1, "=": 0}[operator]
            elif sign:
                total += sign * number_of(figure)
                assert TAGS.sub("", owner).strip()
            else:
                name = next(
                    name for name in sides if TAGS.sub("", owner).strip() == name.replace("&", "&amp;")
                )
                assert total == number_of(figure) == gains.pop(name)
    for line in re.findall(r"<span>(.*?)</span>", re.search(r'<p class="gains">(.*?)</p>', ledger)[1]):
        words = TAGS.sub(" ", line).split()
        name = next(name for name in gains if " ".join(words).startswith(name.replace("&", "&amp;")))
        figure = re.search(r"<b[^>]*>(.*?)</b>", line)
        assert (number_of(figure[1]) if figure else 0) == gains.pop(name)
    assert not gains


def check_moves(page: str, value: Value) -> None:
    """Check that the points in the move list and those of the round's end make the gains of the last round."""
    moves = re.search(r'<ol id="moves".*?</ol>', page)[0]
    shown = [0] * len(value.scores)
    for item in re.findall(r"<li id=\"move-.*?</li>", moves):
        points = re.search(r'<span class="points">(.*)</span>', item)
        if points is None:
            continue
        side = int(re.findall(r'href="#side-(\d)"', item)[-1])
        shown[side] += int(re.search(r"\+(\d+)(?!.*\+\d)", TAGS.sub("", points[1]))[1])
        why = re.search(r'class="reason">(.*?)</span>', points[1])
        text = TAGS.sub("", why[1]) if why else ""
        if "=" in text:
            summands, total = text.split(",")[0].split("=")
            assert sum(map(int, summands.split("+"))) == int(total)
    end = value.ended[-1].end
    if end.how != "stopped":
        taken = end.taken or (0,) * len(shown)
        reset = end.reset or (0,) * len(shown)
        changes = zip(shown, end.bonus, taken, reset, strict=True)
        shown = [each + bonus - lost - back for each, bonus, lost, back in changes]
    assert [each - end.netted for each in shown] == last_gains(value)


def check_announcements(value: Value, names: list[str]) -> None:
    """Check that what is said at the end of each round is what it gave and took."""
    for ended in value.ended:
        end = ended.end
        said = round_sentence(end, value.sides, names_for_seat(names, 0), value.rules)
        given = sum(map(int, re.findall(r"(?:scores?|writes?) (\d+)", said)))
        cost = sum(map(int, re.findall(r"cost .*? (\d+)\.", said)))
        netted = sum(map(int, re.findall(r"smaller gain, (\d+)", said)))
        in_play = sum((entry.scored or 0) + sum(entry.award or ()) for entry in ended.log)
        before = value.ended[ended.number - 2].scores if ended.number > 1 else (0,) * len(ended.scores)
        assert bool(end.reset) == ("back to 0" in said)
        assert in_play + given - cost - 2 * netted - sum(end.reset) == sum(map(sub, ended.scores, before)), (
            said
        )


def check_state(match: Match, value: Value) -> None:
    state = Client().get(f"{match.get_absolute_url()}state.json").json()
    assert state["scores"] == [*value.scores]
    assert state["result"] == {"how": value.result.how, "winners": [*value.result.winners]}
    end = state["last_round"]["end"]
    assert end["bonus"] == [*value.ended[-1].end.bonus]
    assert end.get("reset", []) == [*value.ended[-1].end.reset]
    assert end.get("taken", []) == [*value.ended[-1].end.taken]
