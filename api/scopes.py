"""What a token may do: its scopes, and the addresses that each of them opens (docs/http.md, "The API")."""

from collections.abc import Mapping
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Scope(StrEnum):
    """A part of what an account may do."""

    READ = "read"
    PLAY = "play"
    CHALLENGE = "challenge"
    NIGHT = "night"


SCOPE_NAMES: Mapping[Scope, str | Promise] = {
    Scope.READ: _("see what only you see: your hand, your results of a day"),
    Scope.PLAY: _("play: move, claim, resign"),
    Scope.CHALLENGE: _("make tables, sit down and challenge people"),
    Scope.NIGHT: _("run your nights: people, draws, results"),
}

# Scopes by the names of addresses. One of them is enough; an address that is not here takes no token.
SCOPES: Mapping[str, frozenset[Scope]] = {
    **dict.fromkeys(("match-state", "match-stream", "events"), frozenset({Scope.READ, Scope.PLAY})),
    **dict.fromkeys(("match-record", "analysis-json", "daily-json"), frozenset({Scope.READ})),
    **dict.fromkeys(("night-json", "night-draws"), frozenset({Scope.READ, Scope.NIGHT})),
    **dict.fromkeys(
        ("match-move", "match-absent", "match-prod", "match-continue", "match-hint"), frozenset({Scope.PLAY})
    ),
    **dict.fromkeys(
        (
            "table-new",
            "table-sit",
            "table-leave",
            "table-commit",
            "table-nonce",
            "table-rematch",
            "table-decline",
            "challenge",
            "quick-play",
        ),
        frozenset({Scope.CHALLENGE}),
    ),
    "become-bot": frozenset({Scope.PLAY, Scope.CHALLENGE}),
    **dict.fromkeys(
        (
            "night-new",
            "night-result",
            "night-confirm",
            "night-people",
            "night-open",
            "night-entry",
            "night-directors",
            "night-draw",
            "night-undo",
            "night-swap",
            "night-absent",
            "night-close",
            "night-finish",
            "night-cancel",
        ),
        frozenset({Scope.NIGHT}),
    ),
}
