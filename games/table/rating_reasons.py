"""Why a match changed ratings by less than the formula's full amount, or not at all, in one line each."""

from collections.abc import Sequence

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from accounts.elo import MIN_RATING, expected
from accounts.models import RatingChange
from boneyard.engine.moves import VOID
from boneyard.engine.rules import Rules
from core.numbers import display_rating
from games.calling_off import have_all_had_a_turn
from games.models import Match, Seat

Limit = RatingChange.Limit


def explain_change(change: RatingChange | None) -> str:
    """Return why a change is reduced or zero, or "" for a full one."""
    if change is None:
        return ""
    if change.exempt_beside_id is not None:
        return _("no loss: the partner left")
    if change.limited_by == Limit.NEW_ACCOUNTS:
        return _("limited: at most 100 points in 30 days from new accounts")
    if change.limited_by == Limit.OPPONENT:
        return _("limited: at most 100 points in 30 days from one opponent")
    if change.limited_by == Limit.WINNER:
        return _("reduced in proportion: the winner’s gain was limited")
    if change.after == MIN_RATING < change.before or change.after == change.before == MIN_RATING:
        return _("no rating falls below 100")
    if change.weight < 1:
        return _("counts %(percent)d%%: an opponent has fewer than 20 rated matches") % {
            "percent": round(100 * change.weight)
        }
    if display_rating(change.after) == display_rating(change.before):
        return _("about what the ratings predicted")
    return ""


def explain_expectation(match: Match, seats: Sequence[Seat], mine: Seat | None) -> str:
    """Return what the ratings expected of the viewer in a rated match of two, on which the change depends; or ""."""
    if mine is None or len(seats) != 2 or match.rating_order is None:
        return ""
    other = seats[1 - mine.position]
    if mine.rating_before is None or other.rating_before is None:
        return ""
    share = expected(mine.rating_before, other.rating_before, match.length_scale)
    return _("The ratings gave you %(percent)d%% before the match.") % {"percent": round(100 * share)}


def explain_length(match: Match) -> str:
    """Return how the length of the match scaled its changes, or "" if it did not."""
    if match.rating_order is None or match.length_scale == 1:
        return ""
    factor = number_format(match.length_scale, decimal_pos=2)
    if match.length_scale < 1:
        return _("A short match: its changes count × %(factor)s.") % {"factor": factor}
    return _("A long match: its changes count × %(factor)s.") % {"factor": factor}


def explain_unrated(match: Match, seats: Sequence[Seat]) -> str:
    """Return why no rating changes, or those of some players do not, or "" if the match is rated for all."""
    if match.casual_since is not None:
        return _("Two of you played from one address: no rating changes.")
    if not match.rated:
        return _("A casual match: no rating changes.")
    if match.rating_order is not None:
        if (
            len(seats) == 4
            and any(seat.taken_over for seat in seats)
            and Rules.from_dict(match.rules).partners
        ):
            return _("A computer took over a seat: the match is casual for those who stayed.")
        return ""  # rated; the ratings may still be being recomputed
    if match.result_how == "aborted" and match.moves.filter(text=VOID.kind).exists():
        return _("The moderators ended the match: no rating changes.")
    if match.result_how == "aborted":
        return _("Nobody loses rating: it ended before everybody had had a turn.")
    if not have_all_had_a_turn(match):
        return _("It ended before everybody had had a turn: no rating changes.")
    return _("Two of you had met in ten rated matches that day: no rating changes.")
