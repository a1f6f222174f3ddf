"""Read the site's settings. Each process caches the row for `TTL_SECONDS`, so all take a change over by then."""

import time
from datetime import datetime

from django.db import transaction
from django.db.models.signals import post_save
from django.utils import timezone

from core.database import WRITE_ERRORS
from operators.models import SiteSettings
from operators.translated import choose_text

TTL_SECONDS = 2.0

# Cache: key none, one row; bound 1; invalidated by saving it in this process, else after TTL_SECONDS.
_cached = SiteSettings()
_valid_until = 0.0


def get_site() -> SiteSettings:
    """Return the settings, at most `TTL_SECONDS` old; the last ones known while the database is away."""
    global _cached, _valid_until
    if time.monotonic() >= _valid_until:
        _valid_until = time.monotonic() + TTL_SECONDS  # set first: other threads go on with the cached row
        try:
            _cached = SiteSettings.objects.filter(pk=1).first() or SiteSettings()
        except WRITE_ERRORS:
            pass
    return _cached


def cache(site: SiteSettings, ttl_seconds: float = TTL_SECONDS) -> None:
    """Use this row for `ttl_seconds`."""
    global _cached, _valid_until
    _cached, _valid_until = site, time.monotonic() + ttl_seconds


def get_announcement(now: datetime | None = None) -> str:
    """Return the announcement in the active language while it is to be shown, else ""."""
    site, now = get_site(), now or timezone.now()
    if site.announced_from and now < site.announced_from:
        return ""
    if site.announced_until and now >= site.announced_until:
        return ""
    return choose_text(site.announcement)


def _cache_after_commit(sender: type[SiteSettings], instance: SiteSettings, **kwargs: object) -> None:
    transaction.on_commit(lambda: cache(instance))


post_save.connect(_cache_after_commit, sender=SiteSettings)
