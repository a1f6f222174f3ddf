"""Rules pages: the sentences of the sources, whose sentence is whose, and the doubts that were decided."""

from html import unescape

import pytest

from boneyard.engine.presets import PRESETS
from games.wording import describe_rules, sources
from games.wording.doubts import DOUBTS, doubts_of
from tests.html import collapse_whitespace

RUSSIAN_PAGE = {"muggins-200", "muggins-200-pairs", "muggins-exact-61", "muggins-exact-61-pairs"}
SCORING_LEAD = {"muggins-scoring-lead", "muggins-scoring-lead-pairs"}
BLOCK_AND_DRAW = {"block-doublet", "block-doublet-pairs", "draw-free", "draw-free-pairs"}

# What the sources leave open, by preset. A doubt decided in another way needs another line here, and a reason.
DECIDED = {
    "several-tiles": {"gomuggins"},
    "right-angle": {"block-doublet", "block-doublet-pairs", "sebastopol"},
    "block-ties": {"all-fives", "draw", "block", "muggins-61", "muggins-61-pairs"} | BLOCK_AND_DRAW,
    "sebastopol-tie": {"sebastopol"},
    "zero-is-none": {"gomuggins"},
    "more-players": SCORING_LEAD,
    "draw-match": {"draw"},
    "four-edges": {"all-fives"} | SCORING_LEAD,
    "next-lead": RUSSIAN_PAGE,
    "bonus-divided": SCORING_LEAD,
    "fifths": {"muggins-exact-61", "muggins-exact-61-pairs"},
    "chain-tie": RUSSIAN_PAGE,
    "winning-couple": {"block-doublet-pairs", "draw-free-pairs", "muggins-61-pairs", "sebastopol"},
    "block-pays-nobody": {"gomuggins"},
    "named-lead": {"gomuggins"},
    "called-points": RUSSIAN_PAGE | SCORING_LEAD,
    "block-at-once": {"sebastopol"} | BLOCK_AND_DRAW,
    "chuchazo-at-blanks": {"dominican", "puerto-rico-500"},
    "refused-points": {"muggins-exact-61", "muggins-exact-61-pairs"},
    "lá-e-lô": {"brazilian-pairs"},
    "brazilian-block": {"brazilian-pairs"},
    "brazilian-lead": {"brazilian-pairs"},
    "six-love": {"six-love-cutthroat", "six-love-partner"},
    "six-love-alone": {"six-love-cutthroat"},
    "sea-goat": {"sea-kozel"},
    "gaple-closer": {"gaple"},
    "gaple-lead": {"gaple"},
    "latin-draws": {"latin-individual"},
}
# The options by which these presets follow a sentence that they did not follow before.
TO_THE_LETTER = {
    ("block", "goal"): "exceeds",
    ("gomuggins", "lead_draws"): "until somebody has it",
    ("muggins-200", "blocked_unit"): "вычитает",
    ("muggins-200-pairs", "blocked_unit"): "вычитает",
    ("muggins-200-pairs", "partner_pips"): "вычитается",
    ("muggins-exact-61-pairs", "partner_pips"): "вычитается",
    ("muggins-exact-61", "past_target"): "превышает 61",
    ("muggins-exact-61-pairs", "past_target"): "превышает 61",
    ("fives-and-threes-league", "partners_out"): "both players of one team",
    **{(preset, "call_last"): "Маггинс" for preset in RUSSIAN_PAGE},
    **{(preset, "call_last"): "Muggins!" for preset in SCORING_LEAD},
}
SEVERAL_SOURCES = [preset.id for preset in PRESETS.values() if ";" in preset.source]


def page_of(client, preset: str, seats: int) -> str:
    return unescape(collapse_whitespace(client.get(f"/rules/{preset}/?seats={seats}").content.decode()))


def test_doubts_are_those_that_were_decided():
    assert {doubt.id: set(doubt.presets) for doubt in DOUBTS} == DECIDED


@pytest.mark.parametrize("preset", PRESETS)
def test_page_lists_its_doubts_in_one_place(client, db, preset):
    shown = page_of(client, preset, PRESETS[preset].rules.players[0])
    for doubt in doubts_of(preset):
        assert shown.count(str(doubt.question)) == shown.count(str(doubt.answer)) == 1
        assert shown.index('id="doubts"') < shown.index(str(doubt.question)) < shown.index('id="source"')


@pytest.mark.parametrize(("preset", "option"), sorted(TO_THE_LETTER))
def test_source_stands_beside_what_is_played(client, db, preset, option):
    words = TO_THE_LETTER[preset, option]
    own = PRESETS[preset].rules.as_dict()[option]
    assert any(words in quotation.words for quotation in sources.quotations(preset, option, own))
    players = PRESETS[preset].rules.players
    assert any(words in page_of(client, preset, seats) for seats in (players[0], players[-1]))


@pytest.mark.parametrize(("seats", "shown"), [(2, 0), (3, 0), (4, 1)])
def test_sentences_about_teams_are_quoted_for_pairs_only(client, db, seats, shown):
    page = page_of(client, "fives-and-threes-league", seats)
    for words in ("both players of one team have chipped out", "a team of which both members chip out"):
        assert page.count(words) == shown


@pytest.mark.parametrize("preset", SEVERAL_SOURCES)
def test_stitched_preset_says_whose_sentence_is_whose(client, db, preset):
    seats = PRESETS[preset].rules.players[0]
    options = [
        option for sentence in describe_rules(PRESETS[preset].rules, seats) for option in sentence.options
    ]
    named = {sources.attribution(preset, [option]) for option in options} - {""}
    assert len(named) >= 2, named
    assert page_of(client, preset, seats).count('class="whose-rule"') >= 2


def test_one_source_is_not_repeated_at_each_sentence(client, db):
    assert "whose-rule" not in page_of(client, "block", 2)


@pytest.mark.parametrize("preset", [preset.id for preset in PRESETS.values() if preset.variants])
def test_page_lists_the_choices_of_the_source(client, db, preset):
    shown = "".join(page_of(client, preset, seats) for seats in PRESETS[preset].rules.players)
    for option, values in PRESETS[preset].variants.items():
        for value in values:
            for quotation in sources.quotations(preset, option, value):
                assert quotation.words in shown


def test_page_lists_no_choice_without_effect(client, db):
    two, four = (page_of(client, "muggins-200", seats).partition('id="choices"')[2] for seats in (2, 4))
    # For two players the page's other hands are seven tiles, too.
    assert "Each hand is dealt" not in two and "never drawn" in two
    assert four.count("Each hand is dealt 7 tiles.") == 1 and "never drawn" not in four


@pytest.mark.parametrize(
    "preset", [name for name, preset in PRESETS.items() if "free" in preset.variants.get("draw", ())]
)
def test_page_calls_no_choice_a_house_rule(client, db, preset):
    shown = page_of(client, preset, PRESETS[preset].rules.players[0])
    assert "Drawing at will is a choice that stays rated." in shown
    assert "Drawing at will is a house rule." not in shown
