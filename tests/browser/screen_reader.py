"""A player who uses only live regions and accessible names."""

import re
from collections import Counter
from typing import Any, NamedTuple

from playwright.sync_api import Page, expect

from tests.browser.playing import button, dismiss_round_end, wait_for_action
from tests.browser.waiting import until
from tests.waiting import attempts

RECORD_ANNOUNCEMENTS_JS = """() => {
    window.heard = [];
    window.transcript = [];
    const regions = "[aria-live], [role=status], [role=alert]";
    for (const region of document.querySelectorAll(regions))
        new MutationObserver(() => {
            const said = region.textContent.replace(/\\s+/g, " ").trim();
            if (!said) return;
            const assertive = region.matches("[aria-live=assertive], [role=alert]");
            transcript.push([said, assertive, performance.now()]);
            if (heard.at(-1) !== said) heard.push(said);
        }).observe(region, { childList: true, characterData: true, subtree: true });
    const race = document.querySelector("#scores").textContent;
    const latest = ["#status", "#urgent"].map(region => document.querySelector(region).textContent);
    return [race, latest.join(" ")];
}"""
OPEN_ENDS = re.compile(r"(?:open|Ends?) ((?:(?:double |free side )?\d+(?:, | and )?)+)")
ENDS = ["left end", "right end", "upper end", "lower end"]
READING_MS_PER_CHARACTER = 65
END_PATTERN = re.compile(r"(double |free side )?(\d+)")


