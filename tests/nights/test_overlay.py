"""The overlay of a table of a night: what was known some seconds ago, and nothing of later."""

import re
from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from boneyard.engine.tiles import NAMES, members
from games import repository
from nights import services
from nights.models import Act, DrawnRound, Night, SentResult
from nights.overlay import build_table, find_round, find_table
from tests.games.playing import play, play_to_the_end
from tests.games.test_overlay import spread_moves
from tests.nights.conftest import address, press
from tests.nights.phones import act, begin_round, keep, make_night, tables_of

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


def read(client, night: Night, **query) -> str:
    return client.get(address(night, "overlay/"), {"table": 1, **query}).content.decode()


def set_back(night: Night, span: timedelta) -> None:
    """Let all that has happened at real tables have happened so long ago."""
    drawn = DrawnRound.objects.filter(night=night)
    drawn.update(drawn_at=F("drawn_at") - span, closed_at=F("closed_at") - span)
    Act.objects.filter(night=night).update(at=F("at") - span)
    SentResult.objects.filter(table__drawn_round__in=drawn).update(confirmed_at=F("confirmed_at") - span)


def enter(desk, night: Night, points: str, number: int = 1) -> None:
    table = tables_of(night, find_round(night, timezone.now()).number)[number - 1]
    fields = {"round": table.drawn_round.number, "table": number, "version": table.version, "points": points}
    desk.post(address(night, "result"), fields)


def names_at(night: Night, moment=None) -> list[str]:
    return [person.name for half in build_table(night, 1, moment or timezone.now()).halves for person in half]


def test_real_table_shows_its_people_and_the_result_once_it_is_confirmed(desk, evening, client):
    press(desk, evening, "draw")
    page = read(client, evening)
    table = tables_of(evening)[0]
    entries = {entry.number: entry.name for entry in evening.entries.all()}
    assert names_at(evening) == [entries[number] for side in table.sides for number in side]
    assert "<b>Table 1</b>" in page and "Round 1 of" in page
    assert "<b>Inés</b>" not in page.replace("<b>&lt;b&gt;", "")
    enter(desk, evening, "120,85")
    page = read(client, evening)
    assert re.findall(r">(120|85)</b>", page) == ["120", "85"]
    assert "Round 1, table 1" in page


def test_result_of_the_last_minute_is_not_in_the_delayed_overlay(desk, evening, client):
    press(desk, evening, "draw")
    set_back(evening, 10 * MINUTE)
    enter(desk, evening, "120,85")
    assert ">120</b>" in read(client, evening)
    assert ">120</b>" not in read(client, evening, delay=60)
    set_back(evening, 2 * MINUTE)
    enter(desk, evening, "125,85")
    assert ">125</b>" in read(client, evening)
    assert ">120</b>" in read(client, evening, delay=60)


def test_somebody_absent_after_the_result_takes_it_back(desk, host, evening):
    press(desk, evening, "draw")
    enter(desk, evening, "120,85")
    known = timezone.now()
    number = tables_of(evening)[0].sides[0][0]
    act(services.mark_absent, evening, host, number)
    assert build_table(evening, 1, known).points
    assert not build_table(evening, 1, timezone.now()).points


def test_swap_and_draw_of_the_last_minute_are_not_in_the_delayed_overlay(desk, host, evening, client):
    press(desk, evening, "draw")
    set_back(evening, 10 * MINUTE)
    before = names_at(evening)
    one, other = (table.sides[0][0] for table in tables_of(evening)[:2])
    act(services.swap, evening, host, one, other)
    assert names_at(evening) != before
    assert names_at(evening, timezone.now() - MINUTE) == before
    swapped = names_at(evening)
    set_back(evening, 10 * MINUTE)
    press(desk, evening, "draw", anyway="1")
    one, other = (table.sides[0][0] for table in tables_of(evening, 2)[:2])
    act(services.swap, evening, host, one, other)
    assert "Round 2" in read(client, evening)
    assert "Round 1" in read(client, evening, delay=60)
    assert names_at(evening, timezone.now() - MINUTE) == swapped


def test_undone_draw_is_shown_until_it_was_undone(desk, host, evening):
    press(desk, evening, "draw")
    known = timezone.now()
    act(services.undo, evening, host)
    assert names_at(evening, known)
    assert not names_at(evening)


