"""The reader's vacation, on the page of preferences."""

from datetime import timedelta
from typing import Any

from django import template
from django.utils import timezone

from games.time import vacations

register = template.Library()


@register.inclusion_tag("games/_vacation.html", takes_context=True)
def vacation_form(context: dict[str, Any]) -> dict[str, Any]:
    """Render the form that begins or ends the vacation of a user who is logged in."""
    user, now = context["user"], timezone.now()
    remaining = vacations.compute_remaining(user.pk, now)
    return {
        "ends_at": vacations.find_end(user.pk, now),
        "days": remaining // timedelta(days=1),
        "has_any": remaining >= vacations.MIN_VACATION,
        "csrf_token": context["csrf_token"],
    }
