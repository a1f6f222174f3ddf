"""A viewer's hand and the spots where its tiles fit: what each button of the table's form plays or chooses."""

from collections.abc import Sequence
from functools import cache
from html import escape
from typing import NamedTuple

from django.forms.utils import flatatt
from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import wording
from games.drawing.spots import Spot
from games.drawing.tiles import hand_tile
from games.engine.layout import Layout
from games.engine.moves import INDEX, JOIN, EndName, Move
from games.engine.perspective import View
from games.engine.tiles import NAMES, Tile
from games.wording import remembered

Pair = tuple[Tile, EndName | None]

LONG, HUGE, VAST = 7, 13, 20  # tiles: hands of more are drawn smaller

# By a tile's state, what its button sends and where; a page without scripts is shown anew with what was chosen.
SENDS = {
    "plays": {"name": "move"},
    "choose": {"form": "pick", "name": "tile", "aria-pressed": "false"},
    "chosen": {"form": "pick", "name": "tile", "aria-pressed": "true"},
    "planned": {"form": "pick", "name": "chosen", "aria-pressed": "true"},
}


class Held(NamedTuple):
    """A tile in hand as a button.

    state   plays (at once), choose (an end is to be chosen), chosen, planned (laid in thought), off or waits
    value   what the button sends: a move, a tile, or what of the plan stays
    fits    its moves of one tile, joined by blanks, for the script, which has it from the value where that is the same
    hint    what it would do, or why it cannot be played
    """

    tile: str
    state: str
    value: str
    fits: str
    hint: str
    art: SafeString

    @property
    def alike(self) -> SafeString:
        """The attributes of all buttons in this state: what kind of thing they send, or that they cannot be pressed."""
        return _alike(self.state)

    @property
    def own(self) -> str:
        """Those of this tile: what it sends, where it fits, what it would do."""
        value = self.value if self.state in SENDS else None
        sends = "" if value is None else f' value="{value}"'
        fits = f' data-fits="{self.fits}"' if self.fits and self.fits != value else ""
        return f'{sends}{fits} title="{escape(self.hint)}"'


@cache
def _alike(state: str) -> SafeString:
    look = {"class": f"hand-tile is-{state}"}
    if state not in SENDS:
        return flatatt(look | {"type": "button", "aria-disabled": "true"})
    return flatatt(look | {"type": "submit"} | SENDS[state])


