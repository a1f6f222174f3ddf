"""Results at real tables: entered by one side, confirmed by another, corrected by a director.

What was sent is never changed: `NightTable` says which version holds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts.models import User
from nights.models import Entry, Night, NightTable, SentResult
from nights.refusals import NightRefused

from .locking import find_last_round, locked_directing, locked_table, log_act

MAX_POINTS = 10_000


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends a result: a director, the entry of a personal link or account, or whoever has the table's code.

    device  a digest of the browser; a result is not confirmed from the device that entered it
    """

    director: User | None = None
    entry: Entry | None = None
    device: str = ""


def enter(
    night: Night,
    round_number: int,
    number: int,
    version: int,
    points: Sequence[int],
    sender: Sender,
    now: datetime,
    hands: Sequence[Any] = (),
) -> SentResult:
    """Store the points of a table, by side. A director's are confirmed at once. Raise `NightRefused`.

    Points that differ from those entered before put the table in dispute. What comes after the round was closed is kept
    beside the directors' result.
    """
    if not night.is_wood:
        raise NightRefused("on_phones", 403)
    if sender.director is not None and not night.is_directed_by(sender.director.pk):
        raise NightRefused("not_yours", 403)
    with locked_table(night, round_number, number, version) as table:
        _refuse_points(table, points)
        sent = SentResult.objects.create(
            table=table,
            points=list(points),
            hands=list(hands),
            entry=sender.entry,
            director=sender.director,
            device=sender.device,
            sent_at=now,
        )
        is_closed = table.drawn_round.closed_at is not None
        if sender.director is not None:
            before = table.points if table.is_decided else None
            kind = "earlier" if is_closed else "correct" if table.is_decided else "result"
            about = f"{round_number}/{number}" if is_closed else str(number)
            _decide(table, sent, now)
            log_act(night, sender.director, kind, now, about=about, before=before, after=sent.points)
        elif is_closed or table.is_decided:
            _keep_beside(night, table, sent, now)
        else:
            _compare(table, sent, sender, now)
        return sent


def _keep_beside(night: Night, table: NightTable, sent: SentResult, now: datetime) -> None:
    """Tell the directors of a result that changes nothing, unless it says what holds, or what is beside already."""
    if table.is_decided and table.points == sent.points:
        return
    before = table.sent_results.exclude(pk=sent.pk).select_related("entry").order_by("pk")
    if all(each.points != sent.points for each in find_beside(table, list(before))):
        about = f"{table.drawn_round.number}/{table.number}"
        log_act(night, None, "late", now, about=about, after=sent.points)


def _compare(table: NightTable, sent: SentResult, sender: Sender, now: datetime) -> None:
    """Compare a side's result with those of others: an equal one of another side confirms, a different one disputes.

    What the same side has entered before is replaced, not disputed.
    """
    before = table.sent_results.select_related("entry").order_by("pk")
    others = [each for each in find_standing(table.sides, before) if each != sent]
    table.points, table.status = sent.points, table.Status.ENTERED
    if any(each.points != sent.points for each in others):
        table.status = table.Status.DISPUTED
    else:
        equal = next((each for each in others if _why_no_confirmation(table, each, sender) is None), None)
        if equal is not None:
            _decide(table, equal, now)


def find_standing(sides: Sequence[Sequence[int]], sent: Iterable[SentResult]) -> list[SentResult]:
    """Return what holds of results in their order: the last of each side, and of each browser without a name.

    What a browser sends without a name counts for the side that has used it by its personal link.
    """
    standing: dict[object, SentResult] = {}
    owners: dict[str, int] = {}
    for each in sent:
        side = _find_side(sides, each.entry)
        if side is None:
            side = owners.get(each.device)
        elif each.device:
            owners[each.device] = side
            standing.pop(each.device, None)
        voice = side if side is not None else each.device or ("result", each.pk)
        standing.pop(voice, None)
        standing[voice] = each
    return list(standing.values())


def find_holding(table: NightTable, sent: Sequence[SentResult]) -> SentResult | None:
    """Return the result that holds at a table, of those sent in their order."""
    confirmed = [each for each in sent if each.confirmed_at is not None]
    if table.status == NightTable.Status.CONFIRMED and confirmed:
        return max(confirmed, key=lambda each: (each.confirmed_at, each.pk))
    return sent[-1] if sent and table.status == NightTable.Status.ENTERED else None


