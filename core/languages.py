"""The language of a page: from its address, its socket, or the browser."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation


def get_supported_language(code: str) -> str:
    """Return `code` if the site is translated into that language, else ""."""
    return code if code in dict(settings.LANGUAGES) else ""


def get_base_language(code: str | None = None) -> str:
    """Return the language without its region, of `code` or of the active one: *pt* for *pt-pt*."""
    return (code or translation.get_language() or settings.LANGUAGE_CODE).partition("-")[0]


def list_base_languages() -> list[tuple[str, str]]:
    """Return the languages of the site without those of regions, as (code, own name)."""
    return [(code, name) for code, name in settings.LANGUAGES if "-" not in code]


def get_page_language(query: Mapping[str, str]) -> str:
    """Return the language in the `lang` parameter of an address, as sockets have it; "" if there is none."""
    return get_supported_language(query.get("lang", ""))


def get_requested_language(request: HttpRequest) -> str:
    """Return the language of `?lang=`, or else the active one."""
    return get_page_language(request.GET) or translation.get_language() or settings.LANGUAGE_CODE


def get_browser_language(scope: Mapping[str, Any]) -> str:
    """Return the language that the browser asks for in a socket's handshake."""
    accepted = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
    request = SimpleNamespace(COOKIES=scope.get("cookies", {}), META={"HTTP_ACCEPT_LANGUAGE": accepted})
    return translation.get_language_from_request(cast(HttpRequest, request))
