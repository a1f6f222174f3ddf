"""The viewer's hand and the spots where its tiles fit: what each button of the form plays or chooses."""

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from typing import NamedTuple

from django.forms.utils import flatatt
from django.utils.functional import cached_property
from django.utils.safestring import SafeString

from boneyard.engine.layout import Layout
from boneyard.engine.moves import INDEX, JOIN, EndName, Move
from boneyard.engine.perspective import View
from boneyard.engine.tiles import DOUBLE, NAMES, Tile
from games import wording
from games.drawing.spots import Spot
from games.drawing.tiles import draw_hand_tile
from games.wording import cached_by_language, ngettext
from games.wording import gettext as _

Pair = tuple[Tile, EndName | None]

# Larger hands are drawn with smaller tiles.
MAX_NORMAL_TILES = 7
MAX_SMALL_TILES = 13
MAX_TINY_TILES = 20

# What a tile's button sends, by its state. Form `pick` reloads a page without scripts with the choice.
SENT_FIELDS = {
    "plays": {"name": "move"},
    "choose": {"form": "pick", "name": "tile", "aria-pressed": "false"},
    "choose-only": {"form": "pick", "name": "chosen", "aria-pressed": "false"},
    "chosen": {"form": "pick", "name": "tile", "aria-pressed": "true"},
    "planned": {"form": "pick", "name": "chosen", "aria-pressed": "true"},
    "off": {"form": "pick", "name": "tile", "aria-disabled": "true"},  # the page then says why
}


class HandTile(NamedTuple):
    """A tile in hand as a button.

    state   plays (at once), choose (an end), choose-only (add to the plan at its only end), chosen, planned (part of a
            play of several tiles), off or waits
    value   what the button sends: a move, a tile, or the plan without this tile
    fits    the legal plays of this tile alone, joined by blanks, for the script
    hint    what the play would do, or why the tile cannot be played
    """

    tile: str
    state: str
    value: str
    fits: str
    hint: str
    art: SafeString

    @property
    def shared_attributes(self) -> SafeString:
        """Return the attributes of all buttons in this state: the field that they send, or that they are disabled."""
        return _state_attributes(self.state)

    @property
    def own_attributes(self) -> str:
        """Return the attributes of this tile's button: the value that it sends, where the tile fits, and the hint.

        `data-fits` is omitted if it equals the value.
        """
        value = self.value if self.state in SENT_FIELDS else None
        sends = "" if value is None else f' value="{value}"'
        fits = f' data-fits="{self.fits}"' if self.fits and self.fits != value else ""
        return f'{sends}{fits} title="{escape(self.hint)}"'


@cache
def _state_attributes(state: str) -> SafeString:
    attributes = {"class": f"hand-tile is-{state.partition('-')[0]}"}
    if state not in SENT_FIELDS:
        return flatatt(attributes | {"type": "button", "aria-disabled": "true"})
    return flatatt(attributes | {"type": "submit"} | SENT_FIELDS[state])


