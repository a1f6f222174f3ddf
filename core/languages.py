"""The language of a page: the site's languages, and what a socket knows of its page's language."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation


def get_supported_language(code: str) -> str:
    """Return `code` if the site is translated into that language, else ""."""
    return code if code in dict(settings.LANGUAGES) else ""


def get_page_language(query: Mapping[str, str]) -> str:
    """Return the language in which a socket's page was rendered, from its `lang` parameter; "" if it has none."""
    return get_supported_language(query.get("lang", ""))


def get_browser_language(scope: Mapping[str, Any]) -> str:
    """Return the language that the browser asks for in a socket's handshake."""
    accepted = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
    request = SimpleNamespace(COOKIES=scope.get("cookies", {}), META={"HTTP_ACCEPT_LANGUAGE": accepted})
    return translation.get_language_from_request(cast(HttpRequest, request))