def find_beside(table: NightTable, sent: Sequence[SentResult]) -> list[SentResult]:
    """Return what came after the result that holds, or after the end of its round, and is not the same."""
    if table.status not in (NightTable.Status.PLAYING, *NightTable.DECIDED):
        return []
    holding = find_holding(table, sent)
    later = [each for each in sent if holding is None or each.pk > holding.pk]
    return [
        each
        for each in find_standing(table.sides, later)
        if each.director_id is None and (holding is None or each.points != holding.points)
    ]


def _find_side(sides: Sequence[Sequence[int]], entry: Entry | None) -> int | None:
    if entry is None:
        return None
    return next((place for place, side in enumerate(sides) if entry.number in side), None)


def confirm(
    night: Night, round_number: int, number: int, version: int, sender: Sender, now: datetime
) -> None:
    """Confirm what was entered at a table: by an entry of another side on another device, or a director.

    Raise `NightRefused`.
    """
    with locked_table(night, round_number, number, version) as table:
        sent = table.sent_results.order_by("pk").last()
        if sent is None or table.status == table.Status.DISPUTED and sender.director is None:
            raise NightRefused("no_result")
        if table.is_decided:
            return
        if sender.director is None:
            _refuse_confirmation(table, sent, sender)
        elif not night.is_directed_by(sender.director.pk):
            raise NightRefused("not_yours", 403)
        _decide(table, sent, now)


def correct(
    night: Night,
    director: User,
    round_number: int,
    number: int,
    version: int,
    points: Sequence[int],
    now: datetime,
) -> None:
    """Replace the result of a table at which people play with real tiles; both versions stay. Raise `NightRefused`."""
    enter(night, round_number, number, version, points, Sender(director=director), now)


def mark_absent(night: Night, director: User, version: int, number: int, now: datetime) -> None:
    """Say that an entry has not come to its table, or, said again, that it has. Raise `NightRefused`."""
    with locked_directing(night, director, version) as row:
        if not row.is_wood:
            raise NightRefused("not_absent")
        last = find_last_round(row)
        tables = last.tables.select_for_update() if last and last.closed_at is None else []
        table = next((table for table in tables if any(number in side for side in table.sides)), None)
        if table is None:
            raise NightRefused("no_such_person", 404)
        was_absent = number in table.absent
        table.absent = sorted({*table.absent} ^ {number})
        is_free = len(table.sides) > 2
        if table.absent and not is_free:
            table.status, table.points = table.Status.ABSENT, [0] * len(table.sides)
        elif not table.absent and table.status == table.Status.ABSENT:
            table.status, table.points = table.Status.PLAYING, None
        table.version += 1
        table.save()
        about = row.entries.get(number=number).name
        log_act(row, director, "absent", now, about=about, before=was_absent, after=not was_absent)


def _decide(table: NightTable, sent: SentResult, now: datetime) -> None:
    table.points, table.status = sent.points, table.Status.CONFIRMED
    if len(table.sides) == 2:
        table.absent = []
    sent.confirmed_at = now
    sent.save(update_fields=["confirmed_at"])


def _refuse_points(table: NightTable, points: Sequence[int]) -> None:
    if len(points) != len(table.sides) or not all(-MAX_POINTS <= n <= MAX_POINTS for n in points):
        raise NightRefused("bad_points")


def _refuse_confirmation(table: NightTable, sent: SentResult, sender: Sender) -> None:
    reason = _why_no_confirmation(table, sent, sender)
    if reason is not None:
        raise NightRefused(reason, 403)


def _why_no_confirmation(table: NightTable, sent: SentResult, sender: Sender) -> str | None:
    """Return why this sender cannot confirm the result, or None: it takes another side, on another device."""
    entry, by = sender.entry, sent.entry
    if entry is None or not any(entry.number in side for side in table.sides):
        return "not_opponent"
    if by is not None and any(entry.number in side and by.number in side for side in table.sides):
        return "not_opponent"
    # A browser that keeps no cookie cannot show that it is another one.
    if not sent.device or sender.device in ("", sent.device):
        return "same_device"
    return None
