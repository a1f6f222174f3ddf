"""What analyses say, on the pages of other apps."""

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
    """A share in per cent with one digit, without the sign."""
    return wording.percent(chance, 1)


@register.inclusion_tag("study/_profile.html")
def luck_and_play(person: User, viewer: User | AnonymousUser) -> dict[str, Any]:
    found = profile.studied(person, viewer)
    enough = profile.ENOUGH_DECISIONS, profile.ENOUGH_MATCHES
    return {"studied": found, "so_far": wording.so_far(found.decisions, found.matches, enough=enough)}


@register.simple_tag
def lesson_for(rules: Rules) -> course.Lesson:
    """The lesson that helps most with these rules."""
    if rules.claims == "muggins":
        return course.CALLING
    return course.LINE if rules.count == "none" else course.COUNTING