class Hand:
    """The buttons for one view; `chosen` is a tile's name, `several` a plan like 6-4@L+5-5@R, both as asked for."""

    def __init__(self, view: View, chosen: str = "", several: str = "") -> None:
        self.view = view
        self.singles = [move for move in view.legal if move.kind == "play" and len(move.plays) == 1]
        self.together = [move for move in view.legal if len(move.plays) > 1]
        self.plan = self._read(several)
        self.chosen = chosen if any(NAMES[t] == chosen and len(self._of(t)) for t in view.hand) else ""

    def _read(self, several: str) -> tuple[Pair, ...]:
        """The plan that was asked for, or none if it leads to no legal play."""
        wanted = {pair for move in self.singles for pair in move.plays if str(move) in several.split("+")}
        if not wanted or not (len(wanted) == 1 or any(wanted <= set(m.plays) for m in self.together)):
            return ()
        return tuple(sorted(wanted, key=lambda pair: INDEX.get(pair[1], 0)))

    def _of(self, tile: Tile) -> list[Move]:
        """The plays of this tile alone that are open now, beside the plan."""
        return [move for move in self.singles if move.plays[0][0] == tile and self._goes_with_plan(move)]

    def _goes_with_plan(self, move: Move) -> bool:
        if not self.plan:
            return True
        wanted = {*self.plan, *move.plays}
        return any(wanted <= set(other.plays) for other in self.together)

    @cached_property
    def _combinable(self) -> frozenset[Pair]:
        return frozenset(pair for move in self.together for pair in move.plays)

    def _plans(self, move: Move) -> bool:
        return move.plays[0] in self._combinable

    @cached_property
    def tiles(self) -> tuple[Held, ...]:
        planned = {tile for tile, _end in self.plan}
        return tuple(self._planned(tile) if tile in planned else self._held(tile) for tile in self.view.hand)

    def _planned(self, tile: Tile) -> Held:
        rest = "+".join(_text(pair) for pair in self.plan if pair[0] != tile)
        return self._button(tile, "planned", rest, (), _("Take it back"))

    def _held(self, tile: Tile) -> Held:
        if not self.view.legal:
            return self._button(tile, "waits", "", (), self._why_it_waits)
        fitting = self._of(tile)
        if not fitting:
            return self._button(tile, "off", "", (), self._misfit(tile))
        if len(fitting) == 1 and not self._plans(fitting[0]):
            return self._button(tile, "plays", str(fitting[0]), fitting, self._hint(fitting[0]))
        if NAMES[tile] == self.chosen:
            return self._button(tile, "chosen", "", fitting, _("Put it back"))
        hint = "; ".join(map(self._hint, fitting))
        return self._button(tile, "choose", NAMES[tile], fitting, hint)

    @cached_property
    def _why_it_waits(self) -> str:
        return _waits(over=self.view.result is not None)

    def _button(self, tile: Tile, state: str, value: str, fitting: Sequence[Move], hint: str) -> Held:
        fits = " ".join(map(str, fitting)) if fitting else ""
        return Held(NAMES[tile], state, value, fits, hint, hand_tile(tile))

    def _misfit(self, tile: Tile) -> str:
        view = self.view
        if view.laid:
            return _no_fit()
        if view.named is not None:
            return _("%(tile)s must lead") % {"tile": NAMES[view.named]}
        return _("does not score as a lead")

    def _hint(self, move: Move) -> str:
        after = self._after(move)
        return _hint(move.plays[0][1], None if after is None else after.count)

    def makes(self, move: Move) -> str:
        """What the play would make the count, where the count is shown."""
        after = self._after(move)
        return "" if after is None else _makes(after.count)

    def _after(self, move: Move) -> Layout | None:
        """The layout after a play of one tile, where its count is shown."""
        if self.view.rules.count == "none" or self.view.rules.claims == "muggins":
            return None
        layout = self._layout
        return self.view.after(move) if layout is None else layout.joined(*move.plays[0])

    @cached_property
    def _layout(self) -> Layout | None:
        return self.view.layout()

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """Every spot of every tile, planned ones filled in; those of the chosen tile are open."""
        planned = {tile for tile, _end in self.plan}
        filled, free = [], []
        for move in self.singles:
            tile, end = move.plays[0]
            if end is None:
                continue
            if move.plays[0] in self.plan:
                filled.append(self._spot(move, tile, end, "planned"))
            elif tile not in planned and self._goes_with_plan(move):
                free.append(self._spot(move, tile, end, "open" if NAMES[tile] == self.chosen else "hidden"))
        return (*filled, *free)

    def _spot(self, move: Move, tile: Tile, end: EndName, state: str) -> Spot:
        plans = self._plans(move)
        value = str(move)
        if state == "planned":
            value = "+".join(_text(pair) for pair in self.plan if pair != (tile, end))
        elif plans:
            value = "+".join(_text(p) for p in sorted([*self.plan, *move.plays], key=lambda p: INDEX[p[1]]))
        name = wording.spot_name(end, self.view.ends[end])
        hint = ", ".join(filter(None, [self.makes(move), self._free_side(end)]))
        after = self._after(move)
        count, scores = (None, False) if after is None else (after.count, self.view.terms.worth(after) > 0)
        return Spot(tile, end, name, hint, state, value, plans, count, scores)

    def _free_side(self, end: EndName) -> str:
        """*free side of 3-3*, where nobody has begun it; "" elsewhere."""
        tip = self._layout.tips[INDEX[end]] if self._layout else None
        if tip is None or tip.kind != "free":
            return ""
        return _("free side of %(double)s") % {"double": f"{tip.suit}-{tip.suit}"}

    @property
    def classes(self) -> str:
        held = len(self.view.hand)
        states = {
            "is-long": held > LONG,
            "is-huge": held > HUGE,
            "is-vast": held > VAST,
            "is-waiting": self.view.seat is None or self.view.turn != self.view.seat,
        }
        return " ".join(["hand", *(name for name, holds in states.items() if holds)])

    @property
    def wants(self) -> str:
        """What a tile must have to fit, on the viewer's turn."""
        if not self.view.legal or not self.view.laid:
            return ""
        return _wanted(tuple(sorted(set(self.view.ends.values()), reverse=True)))

    @property
    def plays_ahead(self) -> bool:
        """Whether a tile may be chosen while others play."""
        view = self.view
        if view.seat is None or view.legal or view.terms.called or view.result or view.turn is None:
            return False
        return bool(view.ends)

    @property
    def in_words(self) -> str:
        return _hand_of(len(self.view.hand))

    @property
    def planned_text(self) -> str:
        return "+".join(map(_text, self.plan))

    @property
    def planned_move(self) -> str:
        """The play that the plan makes, if it is legal as it stands."""
        text = self.planned_text
        return text if any(str(move) == text for move in self.view.legal) else ""

    @property
    def plans(self) -> bool:
        """Whether several tiles may go out in one turn now."""
        return bool(self.together)


@remembered
def _waits(over: bool) -> str:
    return _("The match is over") if over else _("Not your turn")


@remembered
def _no_fit() -> str:
    return _("does not fit")


@remembered
def _hint(end: EndName | None, count: int | None) -> str:
    fits = _("leads") if end is None else _("fits the %(end)s") % {"end": wording.end_name(end)}
    return fits if count is None else f"{fits}, {_makes(count)}"


@remembered
def _makes(count: int) -> str:
    return _("makes %(count)d") % {"count": count}


@remembered
def _wanted(suits: tuple[int, ...]) -> str:
    *others, last = map(str, suits)
    told = _("%(numbers)s or %(last)s") % {"numbers": ", ".join(others), "last": last} if others else last
    return ngettext("the end wants %(numbers)s", "the ends want %(numbers)s", len(suits)) % {"numbers": told}


@remembered
def _hand_of(tiles: int) -> str:
    return ngettext("Your hand, %(n)s tile", "Your hand, %(n)s tiles", tiles) % {"n": tiles}


def _text(pair: Pair) -> str:
    tile, end = pair
    return NAMES[tile] if end is None else str(JOIN[end][tile])
