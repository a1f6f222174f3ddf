"""Pages about the rules of the presets, the computers and the ratings."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from accounts.elo import START_RATING, expected
from accounts.pools import FAMILIES
from boneyard.computer.players import LEVELS
from boneyard.engine.presets import PRESETS, Preset
from boneyard.engine.tiles import SET_SIZES
from games import wording
from games.drawing.line import draw_example_step
from games.drawing.tiles import draw_symbols
from games.wording import about, example, sources
from games.wording.questions import list_questions
from games.wording.taglines import tagline
from games.wording.variants import choices_of

BEGIN_WITH = ("all-fives", "draw", "block")


@dataclass(frozen=True)
class Picture:
    """An illustrated step of an example round."""

    art: SafeString
    count: int | None
    points: int
    text: str


@dataclass(frozen=True)
class Entry:
    """A preset in a list of games."""

    id: str
    title: str
    twist: str
    players: str
    goal: str
    family: str


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """List all presets by rating pool."""
    pools = [(family, label, _entries(family)) for family, label in FAMILIES]
    first = [_entry(PRESETS[preset]) for preset in BEGIN_WITH]
    return render(request, "games/rules.html", {"pools": pools, "first": first})


@require_safe
def preset(request: HttpRequest, preset: str) -> HttpResponse:
    """Describe one preset, for the number of seats in `?seats=`."""
    if preset not in PRESETS:
        raise Http404
    selected = PRESETS[preset]
    requested_seats = request.GET.get("seats", "")
    seats = (
        int(requested_seats)
        if requested_seats in map(str, selected.rules.players)
        else selected.rules.players[0]
    )
    title = wording.preset_title(preset)
    context = {
        "title": title,
        "preset": selected,
        "known_as": about.other_names(selected, title),
        "pool": str(dict(FAMILIES)[selected.rating_pool]),
        "goal": wording.short_goal_name(selected.rules),
        "seats": seats,
        "tiles": SET_SIZES[selected.rules.set],
        "symbols": draw_symbols(selected.rules.set),
        "source": sources.source_text(selected),
        "family": [entry for entry in _entries(selected.rating_pool) if entry.id != preset],
        "levels": [(level, wording.level_name(level)) for level in LEVELS],
    }
    return render(request, "games/rules_of.html", context | _describe_game(selected, seats))


def _describe_game(preset: Preset, seats: int) -> dict[str, Any]:
    """Return the sections of the page, in the terms of the game's own players."""
    speech = wording.speech_of(preset.id)
    with speech.in_region():
        aim, twist = about.summarize(preset.rules, seats)
        return {
            "questions": list_questions(preset.rules, seats),
            "aim": aim,
            "twist": twist,
            "pictures": _draw_example(preset, seats),
            "parts": _group_by_part(wording.describe_rules(preset.rules, seats), preset.id, seats),
            "doubts": about.clarifications(preset.rules, seats, preset.id),
            "variants": [(choice.label, choice.quotations) for choice in choices_of(preset, seats)],
            "words": about.glossary(preset.rules, seats, speech),
        }


@require_safe
def computers(request: HttpRequest) -> HttpResponse:
    """Present the computers: methods, personas and measured strength."""
    cast = [
        (
            level,
            wording.level_name(level),
            wording.level_number(level),
            wording.METHODS[level],
            wording.PERSONAS[level],
            wording.WIN_PERCENTAGES.get(level),
        )
        for level in LEVELS
    ]
    return render(request, "games/computers.html", {"cast": cast, "commit": wording.MEASURED_COMMIT})


@require_safe
def elo(request: HttpRequest) -> HttpResponse:
    """Explain the ratings."""
    table = [
        (difference, round(100 * expected(START_RATING + difference, START_RATING)))
        for difference in (0, 50, 100, 200, 300, 400)
    ]
    return render(request, "games/elo.html", {"expected": table})


def _entries(pool: str) -> list[Entry]:
    return [_entry(preset) for preset in PRESETS.values() if preset.rating_pool == pool]


def _entry(preset: Preset) -> Entry:
    return Entry(
        preset.id,
        wording.preset_title(preset.id),
        tagline(preset.id),
        ", ".join(map(str, preset.rules.players)),
        wording.short_goal_name(preset.rules),
        preset.rating_pool,
    )


def _draw_example(preset: Preset, seats: int) -> list[Picture]:
    return [
        Picture(draw_example_step(step.line, step.values, step.newest), step.count, step.points, step.text)
        for step in example.example_round(preset.rules, seats)
    ]


class Passage(NamedTuple):
    """A rule in words, with the sentences of the source that it follows and, of several sources, whose it is."""

    text: str
    quotations: tuple[sources.Quotation, ...]
    attribution: str


def _group_by_part(
    sentences: list[wording.Sentence], preset: str, seats: int
) -> list[tuple[str, str, list[Passage]]]:
    """Group the sentences by part, in the order of play: id, heading, sentences. Quote each source sentence once."""
    parts: dict[str, list[Passage]] = {}
    quoted: set[sources.Quotation] = set()
    attributed: set[str] = set()
    for sentence in sentences:
        found = sources.quotations_of_rules(preset, seats, sentence.options)
        options = [option for option in sentence.options if option not in attributed]
        passage = Passage(
            sentence.text,
            tuple(each for each in found if each not in quoted),
            sources.attribution(preset, options),
        )
        quoted.update(found)
        attributed.update(options)
        parts.setdefault(sentence.part, []).append(passage)
    return [(part, wording.part_name(part), texts) for part, texts in parts.items()]
