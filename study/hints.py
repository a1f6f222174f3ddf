"""Who is given a hint: whoever is on turn in a casual match against computers alone."""

from games import values
from games.engine.perspective import View, perspective
from games.models import Match, Seat
from study.refusals import StudyRefused


def view_for(match: Match, seat: Seat | None) -> View:
    """What the seat on turn sees, where it may be given a hint. Raises StudyRefused."""
    if seat is None:
        raise StudyRefused("not_seated", 403)
    if not match.playing:
        raise StudyRefused("over")
    if match.rated:
        raise StudyRefused("rated")
    # Whose seat a computer has taken over is still a person: seats count that were computers' from the start.
    if match.seats.exclude(pk=seat.pk).exclude(kind=Seat.Kind.COMPUTER).exists():
        raise StudyRefused("people")
    view = perspective(values.value_of(match), seat.position)
    if view.turn != seat.position:
        raise StudyRefused("not_your_turn")
    return view
