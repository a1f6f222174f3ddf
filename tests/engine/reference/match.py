"""A mutable match that writes its own record: docs/rules.md from "The deal and the lead" on."""

from collections.abc import Callable
from typing import Any

from tests.engine.reference import points, settlement
from tests.engine.reference.deal import Round, find_leader
from tests.engine.reference.defaults import complete
from tests.engine.reference.layout import Layout
from tests.engine.reference.seating import Seating
from tests.engine.reference.settlement import Table, side_of
from tests.engine.reference.shuffle import ROUNDS
from tests.engine.reference.tally import Tally
from tests.engine.reference.tiles import parse_tile, tile_text
from tests.engine.reference.turn import drawable, fitting, legal_moves

LEAVING = {"resign": "resigned", "time": "time", "left": "left"}


class NotAllowed(Exception):
    """A move that the rules do not allow."""


class Match(Seating):
    """A match in play. `key_of(n)` returns the key of round n and is called when that round is dealt."""

    def __init__(self, rules: dict, seats: int, entropy: str, key_of: Callable[[int], bytes]):
        self.rules = complete(rules)
        self.seats = seats
        self.entropy = entropy
        self.key_of = key_of
        self.sides = [[seat] for seat in range(seats)]
        if self.rules["partners"] and seats == 4:
            self.sides = [[0, 2], [1, 3]]
        self.tally = Tally(self.rules, len(self.sides))
        self.carried = 0
        self.rounds_won = 0
        self.gone: list[int] = []
        self.ended: list[dict] = []
        self.have_played: list[int] = []
        self.extra_rounds_left = 0
        self.result: dict | None = None
        self._deal()

    @property
    def scores(self) -> list[int]:
        return self.tally.scores

    # The deal

    def _deal(self) -> None:
        previous = self.ended[-1] if self.ended else None
        number = len(self.ended) + 1
        self.round = Round(number, self.key_of(number), self.entropy, self.rules, self.seats)
        self.layout = Layout(self.rules["spinner"])
        self.callable_points = 0
        self.callable_from: int | None = None
        self.leads: int | None = None
        self.closing: tuple[str, dict[str, int]] | None = None
        self.laid_last: int | None = None
        self.tally.deal()
        self._lead(previous)
        self.turn = self.round.leader

    def _lead(self, previous: dict | None) -> None:
        if previous is None or self.tally.is_led_anew(self.sides_playing()):
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
        """Return the legal moves of the seat as sorted text; none when it is not on turn."""
        if self.result is not None or seat != self.turn:
            return []
        return legal_moves(self.round.hands[seat], self.layout, self.round, self.rules)

    def play(self, seat: int, move: str, claim: int | None = None) -> dict:
        """Make the move and return its entry in the record, including `legal`. Raise `NotAllowed`."""
        if self.result is not None:
            raise NotAllowed("the match is over")
        if seat not in self.playing():
            raise NotAllowed("that seat plays no more")
        if move in LEAVING:
            return self._leave(seat, move)
        if move == "muggins":
            return self._call(seat)
        if move == "close":
            return self._end_of_calls(seat)
        entry: dict[str, Any] = {"seat": seat, "move": move, "legal": self.legal(seat)}
        if move == "takeover":
            self.round.moves.append(entry)
        elif move == "abort":
            self._abort(entry)
        elif move == "void":
            self._void(entry)
        elif seat != self.turn:
            raise NotAllowed("not on turn")
        elif move not in entry["legal"]:
            raise NotAllowed("not legal: " + " ".join(entry["legal"]))
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
        entry["tile"] = tile_text(tile)
        self.round.moves.append(entry)
        self.round.passed = []
        self._clear_callable_points()
        self._end_if_blocked()

    def _pass(self, entry: dict) -> None:
        self.round.moves.append(entry)
        self.round.passed.append(self.turn)
        self._clear_callable_points()
        self.turn = self.next_on_turn(self.turn)
        if self.turn == self.laid_last and self._others_passed():
            before = list(self.scores)
            self._award_extra(entry, "pass_round", self.laid_last)
            self._end_match_if_won(before)
        if self.result is None:
            self._end_if_blocked()

    def _others_passed(self) -> bool:
        return all(seat in self.round.passed for seat in self.having_turns() if seat != self.laid_last)

    def _lay(self, entry: dict, claim: int | None) -> None:
        seat = entry["seat"]
        if claim and self.rules["claims"] == "automatic":
            raise NotAllowed("nothing is claimed at this table")
        before = list(self.scores)
        if not self.layout.nodes:
            self.leads = seat
        elif self._was_lead_passed(seat):
            self._award_extra(entry, "pass_lead", self.leads)
        ends_before = self.layout.open_ends()
        self._lay_tiles(seat, entry["move"])
        self._score_play(entry, claim)
        self.round.moves.append(entry)
        self._end_match_if_won(before)
        if self.result is not None:
            return
        if self.is_out(seat):
            self._end_by_play("out", points.of_last_tile(entry["move"], ends_before, self.rules))
            return
        self.turn = self.next_on_turn(seat)
        if self._is_blocked():
            self._end_by_play("blocked", {})

    def _end_by_play(self, how: str, extras: dict[str, int]) -> None:
        """End the round with the last play, or let it be called first (`call_last`)."""
        self.closing = (how, extras)
        if self.rules["call_last"]:
            self.turn = None
        else:
            self._settle_closing()

    def _settle_closing(self) -> None:
        how, extras = self.closing
        self.closing = None
        if how == "blocked":
            self._end_round(how, settlement.block_winner(self._table()), {})
        else:
            self._end_round(how, self.laid_last if self.laid_last in self.playing() else None, extras)

    def closer(self) -> int | None:
        """Return the seat of `close`, or None outside the pause for calls."""
        if self.closing is None or self.result is not None:
            return None
        return self.laid_last if self.laid_last in self.playing() else self.after(self.laid_last)

    def _end_of_calls(self, seat: int) -> dict:
        if seat != self.closer():
            raise NotAllowed("nothing to close, or another seat closes")
        entry = {"seat": seat, "move": "close"}
        self.round.moves.append(entry)
        self._settle_closing()
        return entry

    def _was_lead_passed(self, seat: int) -> bool:
        """Return whether exactly one seat has passed since the lead and `seat` is not the leader."""
        second_play = len(self.layout.nodes) == 1
        return second_play and len(self.round.passed) == 1 and seat != self.leads and len(self.playing()) > 2

    def _lay_tiles(self, seat: int, move: str) -> None:
        for part in move.split("+"):
            text, _, end = part.partition("@")
            self.round.hands[seat].remove(parse_tile(text))
            if end:
                self.layout.lay(parse_tile(text), end)
            else:
                self.layout.lead(parse_tile(text))
        self.round.passed = []
        self.laid_last = seat
        self.have_played.append(seat)
        self._clear_callable_points()

    def _score_play(self, entry: dict, claim: int | None) -> None:
        seat = entry["seat"]
        entry["count"] = self.layout.count()
        entry["points"] = points.of_layout(self.layout, self.rules)
        if self.is_out(seat):
            entry["points"] += self.rules["out_points"]
        entry["scored"] = 0
        if self.rules["claims"] == "muggins":
            entry["claim"] = claim or None
            if (claim or 0) != entry["points"]:
                self._set_callable_points(seat, entry["points"])
                return
        entry["scored"] = self.tally.give(side_of(seat, self.sides), entry["points"])

    def _set_callable_points(self, seat: int, worth: int) -> None:
        """Make unclaimed points callable, unless their player could not score them."""
        if self.tally.allowed(side_of(seat, self.sides), worth):
            self.callable_points, self.callable_from = worth, seat

    def _call(self, seat: int) -> dict:
        if not self.callable_points:
            raise NotAllowed("nothing lies open")
        side = side_of(seat, self.sides)
        if side == side_of(self.callable_from, self.sides):
            raise NotAllowed("the play was the own side's")
        if not self.tally.allowed(side, self.callable_points):
            raise NotAllowed("the caller could not be given the points")
        before = list(self.scores)
        entry = {"seat": seat, "move": "muggins", "scored": self.tally.give(side, self.callable_points)}
        self.round.moves.append(entry)
        self._clear_callable_points()
        self._end_match_if_won(before)
        if self.closing is not None and self.result is None:
            self._settle_closing()
        return entry

    def _clear_callable_points(self) -> None:
        self.callable_points, self.callable_from = 0, None

    # Scores

    def _award_extra(self, entry: dict, name: str, seat: int) -> None:
        """Award an extra within a round to the side of a seat that has not left."""
        if name in self.rules["extras"] and seat in self.playing():
            entry["award"] = [0 for _ in self.sides]
            side = side_of(seat, self.sides)
            entry["award"][side] = self.tally.give(side, self.rules["extras"][name])

    def _end_match_if_won(self, before: list[int]) -> None:
        """End the match if a side that has just scored has the target and is the only best.

        Interpretation: in the extra round after a tie, the first tied side to score wins.
        """
        if self.rules["finish"] != "at_once":
            return
        given = [now for now, then in zip(self.scores, before, strict=True) if now > then]
        best = self._best()
        if len(best) == 1 and any(self.tally.has_won(score) for score in given):
            self._stop("target", best)

    # The end of a round

    def _end_if_blocked(self) -> None:
        if self._is_blocked():
            self._end_round("blocked", settlement.block_winner(self._table()), {})

    def _is_blocked(self) -> bool:
        if not self.layout.nodes:
            return False
        turns = self.having_turns()
        all_passed = self.rules["pass"] != "stuck" and all(seat in self.round.passed for seat in turns)
        nothing_fits = not any(fitting(self.round.hands[seat], self.layout) for seat in turns)
        return all_passed or (nothing_fits and not drawable(self.round, self.rules))

    def _table(self) -> Table:
        return Table(
            self.rules, self.round.hands, self.sides, self.playing(), self.round.leader, self.laid_last
        )

    def _end_round(self, how: str, winner: int | None, extras: dict[str, int]) -> None:
        table, blocked = self._table(), how == "blocked"
        bonuses = [0 for _ in self.sides]
        taken = 0
        if winner is None:
            self.carried += settlement.carried(table) if blocked else 0
        else:
            extras = extras | points.of_round(self.rounds_won, blocked, self.rules)
            bonuses = settlement.awards(winner, blocked, self.carried, sum(extras.values()), table)
            self.rounds_won += 1
            self.carried = 0
            taken = 0 if blocked else settlement.taken_for_partner(winner, table)
        ceiling = self.rules["bonus_ceiling"]
        given = [self.tally.give(side, bonus, ceiling) for side, bonus in enumerate(bonuses)]
        if taken:
            self.scores[table.side_of(winner)] -= taken
        extras = extras if winner is not None else {}
        self._close(how, winner, given, extras)
        if taken:
            own = table.side_of(winner)
            self.ended[-1]["end"]["taken"] = [taken if side == own else 0 for side in range(len(self.sides))]
        self._end_match_if_finished()
        if self.result is None:
            self._deal()

    def _close(self, how: str, winner: int | None, given: list[int], extras: dict[str, int]) -> None:
        self._clear_callable_points()
        self.tally.net()
        lost = [] if how == "stopped" else self.tally.reset(self.sides_playing())
        end = {
            "how": how,
            "winner": winner,
            "pips": [settlement.hand_pips(hand, self.rules) for hand in self.round.hands],
            "bonus": given,
        }
        if extras:
            end["extras"] = extras
        if lost:
            end["reset"] = lost
        rest = {"moves": self.round.moves, "end": end, "scores": list(self.scores)}
        self.ended.append(self.round.opening() | rest)

    # The end of the match

    def _best(self) -> list[int]:
        choose = min if self.rules["lowest_wins"] else max
        best = choose(self.scores[side] for side in self.sides_playing())
        return [side for side in self.sides_playing() if self.scores[side] == best]

    def _end_match_if_finished(self) -> None:
        self.extra_rounds_left = max(0, self.extra_rounds_left - 1)
        best = self._best()
        reached = any(self.tally.has_won(self.scores[side]) for side in self.sides_playing())
        if reached and self.extra_rounds_left == 0:
            if len(best) == 1:
                self._finish("target", best)
                return
            by_players = self.rules["extra_rounds"] == "players" and self.rules["finish"] == "round_end"
            self.extra_rounds_left = self.seats if by_players else 1
        if len(self.ended) == (self.rules["rounds"] or ROUNDS):
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
        if self.closing is None:
            self._end_if_blocked()
        return entry

    def _abort(self, entry: dict) -> None:
        if entry["seat"] in self.have_played:
            raise NotAllowed("too late to abort")
        self.round.moves.append(entry)
        self._stop("aborted", [])

    def _void(self, entry: dict) -> None:
        seat = self.after(self.laid_last) if self.turn is None else self.turn
        if entry["seat"] != seat:
            raise NotAllowed("another seat ends the match")
        self.round.moves.append(entry)
        self._stop("aborted", [])

    def _stop(self, how: str, winners: list[int]) -> None:
        self._close("stopped", None, [0 for _ in self.sides], {})
        self._finish(how, winners)

    def _finish(self, how: str, winners: list[int]) -> None:
        self.turn = None
        self.result = {"how": how, "winners": winners, "scores": list(self.scores)}
