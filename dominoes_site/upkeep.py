"""Find what needs the operator: a timer that no longer runs, a full disk, a certificate about to end.

The commands of the timers touch a file in VAR_DIR, so a machine without them says nothing but that it has no backup.
"""

import shutil
import socket
import ssl
from collections.abc import Iterator
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone
from django.utils.translation import gettext as _
from prometheus_client.core import GaugeMetricFamily

TIMERS = ("backup", "purge", "chain")  # each runs every night
MAX_TIMER_AGE = timedelta(hours=26)
MIN_FREE_DISK = 0.1  # of the disk of VAR_DIR
MIN_CERTIFICATE_TIME = timedelta(days=14)  # it is renewed with 30 days left
CERTIFICATE_END_KEY = "upkeep.certificate_end"  # in the cache, written by look_at_certificate
CERTIFICATE_END_TTL_SECONDS = 2 * 24 * 3600
HTTPS_PORT, CONNECT_SECONDS = 443, 5


def note_done(timer: str) -> None:
    settings.VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)  # a backup may be made before `setup`
    (settings.VAR_DIR / f"last_{timer}").touch(mode=0o600)


def get_age(timer: str) -> timedelta | None:
    """Return how long ago the command of a timer was last done on this machine, None if never."""
    try:
        done_at = (settings.VAR_DIR / f"last_{timer}").stat().st_mtime
    except OSError:
        return None
    return timedelta(seconds=max(0.0, timezone.now().timestamp() - done_at))


def get_free_disk() -> float:
    """Return the free share of the disk of VAR_DIR, 0 to 1; 1 before `setup` has made it."""
    try:
        usage = shutil.disk_usage(settings.VAR_DIR)
    except OSError:
        return 1.0
    return usage.free / usage.total


def look_at_certificate(now: datetime) -> None:
    """Store when the certificate ends that the site's own address answers with; a duty of the referee."""
    address = urlsplit(settings.SITE_URL)
    if address.scheme != "https" or address.hostname is None:
        return
    context = ssl.create_default_context()
    try:
        with (
            socket.create_connection(
                (address.hostname, address.port or HTTPS_PORT), CONNECT_SECONDS
            ) as plain,
            context.wrap_socket(plain, server_hostname=address.hostname) as secure,
        ):
            certificate = secure.getpeercert() or {}
    except OSError:  # refused certificates too: visitors see that at once
        return
    if ends := certificate.get("notAfter"):
        cache.set(CERTIFICATE_END_KEY, ssl.cert_time_to_seconds(str(ends)), CERTIFICATE_END_TTL_SECONDS)


def get_certificate_time() -> timedelta | None:
    """Return how long the certificate is still valid, None if unknown."""
    ends_at = cache.get(CERTIFICATE_END_KEY)
    return None if ends_at is None else timedelta(seconds=ends_at - timezone.now().timestamp())


def list_warnings() -> list[str]:
    """Return a sentence for each thing that needs the operator."""
    return list(_find_warnings())


def _find_warnings() -> Iterator[str]:
    age = get_age("backup")
    if age is None:
        yield _("No backup was made on this machine yet: manage.py backup.")
    elif age > MAX_TIMER_AGE:
        yield _("The last backup is %(hours)d hours old.") % {"hours": age.total_seconds() // 3600}
    for timer in ("purge", "chain"):
        if (age := get_age(timer)) and age > MAX_TIMER_AGE:
            yield _("The timer boneyard-%(timer)s has not succeeded for %(hours)d hours.") % {
                "timer": timer,
                "hours": age.total_seconds() // 3600,
            }
    if (free := get_free_disk()) < MIN_FREE_DISK:
        yield _("The disk has %(percent)d %% free.") % {"percent": 100 * free}
    left = get_certificate_time()
    if left is not None and left < MIN_CERTIFICATE_TIME:
        yield _("Days until the certificate ends: %(days)d.") % {"days": left.days}


class UpkeepCollector:
    """Gauges of this machine."""

    def describe(self) -> list[GaugeMetricFamily]:
        return []

    def collect(self) -> Iterator[GaugeMetricFamily]:
        ages = GaugeMetricFamily(
            "boneyard_timer_age_seconds", "Since the command of a timer was last done here.", labels=["timer"]
        )
        for timer in TIMERS:
            if (age := get_age(timer)) is not None:
                ages.add_metric([timer], age.total_seconds())
        yield ages
        yield GaugeMetricFamily("boneyard_disk_free_ratio", "Free share of the data's disk.", get_free_disk())
        certificate = GaugeMetricFamily("boneyard_certificate_seconds", "Until the site's certificate ends.")
        if (left := get_certificate_time()) is not None:
            certificate.add_metric([], left.total_seconds())
        yield certificate
