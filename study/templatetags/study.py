"""Template tags that show analyses on the pages of other apps."""

from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from accounts.models import User
from boneyard.engine.rules import Rules
from games.table.first_match import FirstMatch, MistakeKind
from study import achievements, course, peeks, profile, wording

register = template.Library()

_LESSONS: dict[MistakeKind, course.Lesson] = {
    "unclaimed": course.CALLING,
    "points": course.COUNTING,
    "end": course.COUNTING,
    "spinner": course.SPINNER,
    "blocked": course.BLOCKING,
}

register.filter("share", wording.signed_share)
register.filter("one_in", wording.one_in)


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


@register.inclusion_tag("study/_achievements.html")
def achievements_of(person: User) -> dict[str, Any]:
    """Show the achievements of a person, and the days in a row on which they were here to play."""
    return {
        "achievements": achievements.find_achievements(person),
        "streak": achievements.count_streak_days(person, timezone.now().date()),
    }


@register.simple_tag
def lesson_for(rules: Rules) -> course.Lesson:
    """Return the lesson that helps most with these rules."""
    if rules.claims == "muggins":
        return course.CALLING
    return course.COUNTING if rules.adds_ends else course.LINE


@register.simple_tag
def lesson_after(first: FirstMatch) -> course.Lesson:
    """Return the lesson on the mistake made in a first match; without one, that for its rules."""
    return lesson_for(first.rules) if first.mistake is None else _LESSONS[first.mistake.kind]


@register.inclusion_tag("study/_peek_scores.html")
def peek_scores(person: User, moderator: User) -> dict[str, Any]:
    """Show to a moderator who may decide about the person how their plays fit others' hands."""
    return {"found": peeks.load_suspicions(person, moderator)}
