"""A match that changes as it is played, and writes its own record: docs/rules.md §4 to §8."""

from collections.abc import Callable
from typing import Any

from tests.engine.reference import points
from tests.engine.reference.deal import Round, find_leader
from tests.engine.reference.layout import Layout
from tests.engine.reference.shuffle import ROUNDS
from tests.engine.reference.tiles import named, weight, write
from tests.engine.reference.turn import drawable, fitting, legal_moves

LEAVING = {"resign": "resigned", "time": "time", "left": "left"}


class Refused(Exception):
    """The rules do not allow this move of this seat now."""


class Match:
    """`key_of(n)` gives the key of round n; it is asked for only when that round is dealt."""

    def __init__(self, rules: dict, seats: int, entropy: str, key_of: Callable[[int], bytes]):
        self.rules = rules
        self.seats = seats
        self.entropy = entropy
        self.key_of = key_of
        self.sides = [[seat] for seat in range(seats)]
        if rules["partners"] and seats == 4:
            self.sides = [[0, 2], [1, 3]]
        self.scores = [0 for _ in self.sides]
        self.gone: list[int] = []
        self.ended: list[dict] = []
        self.have_played: list[int] = []
        self.rounds_before_looking = 0
        self.result: dict | None = None
        self._deal()

    def playing(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat not in self.gone]

    def sides_playing(self) -> list[int]:
        return [
            number for number, side in enumerate(self.sides) if not any(seat in self.gone for seat in side)
        ]

    def after(self, seat: int) -> int:
        """The next seat clockwise that still plays."""
        seat = (seat + 1) % self.seats
        while seat in self.gone:
            seat = (seat + 1) % self.seats
        return seat

    # The deal

    def _deal(self) -> None:
        previous = self.ended[-1] if self.ended else None
        number = len(self.ended) + 1
        self.round = Round(number, self.key_of(number), self.entropy, self.rules, self.seats)
        self.layout = Layout(self.rules["spinner"])
        self.open_points = 0
        self.open_from: int | None = None
        self.scores_at_deal = list(self.scores)
        self._lead(previous)
        self.turn = self.round.leader

    def _lead(self, previous: dict | None) -> None:
        if previous is None:
            way = "first"
        elif previous["end"]["how"] == "blocked":
            way = self.rules["next_lead_after_block"]
        else:
            way = self.rules["next_lead"]
        if way == "winner" and previous["end"]["winner"] not in self.playing():
            way = "first"
        if way == "winner":
            self.round.leader = previous["end"]["winner"]
        elif way == "rotate":
            self.round.leader = self.after(previous["leader"])
        else:
            find_leader(self.round, self.rules, self.entropy, self.playing())

    # The turn

    def legal(self, seat: int) -> list[str]:
        """The legal moves of the seat as sorted text; none when it is not on turn."""
        if self.result is not None or seat != self.turn:
            return []
        return legal_moves(self.round.hands[seat], self.layout, self.round, self.rules)

    def play(self, seat: int, move: str, claim: int | None = None) -> dict:
        """Make the move; its entry in the record, `legal` included. Raises Refused."""
        if self.result is not None:
            raise Refused("the match is over")
        if seat not in self.playing():
            raise Refused("that seat plays no more")
        if move in LEAVING:
            return self._leave(seat, move)
        if move == "muggins":
            return self._call(seat)
        entry: dict[str, Any] = {"seat": seat, "move": move, "legal": self.legal(seat)}
        if move == "takeover":
            self.round.moves.append(entry)
        elif move == "abort":
            self._abort(entry)
        elif seat != self.turn:
            raise Refused("not on turn")
        elif move not in entry["legal"]:
            raise Refused("not legal: " + " ".join(entry["legal"]))
        elif move == "draw":
            self._draw(entry)
        elif move == "pass":
            self._pass(entry)
        else:
            self._lay(entry, claim)
        return entry

    def _draw(self, entry: dict) -> None:
        tile = self.round.boneyard.pop(0)
        self.round.hands[self.turn].append(tile)
        entry["tile"] = write(tile)
        self.round.moves.append(entry)
        self._lapse()
        self._end_if_blocked()

    def _pass(self, entry: dict) -> None:
        self.round.moves.append(entry)
        self.round.passed.append(self.turn)
        self._lapse()
        self.turn = self.after(self.turn)
        self._end_if_blocked()

    def _lay(self, entry: dict, claim: int | None) -> None:
        seat = entry["seat"]
        if claim and self.rules["claims"] == "automatic":
            raise Refused("nothing is claimed at this table")
        for part in entry["move"].split("+"):
            text, _, end = part.partition("@")
            self.round.hands[seat].remove(named(text))
            if end:
                self.layout.lay(named(text), end)
            else:
                self.layout.lead(named(text))
        self.round.passed = []
        self.have_played.append(seat)
        self._lapse()
        self._score_play(entry, claim)
        self.round.moves.append(entry)
        self._after_play(entry)

    def _score_play(self, entry: dict, claim: int | None) -> None:
        entry["count"] = self.layout.count()
        entry["points"] = points.counted(entry["count"], self.rules)
        if not self.round.hands[entry["seat"]]:
            entry["points"] += self.rules["out_points"]
        good = True
        if self.rules["claims"] == "muggins":
            entry["claim"] = claim or None
            good = (claim or 0) == entry["points"]
        entry["scored"] = self._allowed(entry["seat"], entry["points"]) if good else 0
        if not good:
            self.open_points = entry["points"]
            self.open_from = entry["seat"]

    def _after_play(self, entry: dict) -> None:
        self._score(entry["seat"], entry["scored"])
        if self.result is not None:
            return
        if not self.round.hands[entry["seat"]]:
            bonuses = points.out_bonus(entry["seat"], self.round.hands, self.sides, self.rules)
            self._end_round("out", entry["seat"], bonuses)
            return
        self.turn = self.after(entry["seat"])
        self._end_if_blocked()

    def _call(self, seat: int) -> dict:
        if not self.open_points:
            raise Refused("nothing lies open")
        if points.side_of(seat, self.sides) == points.side_of(self.open_from, self.sides):
            raise Refused("the play was the own side's")
        entry: dict[str, Any] = {
            "seat": seat,
            "move": "muggins",
            "scored": self._allowed(seat, self.open_points),
        }
        self.round.moves.append(entry)
        self._lapse()
        self._score(seat, entry["scored"])
        return entry

    def _lapse(self) -> None:
        self.open_points, self.open_from = 0, None

    # Scores

    def _allowed(self, seat: int, worth: int) -> int:
        """What is scored of points worth so much: all, or with `exact` perhaps nothing."""
        score = self.scores[points.side_of(seat, self.sides)]
        if self.rules["exact"] and score + worth > self.rules["target"]:
            return 0
        return worth

    def _score(self, seat: int, scored: int) -> None:
        side = points.side_of(seat, self.sides)
        self.scores[side] += scored
        # Read so: in the round that plays off a tie, the first of the tied to score has won.
        if scored and self.rules["finish"] == "at_once" and self.scores[side] >= self.rules["target"]:
            best = self._best()
            if len(best) == 1:
                self._stop("target", best)

    def _award(self, side: int, pips: int) -> int:
        """The bonus a side is given for so many pips, once it is in its score."""
        bonus = points.in_unit(pips, self.rules["bonus_unit"])
        ceiling = self.rules["bonus_ceiling"]
        if ceiling is not None:
            bonus = max(0, min(bonus, ceiling - self.scores[side]))
        if self.rules["exact"] and self.scores[side] + bonus > self.rules["target"]:
            bonus = 0
        self.scores[side] += bonus
        return bonus

    def _net(self) -> None:
        if not self.rules["team_difference"]:
            return
        first, second = (now - then for now, then in zip(self.scores, self.scores_at_deal, strict=True))
        self.scores = list(self.scores_at_deal)
        self.scores[0] += max(0, first - second)
        self.scores[1] += max(0, second - first)

    # The end of a round

    def _end_if_blocked(self) -> None:
        if not self.layout.nodes:
            return
        playing = self.playing()
        all_passed = self.rules["pass"] == "free" and all(seat in self.round.passed for seat in playing)
        nothing_fits = not any(fitting(self.round.hands[seat], self.layout) for seat in playing)
        if all_passed or (nothing_fits and not drawable(self.round, self.rules)):
            able = self.sides_playing()
            winner = points.block_winner(self.round.hands, self.sides, able, self.rules)
            bonuses = points.blocked_bonus(winner, self.round.hands, self.sides, able, self.rules)
            self._end_round("blocked", winner, bonuses)

    def _end_round(self, how: str, winner: int | None, bonuses: list[int]) -> None:
        awarded = [self._award(side, pips) for side, pips in enumerate(bonuses)]
        self._close(how, winner, awarded)
        self._look_at_the_finish()
        if self.result is None:
            self._deal()

    def _close(self, how: str, winner: int | None, awarded: list[int]) -> None:
        self._lapse()
        self._net()
        end = {
            "how": how,
            "winner": winner,
            "pips": [weight(hand) for hand in self.round.hands],
            "bonus": awarded,
        }
        whole = {"moves": self.round.moves, "end": end, "scores": list(self.scores)}
        self.ended.append(self.round.opening() | whole)

    # The end of the match

    def _best(self) -> list[int]:
        choose = min if self.rules["lowest_wins"] else max
        best = choose(self.scores[side] for side in self.sides_playing())
        return [side for side in self.sides_playing() if self.scores[side] == best]

    def _look_at_the_finish(self) -> None:
        self.rounds_before_looking = max(0, self.rounds_before_looking - 1)
        best = self._best()
        reached = any(self.scores[side] >= self.rules["target"] for side in self.sides_playing())
        if reached and self.rounds_before_looking == 0:
            if len(best) == 1:
                self._finish("target", best)
                return
            by_players = self.rules["extra_rounds"] == "players" and self.rules["finish"] == "round_end"
            self.rounds_before_looking = self.seats if by_players else 1
        if len(self.ended) == ROUNDS:
            self._finish("rounds", best)

    def _leave(self, seat: int, move: str) -> dict:
        entry = {"seat": seat, "move": move}
        self.round.moves.append(entry)
        self.gone.append(seat)
        if len(self.sides_playing()) == 1:
            self._stop(LEAVING[move], self.sides_playing())
            return entry
        if self.turn == seat:
            self.turn = self.after(seat)
            self.round.must_lead = None
        self._end_if_blocked()
        return entry

    def _abort(self, entry: dict) -> None:
        if entry["seat"] in self.have_played:
            raise Refused("too late to abort")
        self.round.moves.append(entry)
        self._stop("aborted", [])

    def _stop(self, how: str, winners: list[int]) -> None:
        self._close("stopped", None, [0 for _ in self.sides])
        self._finish(how, winners)

    def _finish(self, how: str, winners: list[int]) -> None:
        self.turn = None
        self.result = {"how": how, "winners": winners, "scores": list(self.scores)}
