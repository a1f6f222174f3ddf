"""Keyset pagination of a list ordered by a time and the pk, newest first."""

from datetime import UTC, datetime
from typing import TypeVar

from django.db.models import Model, Q, QuerySet

Row = TypeVar("Row", bound=Model)


def paginate_by_key(rows: QuerySet[Row], field: str, key: str, size: int) -> tuple[list[Row], str]:
    """Return at most `size` rows after `key`, and the key of the next page or "".

    An empty or invalid key starts from the beginning.
    """
    page = list(rows.filter(_after(field, key)).order_by(f"-{field}", "-pk")[: size + 1])
    if len(page) <= size:
        return page, ""
    last = page[size - 1]
    return page[:size], f"{getattr(last, field).timestamp():.6f}-{last.pk}"


def _after(field: str, key: str) -> Q:
    moment, _, pk = key.partition("-")
    try:
        at, number = datetime.fromtimestamp(float(moment), tz=UTC), int(pk)
    except (ValueError, OverflowError, OSError):
        return Q()
    return Q(**{f"{field}__lt": at}) | Q(**{field: at, "pk__lt": number})
