"""The rules of every preset in words, made from its options."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.pools import POOLS
from games.engine.presets import PRESETS
from games.wording import preset_title, rules_in_words


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    pools = [
        (label, [(name, preset_title(name), p) for name, p in PRESETS.items() if p.rating_pool == pool])
        for pool, label in POOLS
    ]
    return render(request, "games/rules.html", {"pools": pools})


@require_safe
def preset(request: HttpRequest, preset: str) -> HttpResponse:
    """One table of rules a number of seats that the preset is played with."""
    if preset not in PRESETS:
        raise Http404
    rules = PRESETS[preset].rules
    by_seats = [(seats, rules_in_words(rules, seats)) for seats in rules.players]
    context = {"title": preset_title(preset), "preset": PRESETS[preset], "by_seats": by_seats}
    return render(request, "games/rules_of.html", context)
