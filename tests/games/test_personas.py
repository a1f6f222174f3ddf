"""The computers by name: who sits down, who stays in a rematch, and what the pages say of them."""

import re
from pathlib import Path

import pytest
from django.utils import timezone

from games.computer.players import STRATEGIES
from games.computer.search import SearchPlan
from games.models import Match
from games.wording import PERSONAS
from games.wording.personas import WIN_PERCENTAGES
from lobbies import services
from lobbies.models import Sitting
from tests.games.playing import begin
from tests.html import collapse_whitespace
from tests.lobbies.tables import make


def names(match: Match) -> list[str]:
    return [seat.display_name for seat in match.seats.all()]


def against_three(alice) -> Match:
    table = make(alice, "draw", 4, levels=["", "club", "club", "club"])
    services.give_nonce(table, alice, "a")
    return Match.objects.get(code=table.code)


def test_no_two_at_a_table_have_a_name(alice):
    match = against_three(alice)
    assert set(names(match)) == {"alice", *(figure.name for figure in PERSONAS["club"])}
    assert [seat.name for seat in match.seats.all()][1:] == ["club", "club 2", "club 3"], (
        "as a record has them"
    )


def test_every_figure_has_a_name_of_its_own():
    everybody = [figure for figures in PERSONAS.values() for figure in figures]
    assert len({figure.name for figure in everybody}) == len({figure.icon for figure in everybody}) == 15


def test_what_is_said_of_their_strength_and_their_thinking_is_measured_and_true():
    docs = (Path(__file__).parents[2] / "docs" / "computer.md").read_text()
    all_fives = docs[docs.index("| | matches won | points a round |") :].split("\n\n")[0]
    measured = re.findall(r"^\| (\w+) v \w+ \| ([\d.]+) % ±", all_fives, re.M)
    assert {level: round(float(won)) for level, won in measured} == WIN_PERCENTAGES

    deals = {level: play.by.samples for level, play in STRATEGIES.items() if isinstance(play.by, SearchPlan)}
    said = {level: " ".join(str(figure.character) for figure in PERSONAS[level]) for level in PERSONAS}
    assert deals == {"strong": 40, "master": 150}
    assert "forty deals" in said["strong"]
    assert "150 deals" in said["master"]


def test_who_was_there_is_there_again_in_a_rematch(alice):
    table = make(alice, "muggins-61", levels=["", "master"])
    services.give_nonce(table, alice, "a")
    match = Match.objects.get(code=table.code)
    match.seats.filter(position=1).update(figure=2)
    services_match = Match.objects.get(pk=match.pk)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED, ended_at=timezone.now())
    services_match.refresh_from_db()
    again = services.offer_rematch(services_match, alice)
    assert Sitting.objects.get(table=again, user=None).figure == 2


@pytest.mark.parametrize(("language", "said"), [("en", "computer, club"), ("ru", "клубный"), ("es", "club")])
def test_a_plate_says_the_level_in_words_and_draws_the_object(alice, client, language, said):
    match = begin(alice, "club")
    shown = collapse_whitespace(
        client.get(f"/games/{match.code}/", headers={"Accept-Language": language}).content.decode()
    )
    plate = shown[shown.index('id="seat-1"') :]
    assert 'aria-label="Vesna, ' in plate
    assert said in plate[: plate.index("</span>")]
    assert "icons.svg#bell" in plate
    assert "notches strength-3" in plate


def test_a_seat_that_was_taken_over_keeps_its_persons_name(alice, bob):
    match = begin(alice, bob)
    match.seats.filter(position=1).update(taken_over=True, level="club")
    assert names(match) == ["alice", "bob"]


def test_their_page_says_what_each_level_does_and_how_strong_it_is(client, db):
    shown = collapse_whitespace(client.get("/rules/computers/").content.decode())
    assert all(figure.name in shown for figures in PERSONAS.values() for figure in figures)
    assert "wins 74 of 100 matches against the level before" in shown
