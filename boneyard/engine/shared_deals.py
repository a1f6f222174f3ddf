"""Computers in matches of shared deals: the same plays get the same answers (docs/record.md, "Shared deals").

>>> from .matches import begin
>>> from .perspective import perspective
>>> from .presets import PRESETS
>>> match = begin(PRESETS["block"].rules, 2, bytes(range(32)), "daily-2026-11-26")
>>> view = isolate_round(perspective(match, match.turn))
>>> view.scores, compute_seed(bytes(32), view)[:8] == compute_seed(bytes(32), view, "house")[:8]
((0, 0), False)
"""

import hmac
import json
from hashlib import sha256

from .perspective import View
from .tiles import NAMES


def isolate_round(view: View) -> View:
    """Return the view of a computer for which each round stands alone: no scores, no earlier rounds."""
    return view._replace(
        scores=(0,) * len(view.scores),
        kept=(0,) * len(view.kept),
        carried=0,
        ended=(),
        move_count=len(view.log),
    )


def compute_seed(key: bytes, view: View, role: str = "computer") -> str:
    """Return the seed of a computer's choices, 64 hexadecimal digits, from the round's key and an isolated view.

    `role` separates the players of one seat: the table's computer, and those who play it to compare.
    """
    message = f"{role}:{view.seat}:{sha256(_describe(view).encode('ascii')).hexdigest()}"
    return hmac.digest(key, message.encode("ascii"), "sha256").hex()


def _describe(view: View) -> str:
    """Return what the computer may know of the round as JSON."""
    return json.dumps(
        {
            "rules": view.rules.written(),
            "seats": view.seats,
            "round": view.round,
            "leader": view.leader,
            "named": None if view.named is None else NAMES[view.named],
            "lots": None if view.lots is None else [NAMES[tile] for tile in view.lots],
            "hand": [NAMES[tile] for tile in view.hand],
            "log": [
                [entry.seat, entry.move.text, None if entry.tile is None else NAMES[entry.tile], entry.claim]
                for entry in view.log
            ],
        },
        sort_keys=True,
        separators=(",", ":"),
    )