class ScreenReaderPlayer:
    """The knowledge of a screen-reader user at `page`.

    `sides` maps each announced name ("mara", "You", "mara and bob") to its side, `points` a side to the announced
    points. `ends` are (suit, share of the count); the share only if the game counts and it was announced.
    """

    def __init__(self, page: Page, sides: dict[str, int]) -> None:
        names = "|".join(re.escape(name) for name in sorted(sides, key=len, reverse=True))
        self.scored = re.compile(
            rf"({names}) (?:led|played|called)[^.:;]*?, (\d+) points?\b|({names}) scores? (\d+)"
        )
        self.cost = re.compile(rf"The partner's tiles cost ({names}|your side) (\d+)")
        self.page = page
        self.sides = sides | {"your side": sides["You"]}
        self.points = dict.fromkeys(sides.values(), 0)
        earlier = r"(?: (?:drew|called)[^.:]*, played)?"
        self.in_short = re.compile(rf"({names}){earlier} \d-\d (?:left|right|up|down), (\d+) points?\b")
        self.since_own_move: Counter[tuple[int, int]] = Counter()  # (side, points): a summary says them again
        self.ends: list[tuple[int, int]] = []
        self.processed = 0
        self.calls = bool(button(page, "Muggins!").count())
        race, latest = page.evaluate(RECORD_ANNOUNCEMENTS_JS)
        self._update_ends(latest)
        for name, points in re.findall(rf"({names}) (\d+)(?=, )", race):
            self.points[sides[name]] = int(points)

    def listen(self) -> list[str]:
        """Process and return the announcements since the last call."""
        heard: list[str] = self.page.evaluate("heard")
        fresh, self.processed = heard[self.processed :], len(heard)
        for said in fresh:
            self._process(said)
        return fresh

    def _process(self, said: str) -> None:
        told = Counter(
            (self.sides[player or side], int(points or bonus))
            for player, points, side, bonus in self.scored.findall(said)
        )
        told.update((self.sides[player], int(points)) for player, points in self.in_short.findall(said))
        is_summary = "Your turn. " in said and " Ends" in said.partition("Your turn.")[2]
        for (side, points), times in (told - self.since_own_move if is_summary else told).items():
            self.points[side] += times * points
        if is_summary or said.startswith("You "):
            self.since_own_move.clear()
        else:
            self.since_own_move.update(told)
        for side, taken in self.cost.findall(said):
            self.points[self.sides[side]] -= int(taken)
        if "Round " in said:
            self.ends = []
        self._update_ends(said)

    def _update_ends(self, said: str) -> None:
        if found := OPEN_ENDS.findall(said):
            self.ends = [
                (int(suit), self._share(kind, int(suit))) for kind, suit in END_PATTERN.findall(found[-1])
            ]

    @staticmethod
    def _share(kind: str, suit: int) -> int:
        return {"double ": 2 * suit, "free side ": 0}.get(kind, suit)

    @property
    def suits(self) -> list[int]:
        return [suit for suit, _share in self.ends]

    def hand(self) -> list[str]:
        return [name for name, _fits, _about in self._tiles()]

    def _tiles(self) -> list[tuple[str, bool, str]]:
        """Return (name, is enabled, title) of each tile."""
        tiles = self.page.get_by_role("group", name=re.compile("Your hand")).get_by_role("button")
        found: Any = tiles.evaluate_all(
            "all => all.map(each => [each.ariaLabel, each.ariaDisabled !== 'true', each.title])"
        )
        return [(name, fits, about) for name, fits, about in found]

    def wait_for_own_turn(self) -> bool:
        """Wait until a control is enabled. Return False if the match is over."""
        for _ in attempts("an own turn, or the end"):
            what = wait_for_action(self.page)[1]
            self.listen()
            if what == "over":
                expect(button(self.page, "Rematch")).to_be_visible()
                return False
            if what == "move":
                until(self.page, self._can_act, "an enabled tile or button")
                return True
            dismiss_round_end(self.page)
        raise AssertionError

    def _can_act(self) -> bool:
        if any(fits for _name, fits, _about in self._tiles()):
            return True
        return self._is_enabled("Draw") or self._is_enabled("Pass")

    def _is_enabled(self, name: str) -> bool:
        pressable: bool = button(self.page, name).evaluate_all(
            "all => all.some(each => each.ariaDisabled !== 'true')"
        )
        return pressable

    def play(self) -> None:
        """Play the tile and end that score most, then the heaviest tile; else draw, else pass."""
        choices = [(self._points(self._count(*way)), pips(way[0]), *way) for way in self._choices()]
        if not choices:
            button(self.page, "Draw" if self._is_enabled("Draw") else "Pass").first.click()
            return
        gain, _pips, tile, where, _makes = max(choices)
        if self.calls and gain:
            self.page.get_by_role("radio", name=str(gain), exact=True).evaluate("each => each.click()")
        button(self.page, tile).first.click()
        places = self.page.get_by_role("button", name=re.compile(f"^{where}, \\d+$"))
        if where and places.count() and places.first.is_visible():
            places.first.click()

    def _choices(self) -> list[tuple[str, str, int]]:
        """Return (tile, end or "" for a lead, announced count or -1) of each legal play."""
        found = []
        for tile, fits, about in self._tiles():
            for way in about.split("; ") if fits else []:
                where, _comma, makes = way.partition(", makes ")
                found.append((tile, where.removeprefix("fits the ").removeprefix("leads"), int(makes or -1)))
        return found

    def _count(self, tile: str, where: str, makes: int) -> int:
        """Return the count after the play: the announced one, else computed from the known ends, else -1."""
        if makes >= 0 or not self.calls:
            return makes
        one, two = map(int, tile.split("-"))
        if not where:
            return one + two
        if not self.ends:
            return -1  # not announced yet
        at = ENDS.index(where)
        ends = self.ends if len(self.ends) > 1 else self.ends * 2  # a single double
        other = two if ends[at][0] == one else one
        rest = sum(worth for index, (_suit, worth) in enumerate(ends) if index != at)
        return rest + (2 * other if one == two else other)

    @property
    def count(self) -> int:
        return sum(worth for _suit, worth in self.ends)

    @staticmethod
    def _points(count: int) -> int:
        return count if count % 5 == 0 else 0


class Said(NamedTuple):
    """An announcement, when it was made, and whether an assertive one cut it off before a slow voice had read it."""

    text: str
    is_assertive: bool
    at: float
    is_cut: bool = False


def read_transcript(page: Page) -> list[Said]:
    """Return what was said at `page`. One's own moves end the reading: whoever plays has heard enough."""
    said: list[Said] = []
    ends: list[float] = []  # of the reading, of each
    for each in (Said(*row) for row in page.evaluate("transcript")):
        if each.text.startswith("You "):
            ends = [min(end, each.at) for end in ends]
        elif each.is_assertive:
            said = [
                one._replace(is_cut=one.is_cut or end > each.at) for one, end in zip(said, ends, strict=True)
            ]
        begins = each.at if each.is_assertive or not ends else max(each.at, ends[-1])
        said.append(each)
        ends.append(begins + READING_MS_PER_CHARACTER * len(each.text))
    return said


def pips(tile: str) -> int:
    return sum(map(int, tile.split("-")))
