"""The exceptions of the engine: a code and parameters, worded in games/wording/refusals.py.

Codes of `Illegal`:

over, no_such_seat, has_left, not_your_turn, not_held (tile), no_fit (tile, end), not_open (end),
needs_end (tile), lead_has_no_end, must_lead (tile), lead_must_score, one_tile_only, two_doubles_only,
not_a_multiple (count), cross_first (end), cannot_draw_lead, cannot_pass_lead, can_play (move), must_draw, no_drawing,
boneyard_empty, boneyard_reserved, claims_off, claim_needs_play, bad_claim, nothing_to_call, own_side,
nothing_to_close, too_late_to_abort.

Codes of `Malformed`: not_a_tile (text), not_a_move (text), not_entropy.

>>> refusal = Illegal("no_fit", tile="6-4", end="L")
>>> refusal.code, refusal.params["end"], str(refusal)
('no_fit', 'L', 'no_fit (tile 6-4, end L)')
"""


class EngineError(Exception):
    """A refusal with a stable, machine-readable `code` and named details in `params`."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        details = ", ".join(f"{name} {value}" for name, value in self.params.items())
        return f"{self.code} ({details})" if details else self.code


class Malformed(EngineError):
    """A text that is not a tile, move or entropy in any position."""


class Illegal(EngineError):
    """A move that the rules do not allow in the position."""


class InvalidRules(EngineError):
    """A missing, unknown or invalid option, or one that conflicts with others; `option` names it."""

    def __init__(self, option: str, code: str, **params: object) -> None:
        super().__init__(code, option=option, **params)
        self.args = (option, code)
        self.option = option