class Hand:
    """The tiles and spots of one view.

    `chosen` is the name of a tile, `several` a plan like 6-4@L+5-5@R; both as requested, and ignored if illegal.
    `counts` is whether the counts that plays would make are displayed, where the rules leave that open.
    """

    def __init__(self, view: View, chosen: str = "", several: str = "", counts: bool = True) -> None:
        self.view, self.counts, self._requested = view, counts, chosen
        self.singles = [move for move in view.legal if move.kind == "play" and len(move.plays) == 1]
        self.together = [move for move in view.legal if len(move.plays) > 1]
        self.plan = self._parse_plan(several)
        self.chosen = ""
        if chosen and any(NAMES[tile] == chosen and self._plays_of(tile) for tile in view.hand):
            self.chosen = chosen

    def _parse_plan(self, several: str) -> tuple[Pair, ...]:
        """Return the requested plan, or an empty one if no legal play contains it."""
        if not several:
            return ()
        pairs = {pair for move in self.singles for pair in move.plays if str(move) in several.split("+")}
        if not pairs or not (len(pairs) == 1 or any(pairs <= set(m.plays) for m in self.together)):
            return ()
        return tuple(sorted(pairs, key=lambda pair: INDEX.get(pair[1], 0)))

    def _plays_of(self, tile: Tile) -> list[Move]:
        """Return the legal plays of this tile alone that are compatible with the plan."""
        return [move for move in self.singles if move.plays[0][0] == tile and self._goes_with_plan(move)]

    def _goes_with_plan(self, move: Move) -> bool:
        if not self.plan:
            return True
        pairs = {*self.plan, *move.plays}
        return any(pairs <= set(other.plays) for other in self.together)

    @cached_property
    def _combinable(self) -> frozenset[Pair]:
        return frozenset(pair for move in self.together for pair in move.plays)

    def _is_combinable(self, move: Move) -> bool:
        return move.plays[0] in self._combinable

    @cached_property
    def tiles(self) -> tuple[HandTile, ...]:
        if not self.view.legal:
            reason = _waits(over=self.view.result is not None)
            return tuple(
                [
                    HandTile(NAMES[tile], "waits", "", "", reason, draw_hand_tile(tile))
                    for tile in self.view.hand
                ]
            )
        planned = {tile for tile, _end in self.plan}
        return tuple(
            [
                self._build_planned_tile(tile) if tile in planned else self._build_tile(tile)
                for tile in self.view.hand
            ]
        )

    def _build_planned_tile(self, tile: Tile) -> HandTile:
        rest = "+".join(_text(pair) for pair in self.plan if pair[0] != tile)
        return self._build_button(tile, "planned", rest, (), _("Take it back"))

    def _build_tile(self, tile: Tile) -> HandTile:
        plays = self._plays_of(tile)
        if not plays:
            return self._build_button(tile, "off", NAMES[tile], (), self._misfit_reason(tile))
        if len(plays) == 1 and not self._is_combinable(plays[0]):
            return self._build_button(tile, "plays", plays[0].text, plays, self._hint(plays[0]))
        if NAMES[tile] == self.chosen:
            return self._build_button(tile, "chosen", "", plays, _("Put it back"))
        hint = "; ".join(map(self._hint, plays))
        if len(plays) == 1 and plays[0].plays[0][1] is not None:
            return self._build_button(tile, "choose-only", self._plan_with(plays[0]), plays, hint)
        return self._build_button(tile, "choose", NAMES[tile], plays, hint)

    def _plan_with(self, move: Move) -> str:
        """Return the plan with this play of one tile, as the form sends it."""
        return "+".join(
            _text(pair) for pair in sorted([*self.plan, *move.plays], key=lambda pair: INDEX[pair[1]])
        )

    def _build_button(self, tile: Tile, state: str, value: str, plays: Sequence[Move], hint: str) -> HandTile:
        fits = " ".join([play.text for play in plays])
        return HandTile(NAMES[tile], state, value, fits, hint, draw_hand_tile(tile))

    def _misfit_reason(self, tile: Tile) -> str:
        view = self.view
        if view.laid:
            return _no_fit()
        if view.named is not None:
            return _("%(tile)s must lead") % {"tile": NAMES[view.named]}
        return _("does not score as a lead")

    @property
    def refusal(self) -> str:
        """Return why the requested tile cannot be played, or ""; scripts say the same (selection.js)."""
        tile = next((each for each in self.tiles if each.tile == self._requested), None)
        if tile is None or tile.state != "off":
            return ""
        reason = (
            tile.hint if self.view.named is not None and not self.view.laid else f"{tile.tile} {tile.hint}"
        )
        return f"{reason}: {self.wants}." if self.wants else f"{reason}."

    def _hint(self, move: Move) -> str:
        return _hint(move.plays[0][1], self._count_after(move))

    def _count_after(self, move: Move) -> int | None:
        """Return what the count would be after the plan and a play of one tile, if it is displayed."""
        after = self._layout_after(move) if self.view.rules.adds_ends else None
        return None if after is None else after.count

    def _layout_after(self, move: Move) -> Layout | None:
        """Return the layout after the plan and a play of one tile, if what it scores is displayed."""
        if not self._shows_scores:
            return None
        layout = self._layout
        if layout is None:
            return self.view.layout_after(move)
        return _join(layout, dict.fromkeys([*self.plan, *move.plays]))

    @property
    def _shows_scores(self) -> bool:
        """Return whether what a play would score is displayed."""
        rules = self.view.rules
        return self.counts and rules.count != "none" and rules.claims != "muggins"

    @property
    def planned_layout(self) -> Layout | None:
        """Return the layout after the plan, if there is one and counts are displayed."""
        shows_count = self._shows_scores and self.view.rules.adds_ends
        return _join(self._layout, self.plan) if shows_count and self.plan and self._layout else None

    @property
    def counts_of_plans(self) -> tuple[int, int] | None:
        """Return the count, and what it loses once a lone double has tiles at both ends, for the script.

        Each tile of a plan is at another end, so the counts after its tiles alone add up to that after all of them.
        None where no plan is possible or no count displayed.
        """
        layout = self._layout
        if not (layout and self.together and self._shows_scores and self.view.rules.adds_ends):
            return None
        lone = len(self.view.laid) == 1 and DOUBLE[self.view.laid[0].tile]
        return layout.count, layout.count if lone else 0

    @cached_property
    def _layout(self) -> Layout | None:
        return self.view.layout()

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """Return the spots of every tile: planned ones filled, those of the chosen tile open, all others hidden."""
        planned = {tile for tile, _end in self.plan}
        filled, free = [], []
        for move in self.singles:
            tile, end = move.plays[0]
            if end is None:
                continue
            if move.plays[0] in self.plan:
                filled.append(self._build_spot(move, tile, end, "planned"))
            elif tile not in planned and self._goes_with_plan(move):
                free.append(
                    self._build_spot(move, tile, end, "open" if NAMES[tile] == self.chosen else "hidden")
                )
        return (*filled, *free)

    def _build_spot(self, move: Move, tile: Tile, end: EndName, state: str) -> Spot:
        is_combinable = self._is_combinable(move)
        value = move.text
        if state == "planned":
            value = "+".join(_text(pair) for pair in self.plan if pair != (tile, end))
        elif is_combinable:
            value = self._plan_with(move)
        name = wording.spot_name(end, self.view.ends[end])
        after = self._layout_after(move)
        count = after.count if after is not None and self.view.rules.adds_ends else None
        hint = ", ".join(filter(None, ["" if count is None else makes(count), self._free_side(end)]))
        scores = after is not None and self.view.terms.worth(after) > 0
        alone = _join(self._layout, move.plays).count if self._layout and self.counts_of_plans else None
        return Spot(tile, end, name, hint, state, value, is_combinable, count, scores, alone)

    def _free_side(self, end: EndName) -> str:
        """Return *free side of 3-3* for an end on a free side; "" for other ends."""
        tip = self._layout.tips[INDEX[end]] if self._layout else None
        if tip is None or tip.kind != "free":
            return ""
        return _("free side of %(double)s") % {"double": f"{tip.suit}-{tip.suit}"}

    @property
    def classes(self) -> str:
        size = len(self.view.hand)
        states = {
            "is-long": size > MAX_NORMAL_TILES,
            "is-huge": size > MAX_SMALL_TILES,
            "is-vast": size > MAX_TINY_TILES,
            "is-waiting": self.view.seat is None or self.view.turn != self.view.seat,
        }
        return " ".join(["hand", *[name for name, holds in states.items() if holds]])

    @property
    def wants(self) -> str:
        """Return which suits fit the ends, on the viewer's turn."""
        if not self.view.legal or not self.view.laid:
            return ""
        return _wanted(tuple(sorted(set(self.view.ends.values()), reverse=True)))

    @property
    def plays_ahead(self) -> bool:
        """Return whether a tile may be chosen before the viewer's turn."""
        view = self.view
        if view.seat is None or view.legal or view.terms.must_claim or view.result or view.turn is None:
            return False
        return bool(view.ends)

    @property
    def label(self) -> str:
        return _hand_label(len(self.view.hand))

    @property
    def planned_text(self) -> str:
        return "+".join(map(_text, self.plan))

    @property
    def planned_move(self) -> str:
        """Return the play of all planned tiles if it is legal; otherwise ""."""
        text = self.planned_text
        return text if text and any(move.text == text for move in self.view.legal) else ""

    @property
    def may_combine(self) -> bool:
        """Return whether several tiles may be played in this turn."""
        return bool(self.together)


