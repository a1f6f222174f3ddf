"""What is entered at a table: the points of each side, all at once or hand by hand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NamedTuple

from boneyard.engine.presets import PRESETS
from core.http import HtmxHttpRequest, get_text
from games.wording.speech import extra_word
from nights import sheet_kinds
from nights.models import MAX_HANDS, Night
from nights.refusals import NightRefused
from nights.rows import TableRow

MAX_SENT_HANDS = 60
MAX_DIGITS = 5


class Extra(NamedTuple):
    """Points that the winner of a hand may have beside the pips."""

    name: str
    label: str
    points: int


@dataclass(frozen=True)
class HandsForm:
    """How the hands of a table are entered: their points, or who won and the pips left."""

    night: Night
    row: TableRow

    @property
    def is_by_pips(self) -> bool:
        """Return whether a hand gives points at its end alone, for the pips left."""
        return is_by_pips(self.night)

    @property
    def extras(self) -> tuple[Extra, ...]:
        return tuple(
            Extra(name, extra_word(name), points) for name, points in find_extras(self.night).items()
        )

    @property
    def hands(self) -> int:
        return self.night.hands or MAX_HANDS

    @property
    def is_lowest(self) -> bool:
        """Return whether the fewest points win."""
        kind = sheet_kinds.find_kind(self.night.preset)
        return kind is not None and kind.lowest

    @property
    def doubles(self) -> str:
        """Return the doubles that lead the hands of such a game, "12-12 11-11 …", or ""."""
        return " ".join(sheet_kinds.list_doubles(sheet_kinds.find_kind(self.night.preset), self.hands))


def is_by_pips(night: Night) -> bool:
    return night.preset in PRESETS and sheet_kinds.is_counted_by_pips(PRESETS[night.preset].rules)


def find_extras(night: Night) -> dict[str, int]:
    """Return the points of each extra that the night's game has, by name."""
    return sheet_kinds.find_extras(PRESETS[night.preset].rules) if night.preset in PRESETS else {}


def read_points(request: HtmxHttpRequest, night: Night, sides: int) -> tuple[list[int], list[Any]]:
    """Return the points by side and the hands that were sent: fields `points`, `point` for each side, or `hands`.

    Raise `NightRefused`.
    """
    if written := get_text(request.POST, "hands"):
        hands = _parse_hands(written)
        if night.hands is not None and len(hands) > night.hands:
            raise NightRefused("many_hands")
        return sum_hands(hands, night, sides), hands
    texts = request.POST.getlist("point")
    if "points" in request.POST:
        texts = get_text(request.POST, "points").split(",")
    return [_parse_points(text) for text in texts], []


def _parse_points(text: str) -> int:
    text = text.strip().replace("−", "-")
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS):
        raise NightRefused("bad_points")
    return int(text)


def _parse_hands(written: str) -> list[Any]:
    try:
        hands = json.loads(written)
    except (ValueError, RecursionError):
        raise NightRefused("bad_points") from None
    if not isinstance(hands, list) or not 1 <= len(hands) <= MAX_SENT_HANDS:
        raise NightRefused("bad_points")
    return hands


def sum_hands(hands: list[Any], night: Night, sides: int) -> list[int]:
    """Return the sum of the hands by side. Raise `NightRefused` for hands that are not of the documented form."""
    extras = find_extras(night)
    points = [_points_of_hand(hand, extras, sides) for hand in hands]
    return [sum(gained) for gained in zip(*points, strict=True)]


def _points_of_hand(hand: Any, extras: dict[str, int], sides: int) -> list[int]:
    if not isinstance(hand, dict):
        raise NightRefused("bad_points")
    points = hand.get("points")
    if isinstance(points, list):
        if len(points) != sides or not all(_is_number(each) for each in points):
            raise NightRefused("bad_points")
        return points
    winner, pips, named = hand.get("winner"), hand.get("pips"), hand.get("extras", [])
    if not isinstance(winner, int) or not isinstance(pips, int) or not _is_number(pips):
        raise NightRefused("bad_points")
    is_known = isinstance(named, list) and all(isinstance(each, str) and each in extras for each in named)
    if not 0 <= winner < sides or not is_known:
        raise NightRefused("bad_points")
    gained = [0] * sides
    gained[winner] = pips + sum(extras[each] for each in named)
    return gained


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**MAX_DIGITS
