"""Several tiles in one turn: what the page plans, counts and plays."""

from random import Random

import pytest

from boneyard.computer.selfplay import begin_seeded
from boneyard.engine.moves import parse
from boneyard.engine.perspective import perspective
from boneyard.engine.presets import PRESETS
from games.models import Match
from games.table.hand import Hand
from tests.games.playing import begin, legal, on_turn
from tests.games.test_table_page import Buttons, is_enabled, play_until, render_frame, view_of

pytestmark = pytest.mark.django_db


def count_after(match: Match, move: str) -> int:
    """Return the count after a move of the seat on turn."""
    return view_of(match, on_turn(match).user).layout_after(parse(move)).count


def test_several_tiles_are_planned_and_then_played(alice, bob, charlie, django_user_model):
    diana = django_user_model.objects.create_user("diana")
    for seed in "abcdefgh":
        match = begin(alice, bob, charlie, diana, preset="gomuggins", seed=seed)
        try:
            match = play_until(match, lambda moves: any("+" in move for move in moves), limit=14)
            break
        except AssertionError:
            continue
    mover = on_turn(match).user
    several = next(move for move in legal(match) if "+" in move)
    first, second, *_more = several.split("+")

    begun = Buttons(render_frame(match, mover, several=first))
    planned = next(b for b in begun.found if "is-planned" in b["drawn"] and "spot" in (b.get("class") or ""))
    assert planned["aria-pressed"] == "true"
    assert begun.one(first.split("@")[0])["aria-pressed"] == "true"
    assert is_enabled(begun.one(f"Play 1 tile, makes {count_after(match, first)}"))
    onward = [
        b
        for b in begun.found
        if "spot" in (b.get("class") or "") and f"{b['data-tile']}@{b['data-end']}" == second
    ]
    assert onward[0]["name"] == "chosen"
    assert set(onward[0]["value"].split("+")) == {first, second}

    ready = Buttons(render_frame(match, mover, several=several))
    count = count_after(match, several)
    button = ready.one(f"Play {several.count('+') + 1} tiles, makes {count}")
    assert f'id="total">{count}<' in render_frame(match, mover, several=several)
    assert (button["type"], button["name"], button["value"]) == ("submit", "move", several)

    nonsense = Buttons(render_frame(match, mover, several="0-0@L+<script>"))
    assert nonsense.one("Play 1 tile")["aria-disabled"] == "true"


@pytest.mark.parametrize(
    ("preset", "why"),
    [
        ("kozel", "Two doubles may go down together, one at each end."),
        ("gomuggins", "Several tiles must make the count a multiple of five."),
    ],
)
def test_hint_for_several_tiles_depends_on_the_game(alice, bob, preset, why):
    match = play_until(
        begin(alice, bob, preset=preset, target=1000), lambda moves: any("+" in move for move in moves), 2000
    )
    shown = render_frame(match, on_turn(match).user)
    assert why in shown[shown.index('id="together"') :].split("</button>")[0]


def test_counts_of_planned_tiles_add_up_to_the_count_of_the_plan():
    """The script adds up the counts of single tiles; the engine lays all of them."""
    compared = 0
    for number in range(40):
        match, chance = begin_seeded(PRESETS["gomuggins"].rules, 2, f"plans {number}"), Random(number)
        while match.turn is not None and compared < 300:
            view = perspective(match, match.turn)
            hand = Hand(view)
            alone = {(spot.tile, spot.end): spot.alone for spot in hand.spots}
            for move in hand.together if hand.counts_of_plans else ():
                count, lone = hand.counts_of_plans
                both = {"L", "R"} <= {end for _tile, end in move.plays}
                total = count + sum(alone[pair] - count for pair in move.plays) - (lone if both else 0)
                planned = Hand(view, several=move.text)
                assert total == planned.planned_layout.count == view.layout_after(move).count
                assert {spot.count for spot in planned.spots if spot.state == "planned"} == {total}
                compared += 1
            match = match.play(match.turn, chance.choice(match.legal(match.turn)))
    assert compared > 100
