"""One press of Draw draws until something fits, as moves of their own."""

import pytest

from boneyard.engine.perspective import perspective
from games import repository
from games.models import Match
from tests.games.playing import begin, legal, on_turn, play

pytestmark = pytest.mark.django_db

MAX_SEEDS = 400


def must_draw_twice(match: Match) -> bool:
    """Return whether the seat on turn must draw, and must draw again with the next tile."""
    if legal(match) != ["draw"]:
        return False
    value = repository.get_value(match)
    return [str(move) for move in value.play(value.turn, value.legal(value.turn)[0]).legal(value.turn)] == [
        "draw"
    ]


def begin_before_two_draws(*people, **options) -> Match:
    """Start matches until the seat on turn must draw more than one tile."""
    for seed in range(MAX_SEEDS):
        match = begin(*people, seed=str(seed), code=f"draw{seed:06d}", **options)
        for _ in range(12):
            if must_draw_twice(match):
                return match
            match = play(match)
            if repository.get_value(match).ended:
                break
    raise AssertionError("nobody had to draw twice")


def post_draw(browser_of, match: Match, until: str | None = "fits"):
    fields = {"move": "draw", "version": match.version} | ({} if until is None else {"until": until})
    browser = browser_of(on_turn(match).user)
    return browser.post(f"/games/{match.code}/move", fields, headers={"Accept": "application/json"})


def test_draw_repeats_until_a_tile_fits(alice, bob, browser_of):
    match = begin_before_two_draws(alice, bob)
    seat, before = on_turn(match), match.version

    answer = post_draw(browser_of, match)

    moves = list(match.moves.filter(number__gt=before).values_list("number", "seat", "text"))
    assert len(moves) >= 2
    assert moves == [(before + n, seat.position, "draw") for n in range(1, len(moves) + 1)]
    assert answer.json()["version"] == before + len(moves)
    assert "draw" not in answer.json()["legal"]
    view = perspective(repository.get_value(Match.objects.get(pk=match.pk)), seat.position)
    assert [str(move) for move in view.legal] == answer.json()["legal"]


def test_draw_without_until_is_single(alice, bob, browser_of):
    match = begin_before_two_draws(alice, bob)
    answer = post_draw(browser_of, match, until=None)
    assert (answer.json()["version"], answer.json()["legal"]) == (match.version + 1, ["draw"])


def test_draw_stays_single_where_it_is_a_choice(alice, bob, browser_of):
    match = begin_before_two_draws(alice, bob, preset="draw-free")
    assert post_draw(browser_of, match).json()["version"] == match.version + 1


def test_unknown_until_is_malformed(alice, bob, browser_of):
    answer = post_draw(browser_of, begin(alice, bob), until="full")
    assert (answer.status_code, answer.json()["reason"]) == (400, "malformed")


def test_form_draws_until_fits_unless_drawing_singly(alice, bob, browser_of):
    match = begin(alice, bob)
    field = 'name="until" value="fits"'
    assert field in browser_of(alice).get(f"/games/{match.code}/").content.decode()
    type(alice).objects.filter(pk=alice.pk).update(draws_singly=True)
    assert field not in browser_of(alice).get(f"/games/{match.code}/").content.decode()
    chosen = begin(alice, bob, preset="draw-free")
    assert field not in browser_of(bob).get(f"/games/{chosen.code}/").content.decode()
