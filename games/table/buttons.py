"""The buttons that are always displayed: what each sends, or why it is disabled."""

from collections.abc import Callable
from typing import NamedTuple

from django.forms.utils import flatatt
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from boneyard.engine.errors import Illegal
from boneyard.engine.moves import DRAW, PASS, Move
from boneyard.engine.perspective import View
from games import wording
from games.seats import Viewer


class Button(NamedTuple):
    """A button that is always displayed: the move that it sends, or why it is disabled."""

    move: str
    legal: bool
    reason: str

    @property
    def type(self) -> str:
        return "submit" if self.legal else "button"

    @property
    def attributes(self) -> SafeString:
        """Return the HTML attributes for what the button sends, or for why it is disabled."""
        if self.legal:
            return flatatt({"name": "move", "value": self.move})
        return flatatt({"aria-disabled": "true", "title": self.reason or None})


def build_button(view: View, move: Move, check: Callable[[], None]) -> Button:
    if move in view.legal:
        return Button(move.text, True, "")
    if not view.legal:
        return Button(move.text, False, _not_your_turn())
    try:
        check()
    except Illegal as error:
        return Button(move.text, False, wording.refusal_sentence("illegal", error.code, error.params))
    return Button(move.text, False, "")


def find_automatic_move(view: View, user: Viewer) -> str:
    """Return the only legal move if it is a draw or pass and the viewer has these made automatically; otherwise "".

    Not if points must be claimed: the others may still want to call.
    """
    wanted = getattr(user, "automatic", False) and not view.terms.must_claim and len(view.legal) == 1
    return str(view.legal[0]) if wanted and view.legal[0] in (DRAW, PASS) else ""


@wording.cached_by_language
def _not_your_turn() -> str:
    return _("Not your turn")
