"""The site's settings on every page."""

from typing import Any

from django.http import HttpRequest

from operators import site_settings


def site(request: HttpRequest) -> dict[str, Any]:
    """Add `site_settings`, their description and announcement in the reader's language where they have one."""
    row = site_settings.get_site()
    return {
        "site_settings": row,
        "site_description": site_settings.get_description(),
        "announcement": site_settings.get_announcement(),
        "announcement_language": site_settings.get_announcement_language(),
        "maintenance": site_settings.get_maintenance_sentence() if row.maintenance else "",
    }
