"""The web app manifest: how the site looks and starts when it is installed."""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from core.languages import get_requested_language
from operators.site_settings import get_description, get_site

RECORD_TYPES = {"application/json": [".json"], "application/x-ndjson": [".jsonl"]}
ICONS = (
    ("img/icon.svg", "image/svg+xml", "any", "any"),
    ("img/icon-192.png", "image/png", "192x192", "any"),
    ("img/icon-512.png", "image/png", "512x512", "any"),
    ("img/icon-maskable.png", "image/png", "512x512", "maskable"),
    ("img/icon-mono.png", "image/png", "192x192", "monochrome"),
)
SCREENSHOTS = (
    ("img/screen-wide.jpg", "1280x800", "wide"),
    ("img/screen-narrow.jpg", "780x1688", "narrow"),
)


@require_safe
@cache_control(max_age=3600, public=True)
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the manifest in `?lang=`: browsers request it without cookies."""
    language = get_requested_language(request)
    with translation.override(language):
        return HttpResponse(json.dumps(_build(language)), content_type="application/manifest+json")


def _build(language: str) -> dict[str, Any]:
    name = get_site().name
    shortcuts = (
        (_("Play"), "lobby"),
        (_("Daily Deal"), "daily"),
        (_("Puzzles"), "puzzles"),
        (_("Watch"), "watch"),
    )
    icon = {"src": static("img/icon-192.png"), "sizes": "192x192", "type": "image/png"}
    return {
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "lang": language,
        "dir": "ltr",
        "name": name,
        "short_name": name,
        "description": get_description(),
        "categories": ["games"],
        "display": "standalone",
        "background_color": "#f5f0e6",
        "theme_color": "#344f44",
        "icons": [
            {"src": static(path), "type": kind, "sizes": sizes, "purpose": purpose}
            for path, kind, sizes, purpose in ICONS
        ],
        "screenshots": [
            {
                "src": static(path),
                "type": "image/jpeg",
                "sizes": sizes,
                "form_factor": form,
                "label": _("A match of dominoes"),
            }
            for path, sizes, form in SCREENSHOTS
        ],
        "shortcuts": [{"name": title, "url": reverse(page), "icons": [icon]} for title, page in shortcuts],
        "launch_handler": {"client_mode": ["focus-existing", "auto"]},
        "file_handlers": [{"action": reverse("verify"), "accept": RECORD_TYPES}],
        "share_target": {
            "action": reverse("verify-share"),
            "method": "POST",
            "enctype": "multipart/form-data",
            "params": {"files": [{"name": "record", "accept": [*RECORD_TYPES, ".json", ".jsonl"]}]},
        },
    }
