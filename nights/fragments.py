"""The parts of a night's pages that change by themselves, by view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string

from live.fragments.fragment import parse
from live.fragments.page_state import PageState
from nights.loaded import LoadedNight, load_night
from nights.models import Entry, Night
from nights.own_page import OwnPage
from nights.pages import NightPage
from nights.podium import Podium
from nights.wall import WallPage

# Templates below templates/nights; each has one element with an id, and every state of a view has the same ids.
FRAGMENTS: Mapping[str, tuple[str, ...]] = {
    "desk": ("head", "step", "tables", "acts", "people", "standings", "log", "version"),
    "night": ("head", "now", "tables", "standings"),
    "me": ("me", "standings"),
    "wall": ("wall",),
}


def build_state(
    night: Night, view: str, *, entry: Entry | None = None, reader: int | None = None
) -> PageState:
    """Return what a page of this view shows: "desk", "wall", "me" with the person's entry, or "night" with one's own.

    `reader` is the key of the reader's account, to which the entry can be tied.
    """
    loaded = load_night(night)
    context = _build_context(loaded, view, entry, reader) | {"is_known": reader is not None}
    return PageState(
        parse(render_to_string(f"nights/_{name}.html", context).strip()) for name in FRAGMENTS[view]
    )


def _build_context(loaded: LoadedNight, view: str, entry: Entry | None, reader: int | None) -> dict[str, Any]:
    page = NightPage(loaded, is_director=view == "desk", own=entry.number if entry else None)
    context: dict[str, Any] = {"page": page, "night": loaded.night, "loaded": loaded}
    if page.podium:
        context["podium"] = Podium(page)
    if entry is not None:
        context["me"] = OwnPage(loaded, loaded.entries[entry.number], reader)
    if view == "wall":
        context["wall"] = WallPage(page)
    return context