def _join(layout: Layout, pairs: Iterable[Pair]) -> Layout:
    """Return the layout with these tiles laid, each at an end of its own."""
    for tile, end in pairs:
        if end is not None:
            layout = layout.joined(tile, end)
    return layout


@cached_by_language
def _waits(over: bool) -> str:
    return _("The match is over") if over else _("Not your turn")


@cached_by_language
def _no_fit() -> str:
    return _("does not fit")


@cached_by_language
def _hint(end: EndName | None, count: int | None) -> str:
    fits = _("leads") if end is None else _("fits the %(end)s") % {"end": wording.end_name(end)}
    return fits if count is None else f"{fits}, {makes(count)}"


@cached_by_language
def makes(count: int) -> str:
    return _("makes %(count)d") % {"count": count}


@cached_by_language
def _wanted(suits: tuple[int, ...]) -> str:
    *others, last = map(str, suits)
    suits_text = (
        _("%(numbers)s or %(last)s") % {"numbers": ", ".join(others), "last": last} if others else last
    )
    return ngettext("the end wants %(numbers)s", "the ends want %(numbers)s", len(suits)) % {
        "numbers": suits_text
    }


@cached_by_language
def _hand_label(tiles: int) -> str:
    return ngettext("Your hand, %(n)s tile", "Your hand, %(n)s tiles", tiles) % {"n": tiles}


def _text(pair: Pair) -> str:
    tile, end = pair
    return NAMES[tile] if end is None else str(JOIN[end][tile])
