"""Build the head of a page for search engines and link previews: addresses by language, description, card.

Private tables, private matches and matches of an open set of deals show nobody and no game.
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise, SimpleLazyObject
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext_lazy, pgettext_lazy
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.pools import POOLS
from boneyard.engine.presets import PRESETS
from boneyard.engine.rules import Rules
from core.numbers import parse_whole_number
from core.prepared import PreparedQuery
from dominoes_site.prefixes import PUBLIC_PAGES, add_prefix
from games import repository, wording
from games.models import Match
from games.wording.taglines import tagline
from lobbies.clocks import describe_pace
from lobbies.models import Table
from nights.club_models import Club
from nights.models import Night
from nights.wording import format_start
from operators.site_settings import get_site
from study.course import LESSONS

DESCRIPTIONS: dict[str, str | Promise] = {
    "watch": gettext_lazy("Watch dominoes being played right now: the board moves with every tile."),
    "rules": gettext_lazy("The rules of every game of dominoes played here, in pictures and in words."),
    "rules-elo": gettext_lazy(
        "How a rating at the domino table goes up and down, with an example for each rule."
    ),
    "computers": gettext_lazy("Fifteen computers to play dominoes with, and how strong each one is."),
    "fairness": gettext_lazy(
        "Every deal is sealed before the first tile is seen. Check any of them yourself."
    ),
    "fairness-numbers": gettext_lazy(
        "How often each tile, hand and lead was dealt, beside what chance expects."
    ),
    "verify": gettext_lazy(
        "Check the record of a match in your own browser: deals, moves, counts and scores."
    ),
    "leaderboard": gettext_lazy("The best domino players of each game."),
    "archive": gettext_lazy("Search finished matches of dominoes by player, game and date, and replay them."),
    "learn": gettext_lazy("Learn dominoes: short lessons with real tiles, and a puzzle each day."),
    "learn-count": gettext_lazy("Count the open ends of the line against the clock."),
    "learn-hold": gettext_lazy("Work out from the passes which numbers a player cannot hold."),
    "puzzles": gettext_lazy("Domino puzzles from real matches: one move is better than every other."),
    "puzzle": gettext_lazy("A domino puzzle: one move is better than every other. Find it."),
    "daily": gettext_lazy(
        "The Daily Deal: everybody plays the same tiles today. See how far they carry you."
    ),
    "daily-day": gettext_lazy("A Daily Deal: the same tiles for everybody, and what each made of them."),
    "daily-boards": gettext_lazy("The best of the Daily Deal by month and year."),
    "daily-round": gettext_lazy("A round of the Daily Deal: the tiles, and where players chose differently."),
    "clubs": gettext_lazy(
        "Clubs that play dominoes at real tables: where and when they meet, and who leads."
    ),
    "news": gettext_lazy("What is new on this site."),
    "score": gettext_lazy(
        "A score sheet for dominoes at your own table, with pegs: it adds up hands, and says who has won."
    ),
    "host": gettext_lazy(
        "Run a domino night at real tables: seats drawn, results from phones, a wall with the bell, a podium. Free."
    ),
    "offline": gettext_lazy("What you can do here without a network."),
    "about": gettext_lazy("Who runs this site, and why."),
    "terms": gettext_lazy("What you agree to when you play here."),
    "privacy": gettext_lazy("What this site stores about you, for how long, and how to have it deleted."),
}
# Of cards; the other pages' have the site's name.
TITLES: dict[str, str | Promise] = {
    "rules": pgettext_lazy("of the games", "Rules"),
    "learn": gettext_lazy("Learn"),
    "puzzles": gettext_lazy("Puzzles"),
    "daily": gettext_lazy("Daily Deal"),
    "score": gettext_lazy("Score sheet"),
    "host": gettext_lazy("Run your domino night in a minute"),
    "verify": gettext_lazy("Check a record"),
}
MAX_TABLE_NAMES = 4
MAX_SNAPSHOT_AGE_SECONDS = 1.0  # of the match that the page itself has just read

_public_match = PreparedQuery(  # for every page of a match
    lambda code: Match.objects.filter(code=code, private=False, concealed=False).order_by()
)


@dataclass(frozen=True)
class PageMeta:
    """The head of a page, beyond its title.

    path         of the page without a language, if it is public
    title        of the card; empty: the page has none of its own
    picture      path of the picture of the card
    move         after which the picture shows the board; None: the last one
    is_private   whether neither people nor the game may be shown
    structured   a JSON-LD object, or None
    """

    base: str
    path: str = ""
    title: str = ""
    description: str = ""
    picture: str = ""
    move: int | None = None
    is_private: bool = False
    structured: Mapping[str, Any] | None = field(default=None)

    @property
    def canonical(self) -> str:
        return self.base + add_prefix(self.path, get_language() or "en") if self.path else ""

    @property
    def alternates(self) -> list[tuple[str, str]]:
        """Return (language, address) of each translation, and of that for readers of other languages."""
        if not self.path:
            return []
        translations = [(code, self.base + add_prefix(self.path, code)) for code, _name in settings.LANGUAGES]
        return [*translations, ("x-default", self.base + add_prefix(self.path, settings.LANGUAGE_CODE))]

    @property
    def has_card(self) -> bool:
        """Return whether links to the page are worth a preview."""
        return bool(self.path or self.title or self.is_private)

    @property
    def picture_url(self) -> str:
        move = "" if self.move is None else f"move={self.move}&"
        return f"{self.base}{self.picture or reverse('card')}?{move}lang={get_language()}"

    @property
    def picture_alt(self) -> str:
        """Return what the picture of the card shows, in words."""
        if self.is_private or not self.title:
            return _("A table of dominoes at %(site)s") % {"site": get_site().name}
        return self.title

    @property
    def json_ld(self) -> SafeString | str:
        """Return the structured data as JSON that cannot end its element."""
        if not self.structured:
            return ""
        context = {"@context": "https://schema.org", "inLanguage": get_language(), "url": self.canonical}
        text = json.dumps({**context, **self.structured}, ensure_ascii=False)
        for character in "<>&":
            text = text.replace(character, f"\\u{ord(character):04x}")
        return mark_safe(text)  # noqa: S308  no character of it has a meaning in HTML


def page_meta(request: HttpRequest) -> dict[str, Any]:
    """Add `meta`, computed only where a full page is rendered."""
    return {"meta": SimpleLazyObject(lambda: build_page_meta(request))}


def get_base(request: HttpRequest) -> str:
    """Return scheme and host of absolute addresses."""
    return settings.SITE_URL or f"{request.scheme}://{request.get_host()}"


def build_page_meta(request: HttpRequest) -> PageMeta:
    match = request.resolver_match
    if match is None or not match.url_name:
        return PageMeta("")  # a page of an error, perhaps of a Host that is not allowed
    name, base = match.url_name, get_base(request)
    path = request.path if name in PUBLIC_PAGES else ""
    if build := _BUILDERS.get(name):
        meta = build(base, path, **match.kwargs)
        is_replay = name == "match-replay" and not meta.is_private
        return replace(meta, move=parse_whole_number(request.GET.get("move", ""))) if is_replay else meta
    return PageMeta(base, path, str(TITLES.get(name, "")), str(DESCRIPTIONS.get(name, "")))


def _front(base: str, path: str) -> PageMeta:
    return PageMeta(base, path, structured={"@type": "WebSite", "name": get_site().name})


def _preset(base: str, path: str, preset: str) -> PageMeta:
    if preset not in PRESETS:
        return PageMeta(base)
    title = wording.preset_title(preset)
    article = {"@type": "Article", "headline": title}
    return PageMeta(base, path, title, tagline(preset), structured=article)


def _pool(base: str, path: str, pool: str) -> PageMeta:
    name = dict(POOLS).get(pool)
    if name is None:
        return PageMeta(base)
    return PageMeta(base, path, description=_("The best players of %(game)s, by rating.") % {"game": name})


def _profile(base: str, path: str, name: str) -> PageMeta:
    person = User.objects.filter(username=name).first()
    if person is None or person.deleted_at or person.banned_at or person.is_guest:
        return PageMeta(base)
    description = _("%(name)s at the domino table: ratings, latest matches and achievements.")
    return PageMeta(
        base,
        path,
        person.public_name,
        description % {"name": person.public_name},
        reverse("profile-card", args=[person.username]),
        structured={"@type": "ProfilePage", "mainEntity": {"@type": "Person", "name": person.public_name}},
    )


def _lesson(base: str, path: str, slug: str, number: int) -> PageMeta:
    lesson = next((lesson for lesson in LESSONS if lesson.slug == slug), None)
    if lesson is None:
        return PageMeta(base)
    description = _("A lesson in dominoes. %(title)s: %(about)s.") % {
        "title": lesson.title,
        "about": lesson.about,
    }
    # Search engines get the first step as the address of all.
    first = path.removesuffix(f"{number}/") + "1/" if path else ""
    return PageMeta(base, first, str(lesson.title), description, structured={"@type": "LearningResource"})


def _puzzle(base: str, path: str, pk: int) -> PageMeta:
    picture = reverse("puzzle-card", args=[pk])
    return PageMeta(base, path, _("A domino puzzle"), str(DESCRIPTIONS["puzzle"]), picture)


def _table(base: str, path: str, code: str) -> PageMeta:
    table = Table.objects.select_related("host").filter(code=code).first()
    if table is None:
        return PageMeta(base, is_private=True)
    if table.private:
        title = _("You are invited to a table of dominoes")
        description = _("Open it and sit down; you need no account.")
        return PageMeta(base, "", title, description, is_private=True)
    game = wording.game_title(None if table.changed else table.preset, table.rules, table.seats, table.preset)
    title = _("%(name)s invites you: %(game)s") % {"name": table.host.public_name, "game": game}
    terms = capfirst(", ".join(list_terms(table)))  # with the target
    rules = wording.read_rules(table.preset, table.rules)
    differing = wording.describe_differences(table.preset, rules, table.seats, with_target=False).sentence
    invitation = _("Take a seat at this table.")  # not in the f-string, where xgettext would not find it
    description = " ".join(f"{words}." for words in (terms, differing) if words) + f" {invitation}"
    return PageMeta(base, "", title, description, reverse("table-card", args=[code]))


def list_terms(table: Table) -> list[str]:
    """Return the target, the pace and whether the table is rated, in words."""
    rules = Rules.from_dict(table.rules)
    goal = "" if rules.target is None else wording.goal_beside(table.title, rules)
    return [*filter(None, [goal]), describe_pace(table.clock), _("rated") if table.rated else _("casual")]


def _match(base: str, path: str, code: str) -> PageMeta:
    since = time.monotonic() - MAX_SNAPSHOT_AGE_SECONDS
    snapshot = repository.get_cached_snapshot(code, version=0, since=since)
    match = load_public_match(code) if snapshot is None else snapshot.match
    if match is None or match.private or match.concealed:
        return PageMeta(base, is_private=True)
    seats = list(match.seats.all()) if snapshot is None else snapshot.seats
    rules = match.rules if snapshot is None else snapshot.value.rules
    names = [seat.display_name for seat in seats][:MAX_TABLE_NAMES]
    title = f"{' – '.join(names)}: {wording.game_title(match.preset, rules, len(names), match.base_preset)}"
    now = _("The match goes on: watch it live.")
    description = now if match.playing else _("Replay this match of dominoes move by move.")
    if differing := wording.describe_match(match.preset, rules, len(names), match.base_preset).sentence:
        description = f"{description} {differing}."
    return PageMeta(base, path, title, description, reverse("board-png", args=[code]))


def _daily(base: str, path: str, day: str) -> PageMeta:
    description = str(DESCRIPTIONS["daily-day"])
    return PageMeta(base, path, _("Daily Deal"), description, reverse("daily-card", args=[day]))


def _club(base: str, path: str, slug: str) -> PageMeta:
    club = Club.objects.filter(slug=slug, is_public=True, is_hidden=False).first()
    if club is None:
        return PageMeta(base, is_private=True)
    about = " · ".join(filter(None, [club.place, club.hours]))
    description = _("%(name)s, a club of dominoes.") % {"name": club.name}
    return PageMeta(base, path, club.name, f"{description} {about}".strip())


def _night(base: str, path: str, code: str) -> PageMeta:
    night = Night.objects.filter(code=code).exclude(status=Night.Status.CANCELLED).first()
    if night is None:
        return PageMeta(base)
    is_over = night.status == Night.Status.OVER and not night.is_open_format
    words = [f"{', '.join(filter(None, [night.game_title, format_start(night)]))}."]
    if is_over:
        words.append(_("Who won, and every result."))
    picture = reverse("night-podium" if is_over else "night-card", args=[code])
    return PageMeta(base, "", night.title, " ".join(words), picture)


def load_public_match(code: str) -> Match | None:
    """Return the match if everybody may find and see it, else None."""
    return next(iter(_public_match.rows(code)), None)


_BUILDERS: dict[str, Callable[..., PageMeta]] = {
    "lobby": _front,
    "rules-preset": _preset,
    "leaderboard-pool": _pool,
    "profile": _profile,
    "lesson": _lesson,
    "puzzle": _puzzle,
    "daily-day": _daily,
    "club": _club,
    "table": _table,
    "match": _match,
    "match-replay": _match,
    "night": _night,
}
