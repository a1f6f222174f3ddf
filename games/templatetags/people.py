"""Render names, ratings and results in lists of people and matches."""

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
    """Render the name at a seat, with a link to a user's profile."""
    if seat.user is None or not seat.name:
        return seat.display_name
    return format_html(
        '<a href="{}">{}</a>', reverse("profile", args=[seat.user.username]), seat.display_name
    )


register.filter("shown", numbers.display_rating)
register.filter("points", numbers.format_points)


@register.filter
def rating_change(row: Seat | RatingChange) -> str:
    """Format the rating change of a rated seat or a `RatingChange`: +9, −13, ±0."""
    before, after = (row.before, row.after) if isinstance(row, RatingChange) else row.rating_change
    return numbers.format_change(numbers.display_rating(after) - numbers.display_rating(before))


@register.filter
def game_title(match: Match) -> str:
    return wording.game_title(match.preset, match.rules, len(match.seats.all()), match.base_preset)


@register.filter
def ended_by(match: Match) -> str:
    """Return how the match ended, without names."""
    return wording.ending_name(match.ending)