def test_between_rounds_comes_what_is_next(desk, host, evening, client):
    assert "Round 1 is drawn soon" in read(client, evening)
    press(desk, evening, "draw")
    assert "No table 9 in this round" in read(client, evening, table=9)
    enter(desk, evening, "120,85")
    press(desk, evening, "close")
    page = read(client, evening)
    assert "Round 2 is drawn soon" in page and ">120</b>" not in page
    press(desk, evening, "finish")
    assert "The night is over" in read(client, evening)


def test_unchanged_table_is_answered_with_nothing(desk, evening, client):
    press(desk, evening, "draw")
    stamp = re.search(r'name="stamp" value="([^"]+)"', read(client, evening))[1]
    where = {"path": address(evening, "overlay/"), "HTTP_HX_REQUEST": "true"}
    assert client.get(**where, data={"table": 1, "stamp": stamp}).status_code == 204
    changed = client.get(**where, data={"table": 2, "stamp": stamp})
    assert changed.status_code == 200
    assert "<html" not in changed.content.decode()


@pytest.mark.parametrize("query", [{"table": "0"}, {"table": "x"}, {"table": "-1"}, {"delay": "5"}])
def test_unknown_table_or_delay_is_not_found(evening, client, query):
    assert client.get(address(evening, "overlay/"), {"table": 1, **query}).status_code == 404


def test_night_of_a_club_has_an_overlay_for_its_people_alone(evening, client, desk):
    Night.objects.filter(pk=evening.pk).update(audience="club")
    assert client.get(address(evening, "overlay/"), {"table": 1}).status_code == 404
    assert desk.get(address(evening, "overlay/"), {"table": 1}).status_code == 200


def test_on_phones_the_overlay_is_the_match_with_the_names_of_the_night(host, client):
    night = make_night(host, hands=2)
    first, second = begin_round(night, host)
    page = read(client, night)
    assert 'class="overlay-panel"' in page and 'name="table" value="1"' in page
    entries = {entry.number: entry.name for entry in night.entries.all()}
    table = tables_of(night)[0]
    assert all(entries[number] in page for side in table.sides for number in side)
    assert "person1" not in page
    assert client.get(f"/games/{first.code}/overlay/").status_code == 404
    assert read(client, night) != read(client, night, table=2)
    for match in (first, second):
        play_to_the_end(match)
    keep(night)
    assert "had the best score after the last round" in read(client, night)


def test_match_that_began_within_the_last_minute_is_not_in_the_delayed_overlay(host, client):
    night = make_night(host, hands=2)
    match, _other = begin_round(night, host)
    DrawnRound.objects.filter(night=night).update(drawn_at=timezone.now() - 10 * MINUTE)
    for _ in range(3):
        match = play(match)
    page = read(client, night, delay=60)
    assert "overlay-panel" not in page and "data-tile=" not in page
    assert "<b>Table 1</b>" in page
    spread_moves(match, timezone.now() - 5 * MINUTE, 90 * timedelta(seconds=1))
    late, now = (read(client, night, delay=delay).count("data-tile=") for delay in (180, 0))
    assert late == 1 < now


def test_no_overlay_of_a_night_names_a_tile_that_is_in_a_hand(host, client):
    night = make_night(host, hands=2)
    match, _other = begin_round(night, host)
    for _ in range(8):
        value = repository.get_value(match)
        hidden = {NAMES[tile] for hand in value.round.hands for tile in members(hand)}
        page = read(client, night)
        assert "overlay-panel" in page
        assert not hidden & set(re.findall(r"\b\d+-\d+\b", page))
        match = play(match)


def test_swapped_back_names_are_those_of_the_draw(host, evening, desk):
    press(desk, evening, "draw")
    known = timezone.now()
    drawn = find_round(evening, known)
    before = find_table(drawn, 1, known).sides
    for _ in range(2):
        one, other = (table.sides[0][0] for table in tables_of(evening)[:2])
        act(services.swap, evening, host, one, other)
    one, other = (table.sides[1][1] for table in tables_of(evening)[:2])
    act(services.swap, evening, host, one, other)
    assert find_table(find_round(evening, known), 1, known).sides == before
