"""Read the site's settings. Each process caches the row for `TTL_SECONDS`, so all take a change over by then."""

import time
from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models.signals import post_save
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.database import WRITE_ERRORS
from operators.models import SiteSettings
from operators.translated import choose_text, find_foreign_language, get_own_text

USUAL_DESCRIPTION = gettext_lazy(
    "Play dominoes with people and computers. Every deal is sealed before the first tile is seen."
)
TTL_SECONDS = 2.0
Choices = list[tuple[str, str]]  # value and name

_choices: dict[str, Callable[[], Choices]] = {}

# Cache: one row; invalidated by saving it in this process, else after TTL_SECONDS.
_cached = SiteSettings()
_valid_until = 0.0


def get_site() -> SiteSettings:
    """Return the settings, at most `TTL_SECONDS` old; the last ones known while the database is away."""
    global _cached, _valid_until
    if time.monotonic() >= _valid_until:
        _valid_until = time.monotonic() + TTL_SECONDS  # set first: other threads go on with the cached row
        try:
            _cached = load_site()
        except WRITE_ERRORS:
            pass
    return _cached


def get_last_known_site() -> SiteSettings:
    """Return the settings that this process read last, without a query."""
    return _cached


def load_site() -> SiteSettings:
    """Return the settings as they are in the database."""
    return SiteSettings.objects.filter(pk=1).first() or SiteSettings()


def cache(site: SiteSettings, ttl_seconds: float = TTL_SECONDS) -> None:
    """Use this row for `ttl_seconds`."""
    global _cached, _valid_until
    _cached, _valid_until = site, time.monotonic() + ttl_seconds


def register_choices(name: str, get: Callable[[], Choices]) -> None:
    """Register what a setting may be chosen from; higher apps know it."""
    _choices[name] = get


def get_choices(name: str) -> Choices:
    return _choices[name]()


def get_announcement() -> str:
    """Return the announcement in the active language while it is to be shown, else ""."""
    site, now = get_site(), timezone.now()
    if site.announced_from and now < site.announced_from:
        return ""
    if site.announced_until and now >= site.announced_until:
        return ""
    return choose_text(site.announcement)


def get_announcement_language() -> str:
    """Return the language of the announcement if it is not the active one, else ""."""
    return find_foreign_language(get_site().announcement)


def get_description() -> str:
    """Return the operator's description of the site, else the usual one."""
    return choose_text(get_site().description) or str(USUAL_DESCRIPTION)


def get_maintenance_sentence() -> str:
    """Return why no match begins now, or none goes on, in the active language.

    The operator's sentence if there is one in this language, else the built-in one, which every language has.
    """
    site = get_site()
    if text := get_own_text(site.maintenance_text):
        return text
    if site.halts_matches:
        return _("The site is being maintained. Matches and clocks stand still, and go on where they were.")
    return _("The site is being maintained. Matches go on, and new ones begin again soon.")


def is_under_maintenance_for(user: Any) -> bool:
    """Return whether this user may begin no match now; staff always may."""
    return get_site().maintenance and not user.is_staff


def _cache_after_commit(sender: type[SiteSettings], instance: SiteSettings, **kwargs: object) -> None:
    transaction.on_commit(lambda: cache(instance))


post_save.connect(_cache_after_commit, sender=SiteSettings)
