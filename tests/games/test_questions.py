"""Short answers of a rules page, held against what the engine does under the same options."""

import re
from html import unescape

import pytest
from django.utils import translation

from boneyard.computer.selfplay import begin_seeded, play_match
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from boneyard.engine.tiles import DOUBLE, HIGH, NAMES, SET_SIZES, members
from games.wording import speech_of
from games.wording.questions import list_questions
from tests.html import collapse_whitespace

TABLES = [(preset, seats) for preset in PRESETS for seats in PRESETS[preset].rules.players]
ALWAYS = (
    "How many people play it?",
    "How many tiles does each player get?",
    "Who starts?",
    "What if no tile fits?",
    "Does a double branch the line?",
    "What is going out worth?",
    "What is a blocked game worth?",
    "When is the match won?",
)
LANGUAGES = ("en", "ru", "es", "es-do", "es-ve", "pt", "pt-pt")


def answers_of(preset: str, seats: int) -> dict[str, str]:
    return dict(list_questions(PRESETS[preset].rules, seats))


@pytest.mark.parametrize("preset", PRESETS)
def test_players_and_tiles_are_those_that_the_engine_deals(preset):
    rules = PRESETS[preset].rules
    answers = answers_of(preset, rules.players[0])
    told = [int(n) for n in re.findall(r"\d+", answers["How many people play it?"])]
    assert told == sorted(rules.players)
    assert ("pairs" in answers["How many people play it?"]) == (rules.in_pairs(4) and len(told) > 1)
    tiles = answers["How many tiles does each player get?"]
    for seats in rules.players:
        hands = {hand.bit_count() for hand in begin_seeded(rules, seats, "asked").round.hands}
        # Seats that drew for the lead hold more.
        size = min(hands)
        assert re.match(rf"{size} tiles?\.", tiles) or re.search(rf"\b{size} with {seats}\b", tiles)
    assert f"{SET_SIZES[rules.set]} tiles." in tiles


@pytest.mark.parametrize(("preset", "seats"), TABLES)
def test_whoever_starts_is_who_the_engine_lets_lead(preset, seats):
    rules, answer = PRESETS[preset].rules, answers_of(preset, seats)["Who starts?"]
    for deal in range(5):
        match = begin_seeded(rules, seats, f"start {deal}")
        lead = match.turn
        assert lead is not None
        hands = [members(hand) for hand in match.round.hands]
        doubles = {HIGH[tile]: seat for seat, hand in enumerate(hands) for tile in hand if DOUBLE[tile]}
        if named := re.match(r"The holder of (\d+-\d+) leads the first round\.", answer):
            others = [tile for seat, hand in enumerate(hands) for tile in hand if seat != lead]
            assert named[1] not in {NAMES[tile] for tile in others}
        elif "highest double" in answer and doubles:
            assert doubles[max(doubles)] == lead
        elif "lowest double" in answer and doubles:
            assert doubles[min(doubles)] == lead
        else:
            assert doubles == {} or "1-1" in answer or answer.startswith("Each seat draws a tile as its lot")
    later = {
        "winner": "Whoever went out leads the next round.",
        "rotate": "led by the seat after the one that led before",
        "first": "found in the same way",
    }
    assert later[rules.next_lead] in answer


@pytest.mark.parametrize(("preset", "seats"), TABLES)
def test_block_is_worth_what_is_answered(preset, seats):
    """Compute the bonus of blocked rounds as the answer says, and compare it with what the engine gave."""
    rules, answer = PRESETS[preset].rules, answers_of(preset, seats)["What is a blocked game worth?"]
    said = next(value for phrase, value in BLOCKS.items() if phrase in answer)
    assert said == rules.blocked_bonus or (said == "difference" and rules.blocked_bonus == "chain")
    assert ("scores double" in answer) == rules.blocked_double
    compared = 0
    for deal in range(12):
        for ended in play_match(rules, ["random"] * seats, f"blocks {deal}").ended:
            if ended.end.how != "blocked" or ended.end.winner is None or not _is_plain(rules):
                continue
            if any(step.added == "carried" for steps in ended.end.sums for step in steps):
                continue  # of a tied block before
            assert sum(ended.end.bonus) == _worth(said, ended.end, rules, seats), (answer, ended.end)
            compared += 1
        if compared > 3:
            break


