"""The rules of every preset in words, made from its options."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.pools import FAMILIES
from games.computer.players import LEVELS
from games.engine.presets import PRESETS
from games.wording import Sentence, level_name, part_name, preset_title, rules_in_words


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """All presets, by the pool in which they are rated."""
    pools = [
        (
            label,
            [
                (preset.id, preset_title(preset.id), preset.rules)
                for preset in PRESETS.values()
                if preset.rating_pool == family
            ],
        )
        for family, label in FAMILIES
    ]
    return render(request, "games/rules.html", {"pools": pools})


@require_safe
def preset(request: HttpRequest, preset: str) -> HttpResponse:
    """One preset: what holds with every number of seats, and what only with some."""
    if preset not in PRESETS:
        raise Http404
    found = PRESETS[preset]
    by_seats = {seats: rules_in_words(found.rules, seats) for seats in found.rules.players}
    asked = request.GET.get("seats", "")
    seats = int(asked) if asked in map(str, by_seats) else found.rules.players[0]
    context = {
        "title": preset_title(preset),
        "preset": found,
        "seats": seats,
        "parts": _by_part(by_seats[seats]),
        "levels": [(level, level_name(level)) for level in LEVELS],
    }
    return render(request, "games/rules_of.html", context)


def _by_part(sentences: list[Sentence]) -> list[tuple[str, list[str]]]:
    parts: dict[str, list[str]] = {}
    for sentence in sentences:
        parts.setdefault(part_name(sentence.part), []).append(sentence.text)
    return list(parts.items())
