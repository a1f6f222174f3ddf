"""The running scores: docs/rules.md, "The options", `opening`, `exact`, `team_difference`."""


class Tally:
    """The score of each side. `kept` are points below the opening minimum that are added later."""

    def __init__(self, rules: dict, sides: int):
        self.rules = rules
        self.scores = [0 for _ in range(sides)]
        self.kept = list(self.scores)
        self.at_deal = list(self.scores)
        self.refused: set[int] = set()

    def allowed(self, side: int, worth: int) -> int:
        """Return the points that a side receives: `worth` plus its kept points, or 0."""
        worth += self.kept[side]
        if side in self.refused:
            return 0
        if self._too_few_to_open(side, worth):
            return 0
        return 0 if self._past_target(side, worth) else worth

    def _past_target(self, side: int, worth: int) -> bool:
        return self.rules["exact"] and self.scores[side] + worth > self.rules["target"]

    def give(self, side: int, worth: int, ceiling: int | None = None) -> int:
        """Add points to the side's score as far as allowed and return the points added."""
        if side in self.refused:
            return 0
        given = self.allowed(side, worth)
        if self.rules["past_target"] == "round" and self._past_target(side, worth + self.kept[side]):
            self.refused.add(side)
        if ceiling is not None:
            given = max(0, min(given, ceiling - self.scores[side]))
        if given:
            self.kept[side] = 0
        elif self._too_few_to_open(side, self.kept[side] + worth) and self.rules["opening"]["kept"]:
            self.kept[side] += worth
        self.scores[side] += given
        return given

    def _too_few_to_open(self, side: int, worth: int) -> bool:
        opening = self.rules["opening"]
        return opening is not None and self.scores[side] == 0 and worth < opening["points"]

    def deal(self) -> None:
        """Start a round."""
        self.at_deal = list(self.scores)
        self.refused = set()

    def has_won(self, score: int) -> bool:
        """Return whether a score is enough for the finish."""
        target = self.rules["target"]
        if target is None:
            return False
        return score > target if self.rules["goal"] == "exceed" else score >= target

    def is_led_anew(self, sides: list[int]) -> bool:
        """Return whether the next round is led like the first, by the scores of the sides at the table."""
        levels = {"none": [], "all_scored": [0], "one_all": [0, 1]}[self.rules["reset"]]
        return any(all(self.scores[side] == level for side in sides) for level in levels)

    def reset(self, sides: list[int]) -> list[int]:
        """Apply `reset` to the ended round and return what each side lost, [] for nothing."""
        earlier, now = list(self.scores), [self.scores[side] for side in sides]
        has_finished = any(self.has_won(score) for score in now)
        if self.rules["reset"] == "none" or has_finished or 0 in now:
            return []
        ones = [1 for _ in sides]
        if self.rules["reset"] == "one_all" and now == ones:
            return []
        if self.rules["reset"] == "one_all" and [self.at_deal[side] for side in sides] == ones:
            unchanged = [side for side, score in enumerate(self.scores) if score == self.at_deal[side]]
        else:
            unchanged = list(range(len(self.scores)))
        for side in unchanged:
            self.scores[side] = 0
        lost = [then - score for then, score in zip(earlier, self.scores, strict=True)]
        return lost if any(lost) else []

    def net(self) -> None:
        """Apply `team_difference` to the ended round: only the pair that gained more gets the difference."""
        if not self.rules["team_difference"]:
            return
        first, second = (now - then for now, then in zip(self.scores, self.at_deal, strict=True))
        self.scores = list(self.at_deal)
        self.scores[0] += max(0, first - second)
        self.scores[1] += max(0, second - first)
