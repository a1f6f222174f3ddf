"""Moves as clients send them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone

from core.numbers import parse_whole_number
from games import services
from games.repository import Snapshot
from games.seats import Viewer
from games.services import MoveRefused

MAX_MOVE_LENGTH = 40  # characters
# A page without scripts may be out of date when the reader confirms one of these; they mean the same at any version.
ANY_VERSION_MOVES = {"resign", "abort"}
MAX_CLAIM = 32_767  # the maximum of the database column
MAX_TIME_DIGITS = 13  # of milliseconds since 1970


@dataclass(frozen=True)
class MoveRequest:
    """A move sent by a client. Not a Django form: copying a form's fields took 3 % of a move."""

    move: str
    version: int | None
    claim: int | None
    until_fits: bool = False
    is_late: bool = False

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> "MoveRequest":
        """Parse a mapping, e.g. `request.POST`. Only `move` and `version` are required; numbers are ASCII digits.

        Call when the move arrives: one that `expires` while it waits for the lock is not late. Raise `MoveRefused`.
        """
        move, version, claim = data.get("move"), parse_whole_number(str(data.get("version"))), None
        if not isinstance(move, str) or not 0 < len(move) <= MAX_MOVE_LENGTH or version is None:
            raise MoveRefused("malformed")
        if data.get("claim") not in (None, ""):
            claim = parse_whole_number(str(data["claim"]))
            if claim is None or claim > MAX_CLAIM:
                raise MoveRefused("malformed")
        until = data.get("until") or ""
        if until not in ("", "fits"):
            raise MoveRefused("malformed")
        is_late = False
        if data.get("expires") not in (None, ""):
            expires_ms = parse_whole_number(str(data["expires"]), MAX_TIME_DIGITS)
            if expires_ms is None:
                raise MoveRefused("malformed")
            is_late = 1000 * timezone.now().timestamp() > expires_ms
        return cls(move, version, claim, until == "fits", is_late)

    def at_any_version(self) -> "MoveRequest":
        """Return the move without its version. Raise `MoveRefused` unless it is one of `ANY_VERSION_MOVES`."""
        if self.move not in ANY_VERSION_MOVES:
            raise MoveRefused("malformed")
        return replace(self, version=None)

    def play(self, *, code: str, user: Viewer) -> Snapshot:
        """Play the move for `user` and return the new snapshot. Raise `MoveRefused` or `Match.DoesNotExist`."""
        return services.play_as(
            code=code,
            user=user,
            move=self.move,
            seen_version=self.version,
            claim=self.claim,
            until_fits=self.until_fits,
            is_late=self.is_late,
        )
