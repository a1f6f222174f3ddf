"""What analyses say, on pages of other rooms."""

from typing import Any

from django import template

from accounts.models import User
from study import profile, wording

register = template.Library()

register.filter("share", wording.signed_share)


@register.filter
def percent(chance: float) -> str:
    """A share in per cent with one digit, without the sign."""
    return wording.percent(chance, 1)


@register.inclusion_tag("study/_profile.html")
def luck_and_play(person: User) -> dict[str, Any]:
    return {"studied": profile.studied(person)}
