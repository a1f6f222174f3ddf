"""Addresses with a language: `/ru/rules/` is `/rules/` in Russian, for public pages."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

from core.languages import get_supported_language

# Pages with the same content for every reader of a language; all others have one address.
PUBLIC_PAGES = frozenset(
    "lobby watch rules rules-preset rules-elo computers fairness fairness-numbers verify leaderboard leaderboard-pool"
    " profile archive learn learn-count learn-hold lesson puzzles puzzle match-replay daily daily-day daily-boards"
    " daily-round about terms news privacy offline score host clubs club".split()
)

Handler = Callable[[HttpRequest], HttpResponse]


def add_prefix(path: str, language: str) -> str:
    return f"/{language}{path}"


def language_prefix(get_response: Handler) -> Handler:
    """Serve a public page whose address begins with a language in that language.

    The view gets the address without the prefix, and `request.prefix_language`. For any other page the prefix stays,
    so the address is not found.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        request.prefix_language = ""  # type: ignore[attr-defined]
        code, slash, rest = request.path_info[1:].partition("/")
        if slash and get_supported_language(code) and _is_public(f"/{rest}"):
            request.prefix_language = code  # type: ignore[attr-defined]
            request.path = request.path_info = request.META["PATH_INFO"] = f"/{rest}"
        return get_response(request)

    return middleware


def _is_public(path: str) -> bool:
    try:
        return resolve(path).url_name in PUBLIC_PAGES
    except Resolver404:
        return False
