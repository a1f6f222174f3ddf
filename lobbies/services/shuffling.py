"""Store what people add to the shuffle: commitments, then the nonces (docs/record.md, "Commit, then reveal")."""

import re
from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from boneyard.engine.shuffle import commitment_to
from live.broadcast import broadcast_page_changed
from lobbies.models import Sitting, Table
from lobbies.refusals import TableRefused

from . import rows
from .starting import advance_locked

COMMITMENT = re.compile(r"(?:[0-9a-f]{64})?\Z", re.ASCII)
NONCE = re.compile(r"[0-9a-z]{0,64}\Z", re.ASCII)


def parse_commitment(text: str) -> str | None:
    """Return the commitment of a form by which somebody sits down, None without one. Raise `TableRefused`."""
    if not COMMITMENT.match(text):
        raise TableRefused("malformed_commitment", 400)
    return text or None


def commit(table: Table, user: User, commitment: str) -> Table:
    """Store a person's commitment, "" to add nothing; it replaces an earlier one. Raise `TableRefused`."""
    if not COMMITMENT.match(commitment):
        raise TableRefused("malformed_commitment", 400)
    now = timezone.now()
    with transaction.atomic():
        row = rows.lock_open(table)
        sittings = Sitting.objects.at(row)
        sitting = _get_own(sittings, user)
        if row.committed_at is not None:
            raise TableRefused("commitments_fixed", 409)
        sitting.commitment, sitting.seen_at = commitment, now
        sitting.save(update_fields=["commitment", "seen_at"])
        broadcast_page_changed(f"table.{row.code}", "table")
        advance_locked(row, sittings, now)
    return row


def give_nonce(table: Table, user: User, nonce: str) -> Table:
    """Store the nonce that a person has committed to, once, and start the match if it was the last one missing.

    Without a commitment the nonce is refused, and the person adds nothing. Raise `TableRefused`.
    """
    if not NONCE.match(nonce):
        raise TableRefused("malformed", 400)
    now = timezone.now()
    with transaction.atomic():
        row = rows.lock_open(table)
        sittings = Sitting.objects.at(row)
        sitting = _get_own(sittings, user)
        if sitting.nonce is not None:
            raise TableRefused("nonce_given")
        if is_committed := bool(sitting.commitment):
            _store_nonce(row, sitting, nonce)
        elif row.committed_at is None:
            sitting.commitment = ""
            sitting.save(update_fields=["commitment"])
        advance_locked(row, sittings, now)
    if not is_committed:  # after the transaction, which stores that they add nothing
        raise TableRefused("not_committed", 409)
    return row


def _get_own(sittings: Iterable[Sitting], user: User) -> Sitting:
    sitting = next((sitting for sitting in sittings if sitting.user_id == user.pk), None)
    if sitting is None:
        raise TableRefused("not_seated", 403)
    return sitting


def _store_nonce(row: Table, sitting: Sitting, nonce: str) -> None:
    if row.committed_at is None:
        raise TableRefused("commitments_missing", 409)
    if commitment_to(nonce) != sitting.commitment:
        raise TableRefused("other_nonce", 409)
    sitting.nonce, sitting.seen_at = nonce, timezone.now()
    sitting.save(update_fields=["nonce", "seen_at"])


def record_socket(sittings: Iterable[Sitting]) -> None:
    """Record that pages with a socket have learned that all seats are taken: these people have longer to answer."""
    due = [
        sitting.pk
        for sitting in sittings
        if sitting.table.full_at and (sitting.socket_at is None or sitting.socket_at < sitting.table.full_at)
    ]
    if due:
        Sitting.objects.filter(pk__in=due).update(socket_at=timezone.now())
