"""Names of deleted accounts: kept from others for a year, so that nobody poses as the person who left."""

from datetime import timedelta

from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import RetiredName
from accounts.names import look_of

RETIREMENT = timedelta(days=365)


def retire(name: str) -> None:
    """Keep this name, and any that looks like it, from others."""
    RetiredName.objects.update_or_create(key=_hash(name), defaults={"at": timezone.now()})


def is_retired(name: str) -> bool:
    return RetiredName.objects.filter(key=_hash(name), at__gt=timezone.now() - RETIREMENT).exists()


def _hash(name: str) -> str:
    return salted_hmac("accounts.retired_names", look_of(name), algorithm="sha256").hexdigest()
