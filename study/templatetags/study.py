"""Template tags that show analyses on the pages of other apps."""

from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.engine.rules import Rules
from study import course, profile, wording

register = template.Library()

register.filter("share", wording.signed_share)


@register.filter
def percent(chance: float) -> str:
    """Format a share in per cent with one digit, without the sign."""
    return wording.percent(chance, 1)


@register.inclusion_tag("study/_profile.html")
def luck_and_play(person: User, viewer: User | AnonymousUser) -> dict[str, Any]:
    statistics = profile.profile_statistics(person, viewer)
    enough = profile.MIN_DECISIONS, profile.MIN_MATCHES
    return {
        "studied": statistics,
        "so_far": wording.not_enough_data(statistics.decisions, statistics.matches, enough=enough),
    }


@register.simple_tag
def lesson_for(rules: Rules) -> course.Lesson:
    """Return the lesson that helps most with these rules."""
    if rules.claims == "muggins":
        return course.CALLING
    return course.LINE if rules.count == "none" else course.COUNTING
