"""Paging by key: a list ordered by a moment and the pk, newest first, continues after the last row shown."""

from datetime import UTC, datetime
from typing import TypeVar

from django.db.models import Model, Q, QuerySet

Row = TypeVar("Row", bound=Model)


def paginate_by_key(rows: QuerySet[Row], field: str, key: str, size: int) -> tuple[list[Row], str]:
    """At most `size` rows after `key` ("" from the start), and the key of the page after it ("" at the end).

    An unreadable key starts from the beginning.
    """
    found = list(rows.filter(_after(field, key)).order_by(f"-{field}", "-pk")[: size + 1])
    if len(found) <= size:
        return found, ""
    last = found[size - 1]
    return found[:size], f"{getattr(last, field).timestamp():.6f}-{last.pk}"


def _after(field: str, key: str) -> Q:
    moment, _, pk = key.partition("-")
    try:
        at, number = datetime.fromtimestamp(float(moment), tz=UTC), int(pk)
    except (ValueError, OverflowError, OSError):
        return Q()
    return Q(**{f"{field}__lt": at}) | Q(**{field: at, "pk__lt": number})
