"""A match as a stream shows it, some seconds late: from the moves that had been made then, and nothing of later."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from datetime import datetime
from threading import Lock
from typing import NamedTuple

from cachetools import LRUCache, cached
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.drawing import name_tile
from boneyard.engine import moves as notation
from boneyard.engine.matches import Match as Value
from boneyard.engine.perspective import View, perspective
from games import repository, wording
from games.drawing.line import draw_shapes
from games.drawing.marks import mark
from games.drawing.tiles import draw_symbols
from games.models import Match, Seat
from games.table.move_log import MoveLine, last_lines_by_seat, move_lines
from games.table.news import describe_line
from games.table.panels import SideScore, build_side_scores
from games.table.plates import MAX_BACKS, describe_departure, describe_last_action, format_tile_count
from games.time import clocks
from games.time.day_clocks import get_initial_ms

MAX_CACHED_PAST_MATCHES = 64

DELAYS_SECONDS = (0, 60, 180)


class OverlayPlate(NamedTuple):
    """A player of the overlay: no hand, only the number of tiles. `clock` is "" without clocks."""

    seat: int
    name: str
    tile: SafeString
    mark: SafeString
    fact: SafeString | str
    tiles: int
    on_turn: bool
    clock: str

    @property
    def tiles_in_words(self) -> str:
        return format_tile_count(self.tiles)

    @property
    def backs(self) -> SafeString:
        """Return a back for each tile; for more than `MAX_BACKS` one, and their number."""
        if self.tiles > MAX_BACKS:
            return format_html("<i></i><b>{}</b>", self.tiles)
        return SafeString(self.tiles * "<i></i>")


class Overlay(NamedTuple):
    """What the overlay shows. `stamp` changes with all of it but the clocks."""

    stamp: str
    game: str
    round_name: str
    line: SafeString
    words: str
    symbols: SafeString
    sides: tuple[SideScore, ...]
    sentence: str
    halves: tuple[tuple[OverlayPlate, ...], ...]  # at the left and at the right of the score


class PastMatch(NamedTuple):
    """A match after some of its moves. `row` is a copy with the pauses of then, `clocks_ms` are by seat."""

    number: int
    row: Match
    clocks_ms: tuple[int | None, ...]
    value: Value
    has_ended_round: bool  # by the last move


def build_overlay(match: Match, moment: datetime, names: Sequence[str] = ()) -> Overlay:
    """Return a match as spectators knew it at `moment`. `names` by seat are others than those of the accounts."""
    known = match.moves.filter(at__lte=moment).order_by("-number").values_list("number", "at")
    past = _load_past(match, *(known.first() or (0, match.started_at)))
    seats = list(match.seats.select_related("user").order_by("position"))
    names = names or [seat.display_name for seat in seats]
    view = perspective(_choose_value(past, moment), None)
    lines = last_lines_by_seat(move_lines(view.log, view.terms), view.seats)
    plates = [
        _build_plate(past, view, seat, name, lines[seat.position], moment)
        for seat, name in zip(seats, names, strict=True)
    ]
    return Overlay(
        stamp=f"{match.pk}.{past.number}.{view.round}",
        game=wording.game_title(match.preset, match.rules, len(names), match.base_preset, with_rounds=False),
        round_name=_("Round %(n)s") % {"n": view.round},
        line=SafeString(draw_shapes(view, ("wide",))[0].art("line")),  # noqa: S308  our own drawing
        words=describe_line(view),
        symbols=draw_symbols(view.rules.set),
        sides=build_side_scores(view, names, past.value.scores),
        sentence=_describe_state(past.value, view, names),
        halves=_halve(view, plates),
    )


@cached(LRUCache(MAX_CACHED_PAST_MATCHES), key=lambda match, *last: (match.code, *last), lock=Lock())
def _load_past(match: Match, number: int, at: datetime) -> PastMatch:
    """Return the match after its first `number` moves, the last of them `at` that time.

    Cache: key code, number and time; bound MAX_CACHED_PAST_MATCHES; invalidated by nothing, as moves are append-only,
    but for those that a restored backup takes back.
    """
    row = copy.copy(match)
    row.status, row.left_at, row.pause_until, row.wait_until = Match.Status.PLAYING, None, None, None
    row.turn_began_at, row.turn_used_ms = match.started_at, 0
    value = before = repository.initial_value(match)
    start_ms = None if match.clock_seconds is None else get_initial_ms(match.clock_seconds)
    clocks_ms = [start_ms] * value.seats
    for stored in match.moves.filter(number__lte=number).order_by("number"):
        move = notation.parse(stored.text)
        before, value = value, value.play(stored.seat, move, stored.claim)
        clocks.begin_turn(row, before, value, move, stored.at)
        if stored.clock_ms is not None:
            clocks_ms[stored.seat] = stored.clock_ms
    return PastMatch(number, row, tuple(clocks_ms), value, len(value.ended) > len(before.ended))


def _choose_value(past: PastMatch, moment: datetime) -> Value:
    """Return the round to show: the ended one during the pause after it, and at the end of the match."""
    value, pause_until = past.value, past.row.pause_until
    if not past.has_ended_round:
        return value
    if value.result is None and pause_until is not None and pause_until <= moment:
        return value
    return value._replace(round=value.ended[-1].round, ended=value.ended[:-1])


def _build_plate(
    past: PastMatch, view: View, seat: Seat, name: str, line: MoveLine | None, moment: datetime
) -> OverlayPlate:
    position, value = seat.position, past.value
    seat.clock_ms = past.clocks_ms[position]
    seconds = clocks.remaining_seconds(past.row, seat, value.turn, value, moment)
    on_turn = value.result is None and value.turn == position
    if position in view.gone:
        fact: SafeString | str = describe_departure(view, position)
    else:
        fact = _("to play") if on_turn and not past.has_ended_round else describe_last_action(line)
    return OverlayPlate(
        seat=position,
        name=name,
        tile=name_tile(name, seat.avatar),
        mark=mark(view.terms.side_of[position]),
        fact=fact,
        tiles=view.tiles[position],
        on_turn=on_turn,
        clock="" if seconds is None else clocks.format_clock(seconds),
    )


def _describe_state(value: Value, view: View, names: Sequence[str]) -> str:
    """Return who won, or what ends the match."""
    if value.result is None:
        return wording.goal_name(view.rules)
    winners = [names[seat] for side in value.result.winners for seat in view.sides[side]]
    return wording.outcome(value.result.how, winners)


def _halve(view: View, plates: Sequence[OverlayPlate]) -> tuple[tuple[OverlayPlate, ...], ...]:
    """Return the plates at the left and at the right of the score, those of a side together."""
    ordered = [plates[seat] for seats in view.sides for seat in seats]
    middle = (len(ordered) + 1) // 2
    return tuple(ordered[:middle]), tuple(ordered[middle:])