BLOCKS = {
    "worth one point": "total",
    "brings no bonus": "none",
    "over each heavier one, the difference": "chain",
    "less those in the winning hand": "difference",
    "by which the other pair is heavier": "difference",
    "write nothing": "own",
    "writes nothing": "own",
    "their own too": "table",
    "its own too": "table",
    "the pips in the other hand": "total",
    "the pips in the hands of the other": "total",
}


def _is_plain(rules: Rules) -> bool:
    """Return whether nothing else than the pips makes the bonus."""
    return rules.blocked_bonus in ("total", "difference", "table") and not (
        rules.exact or rules.opening or rules.bonus_ceiling or rules.team_difference or rules.extras.rounds
    )


def _worth(said: str, end, rules: Rules, seats: int) -> int:
    sides = 2 if rules.in_pairs(seats) else seats
    held = [sum(end.pips[side::sides]) for side in range(sides)]
    own = held[end.winner % sides]
    others = sum(held) - own
    pips = {"total": others, "difference": max(0, others - own), "table": sum(held)}[said]
    fives = round(pips / 5 + 0.001)
    return {
        "pips": pips,
        "nearest_five": fives * 5,
        "fifths_nearest": fives,
        "fifths_up": -(-pips // 5),
        "one": 1,
    }[rules.blocked_unit or rules.bonus_unit] * (2 if rules.blocked_double else 1)


@pytest.mark.parametrize(("preset", "seats"), TABLES)
def test_other_answers_follow_the_options(preset, seats):
    rules, answers = PRESETS[preset].rules, answers_of(preset, seats)
    assert set(ALWAYS) <= set(answers)
    assert str(rules.target) in answers["When is the match won?"]
    draws = "boneyard" in answers["What if no tile fits?"]
    boneyard = SET_SIZES[rules.set] - seats * rules.hand_size.at(seats)
    assert draws == (rules.draw != "none" and boneyard > rules.reserve.at(seats))
    branches = "two ends" not in answers["Does a double branch the line?"]
    assert branches == (rules.spinner != "none")
    assert ("Points must be claimed" in answers.get("Does one have to call one's points?", "")) == (
        rules.claims == "muggins"
    )
    if extras := rules.extras._asdict():
        named = [points for points in extras.values() if points]
        assert bool(named) == ("Are there extra points?" in answers)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_language_answers(preset, language):
    with translation.override(language):
        found = list_questions(PRESETS[preset].rules, PRESETS[preset].rules.players[-1])
    assert len(found) >= len(ALWAYS)
    assert all("%" not in text for asked in found for text in asked)
    if language != "en":
        english = set(answers_of(preset, PRESETS[preset].rules.players[-1]))
        assert not english & {asked.question for asked in found}


@pytest.mark.parametrize("language", ["", "/ru", "/es", "/pt"])
@pytest.mark.parametrize("preset", PRESETS)
def test_page_has_them_at_its_top_as_data_for_search_engines(client, db, preset, language):
    page = unescape(collapse_whitespace(client.get(f"{language}/rules/{preset}/").content.decode()))
    top = page[page.index('itemtype="https://schema.org/FAQPage"') : page.index('id="round-drawn"')]
    with translation.override(language.strip("/") or "en"), speech_of(preset).in_region():
        expected = list_questions(PRESETS[preset].rules, PRESETS[preset].rules.players[0])
    assert re.findall(r'<h3 itemprop="name">(.*?)</h3>', top) == [asked.question for asked in expected]
    assert top.count('itemtype="https://schema.org/Question"') == len(expected)
    assert top.count('itemtype="https://schema.org/Answer"') == len(expected)
    assert len(re.findall(r'<p itemprop="text">.+?</p>', top)) == len(expected)
    assert page.count("schema.org/FAQPage") == 1


def test_answers_name_what_opens_a_score_and_what_a_lone_tile_counts():
    answers = answers_of("sea-kozel", 4)
    assert "writes nothing until it is 25 or more at once" in answers["How does a play score?"]
    assert "6-6 alone counts 50" in answers["What is going out worth?"]
    assert "needs 10 at once to get in" in answers_of("big-six", 2)["How does a play score?"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_tile_that_is_left_out_is_named_at_every_number_of_seats(seats):
    answer = answers_of("six-love-cutthroat", seats)["How many tiles does each player get?"]
    assert answer.endswith("With 3 players 0-0 is left out.")
