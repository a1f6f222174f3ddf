"""Decide who may get a hint: the seat on turn in a casual match against computers only."""

from games import repository
from games.engine.perspective import View, perspective
from games.models import Match, Seat
from study.refusals import StudyRefused


def hint_view(match: Match, seat: Seat | None) -> View:
    """Return the view to compute a hint from. Raise `StudyRefused` if the seat may not get one."""
    if seat is None:
        raise StudyRefused("not_seated", 403)
    if not match.playing:
        raise StudyRefused("over")
    if match.rated:
        raise StudyRefused("rated")
    # `kind` stays PLAYER for a seat that a computer has taken over.
    if match.seats.exclude(pk=seat.pk).exclude(kind=Seat.Kind.COMPUTER).exists():
        raise StudyRefused("people")
    view = perspective(repository.get_value(match), seat.position)
    if view.turn != seat.position:
        raise StudyRefused("not_your_turn")
    return view
