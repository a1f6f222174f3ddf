"""The languages that a page may be read in, and that of a socket's page."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation


def offered(language: str) -> str:
    """The language of this code if the site is in it, else ""."""
    return language if language in dict(settings.LANGUAGES) else ""


def of_page(query: Mapping[str, str]) -> str:
    """The one that the page was made in, whatever its reader has chosen since; "" if it does not say."""
    return offered(query.get("lang", ""))


def of_browser(scope: Mapping[str, Any]) -> str:
    accepted = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
    meta = {"HTTP_ACCEPT_LANGUAGE": accepted}
    asked = SimpleNamespace(COOKIES=scope.get("cookies", {}), META=meta)
    return translation.get_language_from_request(cast(HttpRequest, asked))
