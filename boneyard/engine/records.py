"""Writing match records (docs/record.md); `verification` reads them.

>>> from .moves import RESIGN
>>> from .presets import PRESETS
>>> rules = PRESETS["block"].rules
>>> match = matches.begin(rules, 2, bytes(range(32)), ".").play(0, RESIGN)
>>> people = [{"name": name, "kind": "player", "level": None} for name in ("mara", "tiago")]
>>> written = record(
...     match, code="k3v9", preset="block", seats=people, rated=False, started=None, ended=None, times=None
... )
>>> written["result"]
{'how': 'resigned', 'winners': [1], 'scores': [0, 0]}
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from . import matches
from .matches import Match, Result
from .moves import LEAVING, Move
from .round_ends import EndedRound
from .rounds import Deal, Entry
from .tiles import NAMES, Tile

FORMAT = "domino-record/1"
KINDS = ("player", "guest", "computer")
Level = Literal["beginner", "casual", "club", "strong", "master"]
LEVELS: tuple[Level, ...] = get_args(Level)
DEFAULT_LEVEL: Level = "club"


def record(
    match: Match,
    *,
    code: str,
    preset: str | None,
    seats: Sequence[Mapping[str, Any]],
    rated: bool,
    started: str | None,
    ended: str | None,
    times: Sequence[str | None] | None,
    commitments: Sequence[str | None] | None = None,
    deals: str | None = None,
    legal: bool = False,
) -> dict[str, Any]:
    """Return the record of a finished match. Raise `ValueError` if the match is not over.

    seats         name, kind and level of each seat
    times         the time of each move, by its index in the whole match; None for a match made outside the site
    commitments   by seat, what it committed to; None for a match made before commitments
    deals         the name of the set of shared deals, or None
    legal         whether to include the legal moves before each move
    """
    if match.result is None:
        raise ValueError("a running match has no record")
    listed = _list_legal_moves(match) if legal else None
    rounds, number = [], 0
    for finished in match.ended:
        rows = []
        for entry in finished.log:
            row = entry_data(entry, match.terms.must_claim)
            if times is not None and times[number] is not None:
                row["at"] = times[number]
            if listed is not None and listed[number] is not None:
                row["legal"] = listed[number]
            rows.append(row)
            number += 1
        rounds.append(deal_data(finished.round.deal) | {"moves": rows} | round_end_data(finished))
    optional: dict[str, Any] = {} if commitments is None else {"commitments": list(commitments)}
    if deals is not None:
        optional["deals"] = deals
    return {
        "format": FORMAT,
        "match": code,
        "preset": preset,
        "rules": match.rules.written(),
        "seats": [{name: seat[name] for name in ("name", "kind", "level")} for seat in seats],
        "rated": rated,
        "started": started,
        "ended": ended,
        "seal": match.keys.seal,
        "entropy": match.entropy,
        "rounds": rounds,
        "result": result_data(match.result),
    } | optional


def dumps(value: object) -> str:
    """Return a record, or a part of one, as JSON on one line with sorted keys."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _names(tiles: Sequence[Tile]) -> list[str]:
    return [NAMES[tile] for tile in tiles]


def deal_data(deal: Deal) -> dict[str, Any]:
    return {
        "number": deal.number,
        "secret": deal.key.hex(),
        "attempt": deal.attempt,
        "lots": None if deal.lots is None else _names(deal.lots),
        "hands": [_names(hand) for hand in deal.hands],
        "boneyard": _names(deal.boneyard),
        "lead_draws": [[seat, NAMES[tile]] for seat, tile in deal.lead_draws],
        "leader": deal.leader,
        "named": None if deal.named is None else NAMES[deal.named],
    }


def entry_data(entry: Entry, called: bool) -> dict[str, Any]:
    row: dict[str, Any] = {"seat": entry.seat, "move": entry.move.text}
    if entry.move.kind == "play":
        row |= {"count": entry.count, "points": entry.points, "scored": entry.scored}
        if called:
            row["claim"] = entry.claim
    elif entry.tile is not None:
        row["tile"] = NAMES[entry.tile]
    elif entry.move.kind == "muggins":
        row["scored"] = entry.scored
    if entry.award is not None:
        row["award"] = list(entry.award)
    return row


def round_end_data(finished: EndedRound) -> dict[str, Any]:
    end = finished.end
    row: dict[str, Any] = {
        "how": end.how,
        "winner": end.winner,
        "pips": list(end.pips),
        "bonus": list(end.bonus),
    }
    if end.extras:
        row["extras"] = dict(end.extras)
    if end.taken:
        row["taken"] = list(end.taken)
    if end.reset:
        row["reset"] = list(end.reset)
    return {"end": row, "scores": list(finished.scores)}


def result_data(result: Result) -> dict[str, Any]:
    how, winners, scores = result
    return {"how": how, "winners": list(winners), "scores": list(scores)}


def _list_legal_moves(match: Match) -> list[list[str] | None]:
    """Return the legal moves before each move; None for calls, `close` and moves of seats that leave."""
    value = matches.begin_with_keys(match.rules, match.seats, match.keys, match.entropy)
    listed = []
    for finished in match.ended:
        for entry in finished.log:
            listed.append(legal_moves(value, entry.seat, entry.move))
            value = value.play(entry.seat, entry.move, entry.claim)
    return listed


def legal_moves(match: Match, seat: int, move: Move) -> list[str] | None:
    """Return the seat's legal moves as records list them; None before a call, `close` and a move by which it leaves."""
    if move.kind in ("muggins", "close") or move.kind in LEAVING:
        return None
    return sorted(legal.text for legal in match.legal(seat))
