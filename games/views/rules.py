"""The rules of every preset: the game in two sentences, a round drawn, every rule in words, the doubts, the source."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from accounts.elo import START, expected
from accounts.pools import FAMILIES
from games import wording
from games.computer.players import LEVELS
from games.drawing.line import step
from games.drawing.tiles import symbols
from games.engine.presets import PRESETS, Preset
from games.engine.tiles import SET_SIZES
from games.wording import about, example


@dataclass(frozen=True)
class Picture:
    """A step of a round, drawn."""

    art: SafeString
    count: int | None
    points: int
    text: str


@dataclass(frozen=True)
class Entry:
    """A game in a list of games."""

    id: str
    title: str
    twist: str
    players: str
    target: int


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """All presets, by the pool in which they are rated."""
    pools = [(label, _entries(family)) for family, label in FAMILIES]
    return render(request, "games/rules.html", {"pools": pools})


@require_safe
def preset(request: HttpRequest, preset: str) -> HttpResponse:
    """One preset: what holds with every number of seats, and what only with some."""
    if preset not in PRESETS:
        raise Http404
    found = PRESETS[preset]
    asked = request.GET.get("seats", "")
    seats = int(asked) if asked in map(str, found.rules.players) else found.rules.players[0]
    title = wording.preset_title(preset)
    context = {
        "title": title,
        "preset": found,
        "known_as": about.known_as(found, title),
        "pool": str(dict(FAMILIES)[found.rating_pool]),
        "seats": seats,
        "tiles": SET_SIZES[found.rules.set],
        "symbols": symbols(found.rules.set),
        "source": about.source(found),
        "family": [entry for entry in _entries(found.rating_pool) if entry.id != preset],
        "levels": [(level, wording.level_name(level)) for level in LEVELS],
    }
    return render(request, "games/rules_of.html", context | _told(found, seats))


def _told(preset: Preset, seats: int) -> dict[str, Any]:
    """The game, as its own players would tell it."""
    speech = wording.speech_of(preset.id)
    with speech.at_home():
        aim, twist = about.idea(preset.rules, seats)
        return {
            "aim": aim,
            "twist": twist,
            "pictures": _pictures(preset, seats),
            "parts": _by_part(wording.rules_in_words(preset.rules, seats)),
            "doubts": about.doubts(preset.rules, seats),
            "words": about.words(preset.rules, seats, speech),
        }


@require_safe
def computers(request: HttpRequest) -> HttpResponse:
    """Who the computers are, what they do, and how strong they were measured."""
    cast = [
        (
            level,
            wording.level_name(level),
            wording.strength(level),
            wording.CAST[level],
            wording.WINS.get(level),
        )
        for level in LEVELS
    ]
    return render(request, "games/computers.html", {"cast": cast})


@require_safe
def elo(request: HttpRequest) -> HttpResponse:
    """How ratings come about."""
    table = [(apart, round(100 * expected(START + apart, START))) for apart in (0, 50, 100, 200, 300, 400)]
    return render(request, "games/elo.html", {"expected": table})


def _entries(pool: str) -> list[Entry]:
    return [_entry(preset) for preset in PRESETS.values() if preset.rating_pool == pool]


def _entry(preset: Preset) -> Entry:
    with wording.speech_of(preset.id).at_home():
        _aim, twist = about.idea(preset.rules, preset.rules.players[0])
    return Entry(
        preset.id,
        wording.preset_title(preset.id),
        twist,
        ", ".join(map(str, preset.rules.players)),
        preset.rules.target,
    )


def _pictures(preset: Preset, seats: int) -> list[Picture]:
    return [
        Picture(step(each.line, each.values, each.newest), each.count, each.points, each.text)
        for each in example.example(preset.rules, seats)
    ]


def _by_part(sentences: list[wording.Sentence]) -> list[tuple[str, str, list[str]]]:
    """The parts in the order of play: an id, the heading, the sentences."""
    parts: dict[str, list[str]] = {}
    for sentence in sentences:
        parts.setdefault(sentence.part, []).append(sentence.text)
    return [(part, wording.part_name(part), texts) for part, texts in parts.items()]
