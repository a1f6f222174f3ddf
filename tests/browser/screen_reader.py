"""A player who uses only live regions and accessible names."""

import re
import time
from typing import Any

from playwright.sync_api import Page

from tests.browser.playing import button, dismiss_round_end

TIMEOUT_SECONDS = 60  # seconds for the others' moves on a busy machine
LISTEN = """() => {
    window.heard = [];
    const regions = "[aria-live], [role=status], [role=alert]";
    for (const region of document.querySelectorAll(regions))
        new MutationObserver(() => {
            const said = region.textContent.replace(/\\s+/g, " ").trim();
            if (said && heard.at(-1) !== said) heard.push(said);
        }).observe(region, { childList: true, characterData: true, subtree: true });
    const race = document.querySelector("#race [role=img]").getAttribute("aria-label");
    const latest = ["#status", "#urgent"].map(region => document.querySelector(region).textContent);
    return [race, latest.join(" ")];
}"""
OPEN = re.compile(r"open ((?:(?:double |free side )?\d+(?:, | and )?)+)")
ENDS = ["left end", "right end", "upper end", "lower end"]
END_NAMES = re.compile(r"(double |free side )?(\d+)")


class ScreenReaderPlayer:
    """What somebody at `page` knows. Each end is its suit and what it adds to the count; the latter only where
    counting is the game and all is said that it takes.

    sides   by each name as it is spoken (*mara*, *You*, *mara and bob*) the side it is of
    points  by side, what was heard of so far
    """

    def __init__(self, page: Page, sides: dict[str, int]) -> None:
        names = "|".join(re.escape(name) for name in sorted(sides, key=len, reverse=True))
        self.scored = re.compile(
            rf"({names}) (?:led|played|called)[^.:;]*?, (\d+) points?\b|({names}) scores? (\d+)"
        )
        self.page = page
        self.sides = sides
        self.points = dict.fromkeys(sides.values(), 0)
        self.ends: list[tuple[int, int]] = []
        self.taken_in = 0
        self.calls = bool(button(page, "Muggins!").count())
        race, latest = page.evaluate(LISTEN)
        self._hear_ends(latest)
        for name, points in re.findall(rf"({names}) (\d+)(?=, )", race):
            self.points[sides[name]] = int(points)

    def listen(self) -> list[str]:
        """Take in what was said since the last time."""
        heard: list[str] = self.page.evaluate("heard")
        fresh, self.taken_in = heard[self.taken_in :], len(heard)
        for said in fresh:
            self._take_in(said)
        return fresh

    def _take_in(self, said: str) -> None:
        for player, points, side, bonus in self.scored.findall(said):
            self.points[self.sides[player or side]] += int(points or bonus)
        if "Round " in said:
            self.ends = []
        self._hear_ends(said)

    def _hear_ends(self, said: str) -> None:
        if found := OPEN.findall(said):
            self.ends = [
                (int(suit), self._worth(kind, int(suit))) for kind, suit in END_NAMES.findall(found[-1])
            ]

    @staticmethod
    def _worth(kind: str, suit: int) -> int:
        return {"double ": 2 * suit, "free side ": 0}.get(kind, suit)

    @property
    def suits(self) -> list[int]:
        return [suit for suit, _worth in self.ends]

    def hand(self) -> list[str]:
        return [name for name, _fits, _about in self._tiles()]

    def _tiles(self) -> list[tuple[str, bool, str]]:
        """Each tile's name, whether it can be pressed, and what is said about it."""
        tiles = self.page.get_by_role("group", name=re.compile("Your hand")).get_by_role("button")
        found: Any = tiles.evaluate_all(
            "all => all.map(each => [each.ariaLabel, each.ariaDisabled !== 'true', each.title])"
        )
        return [(name, fits, about) for name, fits, about in found]

    def wait_for_own_turn(self) -> bool:
        """Until something can be pressed; False once the match is over."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < deadline:
            self.listen()
            if button(self.page, "Rematch").count():
                return False
            if any(fits for _name, fits, _about in self._tiles()) or self._can("Draw") or self._can("Pass"):
                return True
            dismiss_round_end(self.page)
            self.page.wait_for_timeout(30)
        raise AssertionError("nothing can be pressed, and nothing was said of the end")

    def _can(self, name: str) -> bool:
        pressable: bool = button(self.page, name).evaluate_all(
            "all => all.some(each => each.ariaDisabled !== 'true')"
        )
        return pressable

    def play(self) -> None:
        """The tile and end that score most, then the heaviest; else a draw, else a pass."""
        choices = [(self._gain(self._count(*way)), pips(way[0]), *way) for way in self._choices()]
        if not choices:
            button(self.page, "Draw" if self._can("Draw") else "Pass").first.click()
            return
        gain, _pips, tile, where, _makes = max(choices)
        if self.calls and gain:
            self.page.get_by_role("radio", name=str(gain), exact=True).evaluate("each => each.click()")
        button(self.page, tile).first.click()
        places = self.page.get_by_role("button", name=re.compile(f"^{where}, \\d+$"))
        if where and places.count() and places.first.is_visible():
            places.first.click()

    def _choices(self) -> list[tuple[str, str, int]]:
        """Tile, end ("" for a lead) and the count it is said to make, for each way that fits."""
        found = []
        for tile, fits, about in self._tiles():
            for way in about.split("; ") if fits else []:
                where, _comma, makes = way.partition(", makes ")
                found.append((tile, where.removeprefix("fits the ").removeprefix("leads"), int(makes or -1)))
        return found

    def _count(self, tile: str, where: str, makes: int) -> int:
        """What the play makes the count: as it is said, else counted in the head; -1 where neither can be."""
        if makes >= 0 or not self.calls:
            return makes
        one, two = map(int, tile.split("-"))
        if not where:
            return one + two
        if not self.ends:
            return -1  # nothing was said of them yet
        at = ENDS.index(where)
        ends = self.ends if len(self.ends) > 1 else self.ends * 2  # a double that lies alone
        other = two if ends[at][0] == one else one
        rest = sum(worth for index, (_suit, worth) in enumerate(ends) if index != at)
        return rest + (2 * other if one == two else other)

    @property
    def count(self) -> int:
        return sum(worth for _suit, worth in self.ends)

    @staticmethod
    def _gain(count: int) -> int:
        return count if count % 5 == 0 else 0


def pips(tile: str) -> int:
    return sum(map(int, tile.split("-")))
