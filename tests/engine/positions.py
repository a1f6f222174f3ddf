"""Helpers that build positions, and rules that change some options of a preset."""

import dataclasses
from collections.abc import Sequence

from boneyard.engine import moves, rounds
from boneyard.engine.layout import Layout, lead, tip_table
from boneyard.engine.matches import Match
from boneyard.engine.presets import PRESETS
from boneyard.engine.rounds import Deal
from boneyard.engine.rules import Rules
from boneyard.engine.shuffle import chain
from boneyard.engine.terms import terms
from boneyard.engine.tiles import NAMES, Tile, parse

SECRET = bytes(range(32))
ENDS = "LRUD"


def rules_of(preset: str = "all-fives", **changes: object) -> Rules:
    """Return the rules of a preset with some options changed; `pass_` for `pass`."""
    return PRESETS[preset].rules.replace(**changes)


def tiles_of(text: str) -> tuple[Tile, ...]:
    """Return the tiles written like `6-4 5-5`."""
    return tuple(parse(name) for name in text.split())


def names_of(tiles: Sequence[Tile]) -> str:
    return " ".join(NAMES[tile] for tile in tiles)


def arrange(
    rules: Rules,
    hands: Sequence[str],
    boneyard: str = "",
    *,
    leader: int = 0,
    named: str | None = None,
    scores: Sequence[int] | None = None,
    gone: Sequence[int] = (),
    number: int = 1,
) -> Match:
    """Return a match before the lead of a round with these hands, of any size."""
    agreed = terms(rules, len(hands))
    yard = tiles_of(boneyard)
    drawable = 0 if rules.draw == "none" else max(0, len(yard) - agreed.reserve)
    agreed = dataclasses.replace(agreed, drawable=drawable)
    keys = chain(SECRET)
    dealt = Deal(
        number=number,
        key=keys.key(number),
        attempt=0,
        lots=None,
        hands=tuple(tiles_of(hand) for hand in hands),
        boneyard=yard,
        lead_draws=(),
        leader=leader,
        named=None if named is None else parse(named),
    )
    opened = rounds.begin(agreed, dealt, frozenset(gone))
    before = (0,) * len(agreed.sides) if scores is None else tuple(scores)
    return Match(agreed, keys, "", opened, leader, before)


def play_moves(match: Match, *texts: str) -> Match:
    """Return the match after these moves, each by the seat on turn: `6-4@L`, `draw`; `6-4@L=10` claims 10."""
    for text in texts:
        text, _, claim = text.partition("=")
        seat = match.closing_seat if text == "close" else match.turn
        match = match.play(seat, moves.parse(text), int(claim) if claim else None)
    return match


def legal_of(match: Match) -> set[str]:
    return {str(move) for move in match.legal(match.turn)}


def lay_out(spinner: str, plays: str, highest: int = 6) -> list[Layout]:
    """Return the layouts after each of these plays, in the notation of the worked examples."""
    layouts: list[Layout] = []
    for play in plays.split(", "):
        name, _, joint = play.partition("@")
        tile = parse(name)
        if not layouts:
            layouts.append(lead(tip_table(spinner, highest), tile))
        else:
            layouts.append(layouts[-1].joined(tile, _end(layouts[-1], joint)))
    return layouts


def _end(layout: Layout, joint: str) -> str:
    ends = layout.ends
    if joint == "X":
        return next(end for end in "UD" if layout.tips[ENDS.index(end)].kind == "free")
    # X is a free side of the spinner, a number is the suit of any other end.
    return next(
        end for end in ends if ends[end] == int(joint) and layout.tips[ENDS.index(end)].kind != "free"
    )
