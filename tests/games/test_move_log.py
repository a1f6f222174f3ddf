"""The lines of the move list."""

import re

import pytest
from django.utils import translation
from django.utils.html import strip_tags

from boneyard.engine.moves import parse
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from boneyard.engine.rounds import Entry
from boneyard.engine.terms import terms
from games.table.move_log import build_move_log, move_lines
from games.table.movelist import render_items, render_move_list, render_newest_move
from tests.engine.positions import arrange, play_moves, rules_of

DRAW_GAME = terms(PRESETS["draw"].rules, 2)


def lines_of(*log: tuple[int, str]) -> list[tuple[int, str | None, int]]:
    """Return each line's seat, move and number of draws."""
    entries = tuple(Entry(seat, parse(move)) for seat, move in log)
    return [
        (line.seat, line.move and str(line.move), line.drew)
        for line in build_move_log(entries, DRAW_GAME).all
    ]


@pytest.mark.parametrize("going", ["resign", "time", "left", "abort"])
def test_departure_follows_draws_of_others(going):
    lines = lines_of((0, "6-6"), (1, "draw"), (1, "draw"), (0, going))
    assert lines == [(0, "6-6", 0), (1, None, 2), (0, going, 0)]


def test_draws_are_on_the_line_of_the_play():
    assert lines_of((0, "6-6"), (1, "draw"), (1, "6-1@L")) == [(0, "6-6", 0), (1, "6-1@L", 1)]


def test_draws_after_a_departure_are_on_the_line_of_the_play():
    lines = lines_of((0, "6-6"), (1, "draw"), (0, "takeover"), (1, "draw"), (1, "6-1@L"))
    assert lines == [(0, "6-6", 0), (1, None, 1), (0, "takeover", 0), (1, "6-1@L", 1)]


def test_call_comes_before_open_draws():
    lines = lines_of((0, "6-6"), (1, "draw"), (0, "muggins"), (1, "6-1@L"))
    assert lines == [(0, "6-6", 0), (0, "muggins", 0), (1, "6-1@L", 1)]


def test_points_for_passes_name_the_side_that_gets_them():
    pairs = terms(PRESETS["dominican"].rules, 4)
    log = (Entry(0, parse("6-6")), Entry(1, parse("pass"), award=(25, 0)))
    lines, names = build_move_log(log, pairs).all, ["ana", "lina", "max", "zeca"]
    with translation.override("en"):
        listed = render_move_list(lines, names, pairs, lines[-1])
        newest = render_newest_move(lines, names, pairs)[1].inner_html
    for html in (listed, newest):
        assert " ".join(strip_tags(html).split()).endswith("Pase corrido! +25 ana &amp; max")
        assert html.rindex('href="#side-0"') > html.index("Pase corrido")


@pytest.mark.parametrize(("tile", "points"), [("5-2", "last tile +1"), ("6-3", "9, last tile +4")])
def test_points_for_the_last_tile_are_named(tile, points):
    match = play_moves(arrange(rules_of("fives-and-threes"), [tile, "6-6"]), tile)
    terms_, names = match.terms, ["ana", "bob"]
    with translation.override("en"):
        html = render_move_list(move_lines(match.ended[0].log, terms_), names, terms_, None)
    assert " ".join(strip_tags(html).split()).endswith(points)
    assert "<wbr>" not in html  # a sum as short as 6+3=9 stands in one line


def test_points_that_may_be_called_are_not_told_by_the_last_tile():
    rules = rules_of("fives-and-threes").replace(claims="muggins", call_last=True)
    match = arrange(rules, ["5-2", "6-6"]).play(0, parse("5-2"), 0)
    entry = perspective(match, 1).log[-1]
    terms_, names = match.terms, ["ana", "bob"]
    assert (match.round.log[-1].points, entry.points) == (1, None)
    (line,) = move_lines((entry,), terms_)
    assert (line.out, line.sum, line.points) == (0, (), None)
    with translation.override("en"):
        assert "last tile" not in render_move_list([line], names, terms_, line)


def test_item_of_the_move_list_is_a_sentence_by_ear():
    terms_ = terms(rules_of("all-fives"), 2)
    log = (
        Entry(0, parse("6-6")),
        Entry(1, parse("draw")),
        Entry(1, parse("draw")),
        Entry(1, parse("6-3@L"), scored=15),
    )
    with translation.override("en"):
        lead, answer = render_items(build_move_log(log, terms_).all, ["ana", "bob"], terms_, None)
    told = re.compile(
        r'<span class="visually-hidden">([^<]*)</span><span class="move-line" aria-hidden="true">'
    )
    assert told.match(lead.inner_html)[1] == "ana: 6-6 led"
    assert told.match(answer.inner_html)[1] == "bob: drew 2, 6-3 to the left, 15 points"
