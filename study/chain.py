"""Maintain the hash chain of all seals, so that no seal can be removed or inserted later.

The hash of a link is SHA-256 of the text "HASH SEAL", where HASH is the hash of the previous link (64 zeros for the
first), all in hex. The head is published every hour; a saved head proves that the chain up to it is unchanged. So does
a checkpoint, which is signed: the root of a Merkle tree over the lines of the published file.

A restored backup takes back the links after it. The next link then is the hash of a note that says so, and the notes
are published: `verify_seals` explains with them why a checkpoint of before is not continued. Notes that a restored
backup would take back are appended to it again, so that none is forgotten.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Count, Exists, OuterRef
from django.utils import timezone

from boneyard.engine.shuffle import owner_digest
from core.checkpoint_key import get_origin
from core.transparency import Checkpoint, compute_root, sign
from games.models import SealedSecret
from study.models import ChainHead, SealLink

GENESIS_HASH = "0" * 64
SEAL = re.compile(r"[0-9a-f]{64}")
PENDING = "pending"
# A note's link has the code "restored TIME/COUNT", where others have that of a table. COUNT, the seals of the backup,
# may be missing; it then is the number of the link before.
RESTORED, OF_BACKUP = "restored", "/"
_BATCH_SIZE = 1_000
MAX_PENDING = timedelta(hours=3)  # seals are appended each hour


def link_hash(previous_hash: str, seal: str) -> str:
    """Return the hash of a link."""
    return sha256(f"{previous_hash} {seal}".encode("ascii")).hexdigest()


def publish(now: datetime) -> None:
    """Append new seals to the chain and publish its head, also as a signed checkpoint."""
    while _append_batch():
        pass
    head = SealLink.objects.order_by("-number").first()
    if head is not None:
        ChainHead.objects.create(
            number=head.number, hash=head.hash, checkpoint=_sign_checkpoint(head.number), at=now
        )


def note_restore(now: datetime, earlier: Iterable[str] = ()) -> None:
    """Append the note that the site was restored from a backup that ends with the present last link.

    Before it come those of the `earlier` notes (`list_notes` of the replaced database) that the backup does not have.
    """
    last = SealLink.objects.order_by("-number").first()
    count, previous_hash = (last.number, last.hash) if last is not None else (0, GENESIS_HASH)
    kept = set(list_notes())
    own = f"{RESTORED} {now:%Y-%m-%dT%H:%M:%SZ}{OF_BACKUP}{count}"
    codes = [code for code in earlier if code not in kept] + [own]
    for number, code in enumerate(codes, count + 1):
        seal = sha256(_describe_restore(code).encode("ascii")).hexdigest()
        previous_hash = link_hash(previous_hash, seal)
        SealLink.objects.create(number=number, code=code, seal=seal, hash=previous_hash)


def list_notes() -> list[str]:
    """Return the codes of the notes of all restored backups, each with the number of seals of its backup."""
    return [code for _number, code in _iter_notes()]


def list_restores() -> list[str]:
    """Return a line for each restored backup: the number of its link and the note that this link is the hash of."""
    return [f"{number} {_describe_restore(code)}" for number, code in _iter_notes()]


def _iter_notes() -> Iterator[tuple[int, str]]:
    notes = SealLink.objects.filter(code__startswith=f"{RESTORED} ").order_by("number")
    for number, code in notes.values_list("number", "code"):
        yield number, code if OF_BACKUP in code else f"{code}{OF_BACKUP}{number - 1}"


def find_restores(lines: Sequence[str], notes: Iterable[str]) -> dict[int, str]:
    """Return the published notes by how many lines each restored backup had. Raise `ValueError` for others."""
    found = {}
    for note in notes:
        number, _space, text = note.partition(" ")
        if not number.isdecimal() or not 0 < int(number) <= len(lines):
            raise ValueError(f"no line has this number: {note}")
        if lines[int(number) - 1].split(" ")[1] != sha256(text.encode()).hexdigest():
            raise ValueError(f"its line is not the hash of the note: {note}")
        found[int(number) - 1] = text
    return found


def parse_restore_time(note: str) -> datetime:
    """Return when the site was restored, from the text of a note. Raise `ValueError`."""
    return datetime.fromisoformat(note.split(" ")[1])


def _describe_restore(code: str) -> str:
    restored, _of, count = code.partition(OF_BACKUP)
    return f"{restored} from a backup of {count} seals"


def iter_lines(last: int | None = None) -> Iterator[str]:
    """Yield the lines of the published file, up to number `last`: number, seal and hash of each link."""
    links = SealLink.objects.order_by("number").values_list("number", "seal", "hash")
    if last is not None:
        links = links.filter(number__lte=last)
    for number, seal, link_digest in links.iterator(chunk_size=2_000):
        yield f"{number} {seal} {link_digest}"


def find_line(seal: str) -> str | None:
    """Return the line of a seal and the digest of its owner, with *pending* in place of a line until it has one.

    None for a seal that is not the site's. The owner is the match or set of deals, whose code nobody else can tell.
    """
    if not SEAL.fullmatch(seal):
        return None
    link = SealLink.objects.filter(seal=seal).order_by("number").first()
    if link is not None:
        return f"{link.number} {link.seal} {link.hash} {owner_digest(link.code, seal)}"
    recent = SealedSecret.objects.filter(sealed_at__gt=timezone.now() - MAX_PENDING, seal=seal).first()
    return None if recent is None else f"{PENDING} {owner_digest(recent.code, seal)}"


def find_broken_line(lines: Iterable[str]) -> int | None:
    """Return the number of the first line that is not the next link of the chain, or None."""
    previous_hash = GENESIS_HASH
    for number, line in enumerate(lines, 1):
        parts = line.split(" ")
        if len(parts) != 3 or parts[0] != str(number) or not SEAL.fullmatch(parts[1]):
            return number
        previous_hash = link_hash(previous_hash, parts[1])
        if parts[2] != previous_hash:
            return number
    return None


def count_replaced_secrets() -> int:
    """Return how many tables' secrets were replaced, because somebody left or did not reveal after the commitments."""
    counts = SealedSecret.objects.aggregate(seals=Count("pk"), tables=Count("code", distinct=True))
    return int(counts["seals"] - counts["tables"])


def _sign_checkpoint(number: int) -> str:
    """Return the checkpoint of the first `number` lines, "" without a key."""
    if not settings.CHECKPOINT_KEY:
        return ""
    size, root = compute_root(line.encode() for line in iter_lines(number))
    return sign(Checkpoint(get_origin(), size, root), settings.CHECKPOINT_KEY)


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
