"""Names, ratings and results in lists of people and matches."""

from math import floor

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import User
from games import wording
from games.models import Match, Seat

register = template.Library()


@register.simple_tag
def person(seat: Seat) -> SafeString | str:
    """The name at a seat; a person's leads to their profile."""
    if not seat.name:
        return _("deleted player")
    if seat.user_id is None:
        return seat.name
    return format_html('<a href="{}">{}</a>', reverse("profile", args=[seat.user.username]), seat.name)


@register.simple_tag
def result_at(seat: Seat, viewed: User | str) -> SafeString:
    """The name at a seat with its score; at the seat of the person whose profile it is, what the rating gained, too."""
    score = format_html(' <b class="num">{}</b>', seat.score) if seat.score is not None else ""
    change = ""
    if viewed and seat.user_id == viewed.pk and seat.rating_after is not None:
        change = format_html(' <span class="num muted">{}</span>', rating_change(seat))
    return format_html('<span class="who">{}{}{}</span>', person(seat), score, change)


@register.filter
def shown(value: float) -> int:
    """A rating as people see it: floor(r + 0.5)."""
    return floor(value + 0.5)


@register.filter
def rating_change(row) -> str:
    """What a match changed, signed: +9, −13; of a Seat or a RatingChange."""
    before = row.rating_before if isinstance(row, Seat) else row.before
    after = row.rating_after if isinstance(row, Seat) else row.after
    change = shown(after) - shown(before)
    return f"+{change}" if change > 0 else f"−{-change}" if change < 0 else "0"


@register.filter
def game_title(match: Match) -> str:
    return wording.preset_title(match.preset) if match.preset else _("House rules")


@register.filter
def outcome(match: Match) -> str:
    """Who won and how, in a few words."""
    winners = [seat.name for seat in match.seats.all() if seat.won]
    return wording.outcome(match.result_how, winners)
