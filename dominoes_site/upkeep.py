"""Find what needs the operator: a timer that does not run, a full disk, a certificate about to end.

The commands of the timers touch a file in VAR_DIR, and so does the first start, from which a timer that never ran is
late. Without the units of systemd `purge` and `chain` have no timer: the site is asked for its backup alone.
"""

import logging
import shutil
import socket
import ssl
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone
from django.utils.translation import gettext as _
from prometheus_client.core import GaugeMetricFamily

# Each runs every night; by the mark that the first start has left where it should.
TIMERS = {"backup": "first_start", "purge": "first_start_of_unit", "chain": "first_start_of_unit"}
MAX_TIMER_AGE = timedelta(hours=26)
MIN_FREE_DISK = 0.1  # of the disk of VAR_DIR
MIN_CERTIFICATE_TIME = timedelta(days=14)  # it is renewed with 30 days left
CERTIFICATE_END_KEY = "upkeep.certificate_end"  # in the cache, written by look_at_certificate
CERTIFICATE_END_TTL_SECONDS = 2 * 24 * 3600
HTTPS_PORT, CONNECT_SECONDS = 443, 5


logger = logging.getLogger(__name__)


def note_start(*, has_units: bool) -> None:
    """Note the first start on this machine, and the first as a unit of systemd, beside the timers."""
    marks = set(TIMERS.values()) if has_units else {TIMERS["backup"]}
    with suppress(OSError):  # a full disk keeps no site from starting
        for mark in marks:
            if not (settings.VAR_DIR / mark).exists():
                _touch(mark)


def note_done(timer: str) -> None:
    _touch(f"last_{timer}")


def _touch(mark: str) -> None:
    settings.VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)  # a backup may be made before `setup`
    (settings.VAR_DIR / mark).touch(mode=0o600)


def get_age(timer: str) -> timedelta | None:
    """Return how long ago the command of a timer was last done on this machine, None if never."""
    return _get_age_of(f"last_{timer}")


def get_silence(timer: str) -> timedelta | None:
    """Return its age or, if it never ran, that of the first start, from which it should; None where it need not."""
    age = get_age(timer)
    return _get_age_of(TIMERS[timer]) if age is None else age


def _get_age_of(mark: str) -> timedelta | None:
    try:
        touched_at = (settings.VAR_DIR / mark).stat().st_mtime
    except OSError:
        return None
    return timedelta(seconds=max(0.0, timezone.now().timestamp() - touched_at))


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


def log_late_timers(now: datetime) -> None:
    """Write a line for each late timer; a duty of the referee, once a day."""
    for sentence in _find_late_timers():
        logger.warning("%s", sentence)


def _find_late_timers() -> Iterator[str]:
    return (_describe_age(timer) for timer in TIMERS if _is_late(timer))


def _is_late(timer: str) -> bool:
    silence = get_silence(timer)
    return silence is not None and silence > MAX_TIMER_AGE


def _describe_age(timer: str) -> str:
    age = get_age(timer)
    if age is None and timer == "backup":  # where there are no timers, it is made by hand
        return _("No backup was made on this machine yet: manage.py backup.")
    if age is None:
        return _("The timer boneyard-%(timer)s has never succeeded on this machine.") % {"timer": timer}
    hours = age.total_seconds() // 3600
    if timer == "backup":
        return _("The last backup is %(hours)d hours old.") % {"hours": hours}
    params = {"timer": timer, "hours": hours}
    return _("The timer boneyard-%(timer)s has not succeeded for %(hours)d hours.") % params


def _find_warnings() -> Iterator[str]:
    if get_age("backup") is None and not _is_late("backup"):
        yield _describe_age("backup")
    yield from _find_late_timers()
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
            "boneyard_timer_age_seconds",
            "Since the command of a timer was last done here, or since the first start if never.",
            labels=["timer"],
        )
        for timer in TIMERS:
            if (silence := get_silence(timer)) is not None:
                ages.add_metric([timer], silence.total_seconds())
        yield ages
        yield GaugeMetricFamily("boneyard_disk_free_ratio", "Free share of the data's disk.", get_free_disk())
        certificate = GaugeMetricFamily("boneyard_certificate_seconds", "Until the site's certificate ends.")
        if (left := get_certificate_time()) is not None:
            certificate.add_metric([], left.total_seconds())
        yield certificate
