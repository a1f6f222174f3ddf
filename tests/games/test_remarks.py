"""What the computers say now and then: found from what everybody sees, and silenced with one press."""

import re
from collections import Counter
from functools import cache
from html import unescape

import pytest
from django.utils import translation

from boneyard.computer.selfplay import begin_seeded
from boneyard.engine.matches import Match
from boneyard.engine.moves import RESIGN
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from boneyard.engine.round_ends import EndedRound
from games.models import Seat
from games.table.bubbles import find_bubbles
from games.table.remarks import Remark, find_remark
from games.wording import DEFAULT_SPEECH
from games.wording.personas import MANNERS
from tests.games.playing import begin

WORDS = [{str(text) for pair in manner.remarks.values() for text in pair} for manner in MANNERS]
FIGURES = range(len(MANNERS))


def computers(seats: int, first: int = 0) -> list[Seat]:
    return [
        Seat(position=seat, kind=Seat.Kind.COMPUTER, level="club", figure=(first + seat) % 3)
        for seat in range(seats)
    ]


@cache
def positions(preset: str, seats: int) -> list[tuple[str, Match, EndedRound | None]]:
    """Return (code, match, ended round or None) of every position of six matches, and of each end of a round."""
    found: list[tuple[str, Match, EndedRound | None]] = []
    for deal in range(6):
        match = begin_seeded(PRESETS[preset].rules, seats, f"said {deal}")
        while match.turn is not None:
            found.append((f"{preset}{deal}", match, None))
            legal = match.legal(match.turn)
            after = match.play(match.turn, legal[match.move_count % len(legal)])
            if len(after.ended) > len(match.ended):
                found.append((f"{preset}{deal}", after, after.ended[-1]))
            match = after
    return found


def say(preset: str, seats: int, first: int = 0) -> list[Remark]:
    rows = computers(seats, first)
    found = [
        find_remark(code, perspective(match, None), rows, ended)
        for code, match, ended in positions(preset, seats)
    ]
    return [remark for remark in found if remark]


@pytest.mark.parametrize("first", FIGURES)
def test_each_computer_speaks_in_its_own_words(first):
    rows = computers(4, first)
    remarks = say("pairs-international", 4, first) + say("all-fives", 4, first)
    assert len(remarks) > 10
    for seat, text, _moment in remarks:
        assert text in WORDS[rows[seat].figure]


def test_no_words_are_those_of_two_computers():
    assert sum(map(len, WORDS)) == len(set().union(*WORDS))


def test_the_talkative_one_speaks_most_and_the_sparing_one_least():
    spoken = Counter(first for first in FIGURES for said in say("all-fives", 2, first) if said.seat == 0)
    assert spoken[1] < spoken[0] < spoken[2]


def test_remarks_are_rare_in_play():
    positions_in_play = [each for each in positions("all-fives", 2) if each[2] is None]
    assert len(say("all-fives", 2)) < 0.3 * len(positions_in_play)  # each lasts for two moves


def test_remark_depends_on_nothing_that_is_hidden():
    """Find the remark again from a spectator's view of a match whose hidden tiles have changed places."""
    rows, changed = computers(2), 0
    for code, match, ended in positions("draw", 2):
        hands = match.round.hands
        others = match._replace(round=match.round._replace(hands=(hands[1], hands[0])))
        if len(set(map(int.bit_count, hands))) > 1 or ended or match.round.layout is None:
            continue
        changed += 1
        views = [perspective(each, None) for each in (match, others)]
        assert find_remark(code, views[0], rows, ended) == find_remark(code, views[1], rows, ended)
    assert changed > 50


def test_nobody_speaks_for_a_person():
    rows = [*computers(1), Seat(position=1, kind=Seat.Kind.PLAYER, name="alice")]
    for code, match, ended in positions("all-fives", 2):
        remark = find_remark(code, perspective(match, None), rows, ended)
        assert remark is None or remark.seat == 0


def test_what_the_rules_have_a_seat_say_comes_first():
    spoken: Counter[bool] = Counter()
    for _code, match, ended in positions("block", 2):
        view = perspective(match, None)
        called = find_bubbles(view, ended, DEFAULT_SPEECH)
        for seat in range(2) if ended else ():
            bubbles = find_bubbles(view, ended, DEFAULT_SPEECH, Remark(seat, "Hm.", "end"))
            spoken.update(bubble.side is None for bubble in bubbles.values())
            assert {each: bubbles[each] for each in called} == called
    assert spoken[True] and spoken[False]


def test_nobody_boasts_of_a_match_that_was_not_played_out():
    rows = computers(2, first=1)
    for code, match, _ended in positions("all-fives", 2):
        if match.result:
            continue
        left = match.play(0, RESIGN)
        assert left.result and find_remark(code, perspective(left, None), rows, left.ended[-1]) is None


def test_equal_words_at_another_moment_are_another_remark():
    by_moment: dict[tuple[str, str], Remark] = {}
    for code, match, ended in positions("all-fives", 2):
        if remark := find_remark(code, perspective(match, None), computers(2), ended):
            assert by_moment.setdefault((code, remark.moment), remark) == remark
    said = Counter((code, remark.text) for (code, _moment), remark in by_moment.items())
    assert max(said.values()) > 1


@pytest.mark.django_db
def test_one_press_silences_the_computers_for_good(alice, browser_of):
    match, browser = begin(alice, "club"), browser_of(alice)
    page = browser.get(match.get_absolute_url()).content.decode()
    assert 'data-remarks="on"' in page and "Silence the computers" in page

    answer = browser.post(f"/games/{match.code}/emote", {"remarks": "0"}, headers={"HX-Request": "true"})

    assert answer.status_code == 200
    assert 'data-remarks="off"' in browser.get(match.get_absolute_url()).content.decode()
    assert 'data-remarks="off"' in browser.get("/").content.decode()
    browser.post(f"/games/{match.code}/emote", {"remarks": "1"})
    assert 'data-remarks="on"' in browser.get("/").content.decode()


@pytest.mark.django_db
def test_nothing_offers_silence_where_no_computer_sits(alice, bob, browser_of):
    match = begin(alice, bob)
    assert "Silence the computers" not in browser_of(alice).get(match.get_absolute_url()).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "ru", "es", "pt"])
def test_remark_is_at_the_plate_in_the_language_of_the_reader(alice, browser_of, language):
    match = begin(alice, "club", code="greeting02")
    match.seats.update(figure=2)
    type(alice).objects.filter(pk=alice.pk).update(language=language)
    page = browser_of(alice).get(match.get_absolute_url()).content.decode()
    with translation.override(language):
        greetings = {str(text) for text in MANNERS[2].remarks["begin"]}
    (said,) = re.findall(r'class="remark" data-moment="[^"]+">([^<]+)<', page)
    assert unescape(said) in greetings
