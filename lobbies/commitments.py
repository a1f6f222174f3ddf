"""Build what a page needs to add its person's part to the shuffle of a table (static/js/commitments.js)."""

import json
from collections.abc import Sequence
from typing import Any

from core.json_schema import CODE, TEXT, TRUTH, WHOLE, each, either, exactly, one_of, or_null
from lobbies.models import Sitting, Table

_TABLE = {"table": CODE, "status": one_of(*Table.Status.values), "seal": TEXT, "rated": TRUTH}
TABLE_SCHEMA = either(
    exactly(_TABLE),
    exactly(
        {
            **_TABLE,
            "seat": WHOLE,
            "commitment": or_null(TEXT),
            "commitments": or_null(each(or_null(TEXT))),
            "revealed": TRUTH,
        },
        {"by_days": TRUTH},
    ),
)


def build_state(table: Table, own: Sitting, sittings: Sequence[Sitting]) -> dict[str, Any]:
    """Return the state of the shuffle of a table for one of its people.

    table, seal, status, seat   of the table, and the person's seat there
    commitment                  what the person has committed to; None: nothing yet
    commitments                 those of all seats, with None for nothing; None until they are fixed
    revealed                    whether the person's nonce is in
    by_days                     only with a clock of days: somebody who is away when the last seat is taken commits to
                                nothing
    """
    by_seat = {sitting.position: sitting.commitment or None for sitting in sittings}
    is_fixed = table.committed_at is not None
    return {
        "table": table.code,
        "seal": table.seal,
        "status": table.status,
        "seat": own.position,
        "commitment": own.commitment,
        "commitments": [by_seat.get(seat) for seat in range(table.seats)] if is_fixed else None,
        "revealed": own.nonce is not None,
        **({"by_days": True} if table.days else {}),
    }


def find_states(sittings: Sequence[Sitting], page_code: str) -> tuple[str, ...]:
    """Return the states, as JSON, of the tables where a person waits, but for the one that the page is about."""
    others = (own for own in sittings if own.table.code != page_code)
    return tuple(json.dumps(build_state(own.table, own, list(own.table.sittings.all()))) for own in others)
