"""Views at addresses that programs request: sitemap, robots.txt, favicon, security.txt, change-password."""

from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.pools import DAYS_POOLS, LIVE_POOLS
from boneyard.engine.presets import PRESETS
from dominoes_site.page_meta import get_base
from dominoes_site.prefixes import add_prefix
from games.models import Match
from nights.club_models import Club
from operators.site_settings import get_site
from study.course import LESSONS
from study.models import Puzzle

MAX_PROFILES, MAX_REPLAYS, MAX_PUZZLES, MAX_CLUBS = (
    2_000,
    1_000,
    500,
    1_000,
)  # a sitemap may have 50,000 addresses
PLAIN_PAGES = (
    "lobby watch rules rules-elo computers fairness fairness-numbers verify leaderboard archive learn learn-count"
    " learn-hold daily daily-boards about terms news privacy score host clubs"
).split()
# Personal and costly pages. Tables are allowed: robots render link previews.
DISALLOWED_PATHS = (
    "/accounts/",
    "/admin/",
    "/preferences/",
    "/play/",
    "/strip/",
    "/ws/",
    "/metrics",
    "/healthz",
)
DISALLOWED_PATTERNS = ("/games/*/analysis", "/games/*/state.json", "/*?page=", "/archive/?")
SECURITY_TXT_DAYS = 180


@require_safe
@cache_control(max_age=3600, public=True)
def sitemap(request: HttpRequest) -> HttpResponse:
    """List the public pages in each language."""
    base = get_base(request)
    entries = "".join(_entry(base, path) for path in _find_paths())
    namespaces = (
        'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    )
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {namespaces}>\n{entries}</urlset>\n'
    return HttpResponse(text, content_type="application/xml")


def _find_paths() -> Iterator[str]:
    yield from map(reverse, PLAIN_PAGES)
    yield from (reverse("rules-preset", args=[preset]) for preset in PRESETS)
    yield from (reverse("leaderboard-pool", args=[pool]) for pool, _name in (*LIVE_POOLS, *DAYS_POOLS))
    yield from (reverse("lesson", args=[lesson.slug, 1]) for lesson in LESSONS)
    puzzles = Puzzle.objects.order_by("-pk").values_list("pk", flat=True)[:MAX_PUZZLES]
    yield from (reverse("puzzle", args=[pk]) for pk in puzzles)
    people = User.objects.filter(is_guest=False, deleted_at=None, banned_at=None, is_active=True)
    # Not by their last visit, which people may hide.
    names = people.filter(seen_at__isnull=False).order_by("-pk").values_list("username", flat=True)
    yield from (reverse("profile", args=[name]) for name in names[:MAX_PROFILES])
    matches = Match.objects.filter(
        private=False, concealed=False, status=Match.Status.FINISHED, annulled_at=None
    )
    codes = matches.order_by("-ended_at").values_list("code", flat=True)[:MAX_REPLAYS]
    yield from (reverse("match-replay", args=[code]) for code in codes)
    clubs = Club.objects.filter(is_public=True, is_hidden=False).order_by("-pk")
    yield from (reverse("club", args=[slug]) for slug in clubs.values_list("slug", flat=True)[:MAX_CLUBS])


def _entry(base: str, path: str) -> str:
    languages = [code for code, _name in settings.LANGUAGES]
    named = [*zip(languages, languages, strict=True), ("x-default", settings.LANGUAGE_CODE)]
    alternates = "".join(
        f'<xhtml:link rel="alternate" hreflang="{name}" href="{escape(base + add_prefix(path, code))}"/>'
        for name, code in named
    )
    return "".join(
        f"<url><loc>{escape(base + add_prefix(path, code))}</loc>{alternates}</url>\n" for code in languages
    )


@require_safe
@cache_control(max_age=86_400, public=True)
def robots(request: HttpRequest) -> HttpResponse:
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in (*DISALLOWED_PATHS, *DISALLOWED_PATTERNS))]
    lines += ["", f"Sitemap: {get_base(request)}{reverse('sitemap')}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
@cache_control(max_age=604_800, public=True)
def favicon(request: HttpRequest) -> HttpResponseBase:
    """Send the icon to programs that ask for it at the address of the first browsers."""
    found = finders.find("img/favicon.ico")
    if not isinstance(found, str):
        raise Http404
    return FileResponse(open(found, "rb"), content_type="image/x-icon")


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Name the contact for reports of vulnerabilities (RFC 9116)."""
    contact = get_site().contact or settings.DEFAULT_FROM_EMAIL.rpartition("<")[2].rstrip(">")
    if "://" not in contact:
        contact = f"mailto:{contact}" if "@" in contact else f"{get_base(request)}{reverse('about')}"
    # Midnight, so that the text stays the same all day.
    expires = (timezone.now() + timedelta(days=SECURITY_TXT_DAYS)).strftime("%Y-%m-%dT00:00:00Z")
    languages = ", ".join(code for code, _name in settings.LANGUAGES)
    lines = [f"Contact: {contact}", f"Expires: {expires}", f"Preferred-Languages: {languages}"]
    lines += [f"Canonical: {get_base(request)}{request.path}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


@require_safe
def change_password(request: HttpRequest) -> HttpResponse:
    """Redirect password managers to the form."""
    return redirect("account_change_password")
