"""Refusals of moves and other requests at a match."""

from boneyard.engine.errors import EngineError, Malformed
from games.time import outages

HTTP_STATUSES = {
    "malformed": 400,
    "not_seated": 403,
    "stale": 409,
    "over": 422,
    "not_your_turn": 422,
    "wait": 422,
    "illegal": 422,
    "unavailable": 503,
}


class MoveRefused(Exception):
    """A refused request.

    `reason` is a key of `HTTP_STATUSES`; `code` and `params`, of the engine or the services, select the sentence in
    `games.wording.refusals`.
    """

    def __init__(self, reason: str, code: str = "", **params: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code
        self.params = params

    @classmethod
    def from_engine(cls, error: EngineError) -> "MoveRefused":
        """Wrap an error of the engine."""
        reason = error.code if error.code in ("over", "not_your_turn") else "illegal"
        return cls("malformed" if isinstance(error, Malformed) else reason, error.code, **error.params)

    @property
    def status(self) -> int:
        return HTTP_STATUSES[self.reason]


def refuse_during_halt() -> None:
    """Raise `MoveRefused` while all matches stand still. Call with the match locked."""
    if outages.get_halt() is not None:
        raise MoveRefused("unavailable", "halted")
