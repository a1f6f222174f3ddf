"""The chain of seals: every seal ever made, in a row in which none can be left out or put in later.

The hash of a link is SHA-256 of the text "HASH SEAL", HASH being that of the link before it, 64 zeros before the first;
all in hex. Its head is published each hour: anybody who keeps one can tell that the chain up to it is unchanged.
"""

from datetime import datetime
from hashlib import sha256

from django.db import IntegrityError, transaction

from games.models import SealedSecret
from study.models import ChainHead, SealLink

BEFORE_THE_FIRST = "0" * 64
_AT_ONCE = 1_000


def linked(before: str, seal: str) -> str:
    """The hash of a link."""
    return sha256(f"{before} {seal}".encode("ascii")).hexdigest()


def publish(now: datetime) -> None:
    """Puts the seals made since into the chain, and publishes its head."""
    while _append():
        pass
    head = SealLink.objects.order_by("-number").first()
    if head is not None:
        ChainHead.objects.create(number=head.number, hash=head.hash, at=now)


def _append() -> bool:
    """Whether a full helping was appended, so that there may be more."""
    last = SealLink.objects.order_by("-number").first()
    number, before = (last.number, last.hash) if last is not None else (0, BEFORE_THE_FIRST)
    waiting = SealedSecret.objects.exclude(code__in=SealLink.objects.values("code")).order_by(
        "sealed_at", "pk"
    )
    links = []
    for place, sealed in enumerate(waiting.defer("secret")[:_AT_ONCE], number + 1):
        before = linked(before, sealed.seal)
        links.append(SealLink(number=place, code=sealed.code, seal=sealed.seal, hash=before))
    try:
        with transaction.atomic():
            SealLink.objects.bulk_create(links)
    except IntegrityError:  # another process appends the same
        return False
    return len(links) == _AT_ONCE
