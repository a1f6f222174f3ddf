"""The language that a socket's page is read in."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest, QueryDict
from django.utils import translation


def of_page(scope: Mapping[str, Any]) -> str:
    """The one that the page was made in, whatever its reader has chosen since; "" if it does not say."""
    said = QueryDict(scope["query_string"]).get("lang", "")
    return said if said in dict(settings.LANGUAGES) else ""


def of_browser(scope: Mapping[str, Any]) -> str:
    accepted = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
    meta = {"HTTP_ACCEPT_LANGUAGE": accepted}
    asked = SimpleNamespace(COOKIES=scope.get("cookies", {}), META=meta)
    return translation.get_language_from_request(cast(HttpRequest, asked))
