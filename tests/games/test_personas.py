"""Tests of the computers' personas: seating, rematches and pages."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from django.utils import timezone

from boneyard.computer import styles as computer_styles
from boneyard.computer.players import LEVELS, STRATEGIES
from boneyard.computer.search import SearchPlan
from games import repository
from games.models import Match
from games.referee import _build_turn
from games.wording import PERSONAS
from games.wording.personas import MEASURED_COMMIT, METHODS, PERSONAS_PER_LEVEL, STYLES, WIN_PERCENTAGES
from lobbies import services
from lobbies.models import Sitting
from tests.games.playing import begin
from tests.html import collapse_whitespace
from tests.lobbies.tables import make


def names(match: Match) -> list[str]:
    return [seat.display_name for seat in match.seats.all()]


def against_three(alice) -> Match:
    table = make(alice, "draw", 4, levels=["", "club", "club", "club"])
    services.commit(table, alice, "")
    return Match.objects.get(code=table.code)


def test_personas_at_a_table_are_distinct(alice):
    match = against_three(alice)
    assert set(names(match)) == {"alice", *(persona.name for persona in PERSONAS["club"])}
    assert [seat.name for seat in match.seats.all()][1:] == ["club", "club 2", "club 3"], (
        "names as in records"
    )


def test_persona_names_and_icons_are_unique():
    personas = [persona for group in PERSONAS.values() for persona in group]
    assert len({persona.name for persona in personas}) == len({persona.icon for persona in personas}) == 15


def test_stated_strength_matches_the_documentation():
    docs = (Path(__file__).parents[2] / "docs" / "computer.md").read_text()
    all_fives = docs[docs.index("| all-fives, 2 seats | matches won in per cent |") :].split("\n\n")[0]
    measured = {
        (one, other): int(won)
        for one, other, won in re.findall(r"^\| (\w+) v (\w+) \| (\d+) \(", all_fives, re.M)
    }
    assert {above: measured[above, below] for below, above in pairwise(LEVELS)} == WIN_PERCENTAGES
    assert f"at commit `{MEASURED_COMMIT}`" in docs

    deals = {
        level: strategy.by.samples
        for level, strategy in STRATEGIES.items()
        if isinstance(strategy.by, SearchPlan)
    }
    assert deals == {"strong": 40, "master": 600}
    assert "forty deals" in str(METHODS["strong"])
    assert "many more deals" in str(METHODS["master"])
    assert "same 40 deals" in docs and "up to 600 deals" in docs


def test_each_persona_of_a_level_has_its_style():
    assert len(STYLES) == PERSONAS_PER_LEVEL == len(computer_styles.STYLES)
    assert {tuple(persona.style for persona in group) for group in PERSONAS.values()} == {STYLES}


def test_rematch_keeps_the_persona(alice):
    table = make(alice, "muggins-61", levels=["", "master"])
    services.commit(table, alice, "")
    match = Match.objects.get(code=table.code)
    match.seats.filter(position=1).update(figure=2)
    finished = Match.objects.get(pk=match.pk)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED, ended_at=timezone.now())
    finished.refresh_from_db()
    again = services.offer_rematch(finished, alice)
    assert Sitting.objects.get(table=again, user=None).figure == 2


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "computer, club"), ("ru", "клубный"), ("es", "club"), ("pt", "computador, de clube")],
)
def test_plate_shows_level_and_icon(alice, client, language, said):
    match = begin(alice, "club")
    shown = collapse_whitespace(
        client.get(f"/games/{match.code}/", headers={"Accept-Language": language}).content.decode()
    )
    plate = shown[shown.index('id="seat-1"') :]
    assert 'aria-label="Vesna, ' in plate
    assert said in plate[: plate.index("</span>")]
    assert "icons.svg#bell" in plate
    assert "notches strength-3" in plate


def test_taken_over_seat_keeps_its_name(alice, bob):
    match = begin(alice, bob)
    match.seats.filter(position=1).update(taken_over=True, level="club")
    assert names(match) == ["alice", "bob"]


def test_computers_at_a_table_have_different_names(alice):
    match = begin(alice, "casual", "casual", "casual", preset="dominican")
    assert len(set(names(match))) == 4


def test_computer_does_not_have_the_name_of_a_person_at_the_table(alice):
    alice.username = "otto"
    alice.save()
    assert names(begin(alice, "casual")) == ["otto", "Lina"]


def test_persona_plays_in_its_style_and_a_left_seat_without_one(alice, bob):
    match, left = begin(alice, "club"), begin(alice, bob)
    match.seats.filter(position=1).update(figure=2)
    left.seats.filter(position=1).update(taken_over=True, level="club", figure=2)
    turns = [
        _build_turn(each, repository.get_value(each), each.seats.get(position=1)) for each in (match, left)
    ]
    assert [turn.figure for turn in turns] == [2, None]


def test_computers_page_lists_personas_and_strength(client, db):
    shown = collapse_whitespace(client.get("/rules/computers/").content.decode())
    assert all(persona.name in shown for group in PERSONAS.values() for persona in group)
    assert "wins 71 of 100 matches against the level before" in shown
