"""Names, ratings and results in lists of people and matches."""

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.models import RatingChange
from core import numbers
from games import wording
from games.models import Match, Seat

register = template.Library()


@register.simple_tag
def person(seat: Seat) -> SafeString | str:
    """The name at a seat; a person's leads to their profile."""
    if seat.user is None or not seat.name:
        return seat.display_name
    return format_html('<a href="{}">{}</a>', reverse("profile", args=[seat.user.username]), seat.display_name)


register.filter("shown", numbers.display_rating)


@register.filter
def rating_change(row: Seat | RatingChange) -> str:
    """What a match changed, signed: +9, −13, ±0; of a seat that was rated, or of a change."""
    before, after = (row.before, row.after) if isinstance(row, RatingChange) else row.rating_change
    return numbers.format_change(numbers.display_rating(after) - numbers.display_rating(before))


@register.filter
def game_title(match: Match) -> str:
    return wording.game_title(match.preset, match.rules, len(match.seats.all()))


@register.filter
def ended_by(match: Match) -> str:
    """What ended it, without anybody's name."""
    return wording.ending_name(match.ending)
