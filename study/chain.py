"""Maintain the hash chain of all seals, so that no seal can be removed or inserted later.

The hash of a link is SHA-256 of the text "HASH SEAL", where HASH is the hash of the previous link (64 zeros for the
first), all in hex. The head is published every hour; a saved head proves that the chain up to it is unchanged.
"""

from datetime import datetime
from hashlib import sha256

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef

from games.models import SealedSecret
from study.models import ChainHead, SealLink

GENESIS_HASH = "0" * 64
_BATCH_SIZE = 1_000


def link_hash(previous_hash: str, seal: str) -> str:
    """Return the hash of a link."""
    return sha256(f"{previous_hash} {seal}".encode("ascii")).hexdigest()


def publish(now: datetime) -> None:
    """Append new seals to the chain and publish its head."""
    while _append_batch():
        pass
    head = SealLink.objects.order_by("-number").first()
    if head is not None:
        ChainHead.objects.create(number=head.number, hash=head.hash, at=now)


def _append_batch() -> bool:
    """Append one batch; return whether it was full, so that more seals may follow."""
    last = SealLink.objects.order_by("-number").first()
    last_number, previous_hash = (last.number, last.hash) if last is not None else (0, GENESIS_HASH)
    linked = SealLink.objects.filter(code=OuterRef("code"), seal=OuterRef("seal"))
    unlinked = SealedSecret.objects.filter(~Exists(linked)).order_by("sealed_at", "pk")
    links = []
    for number, sealed in enumerate(unlinked.defer("secret")[:_BATCH_SIZE], last_number + 1):
        previous_hash = link_hash(previous_hash, sealed.seal)
        links.append(SealLink(number=number, code=sealed.code, seal=sealed.seal, hash=previous_hash))
    try:
        with transaction.atomic():
            SealLink.objects.bulk_create(links)
    except IntegrityError:  # appended concurrently by another process
        return False
    return len(links) == _BATCH_SIZE
