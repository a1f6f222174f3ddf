"""state.json: a viewer's view of a match for other programs (docs/http.md)."""

from datetime import datetime, timedelta
from typing import Any

from boneyard.engine import records
from boneyard.engine.perspective import perspective
from boneyard.engine.tiles import NAMES
from core.json_schema import (
    ANY_OBJECT,
    CODE,
    MOMENT,
    NUMBER,
    TEXT,
    TRUTH,
    WHOLE,
    by_name,
    each,
    either,
    exactly,
    one_of,
    or_null,
)
from games import repository
from games.models import Match, Seat
from games.table.visible_value import get_visible_value
from games.time import presence
from games.time.clocks import get_running_deadline, get_wait_end, remaining_seconds
from games.time.outages import get_halt

STATE_SCHEMA = exactly(
    {
        "match": CODE,
        "version": WHOLE,
        "status": one_of(*Match.Status.values),
        "preset": or_null(TEXT),
        "rules": ANY_OBJECT,
        "target": or_null(WHOLE),
        "rated": TRUTH,
        "you": or_null(WHOLE),
        "turn": or_null(WHOLE),
        "round": WHOLE,
        "deadline": or_null(MOMENT),
        "wait_until": or_null(MOMENT),
        "layout": each(exactly({"tile": TEXT, "end": or_null(TEXT), "seat": WHOLE})),
        "ends": by_name(WHOLE),
        "count": or_null(WHOLE),
        "open_points": {"type": "null"},
        "hand": each(TEXT),
        "legal": each(TEXT),
        "seats": each(
            exactly(
                {
                    "name": TEXT,
                    "kind": one_of(*Seat.Kind.values),
                    "rating": or_null(WHOLE),
                    "tiles": WHOLE,
                    "connected": TRUTH,
                    "clock": or_null(NUMBER),
                    "left": TRUTH,
                },
                {"bot": TRUTH},
            )
        ),
        "boneyard": WHOLE,
        "scores": each(WHOLE),
        "seal": TEXT,
        "deals": or_null(TEXT),
        "secrets": each(TEXT),
        "last_round": or_null(exactly({"hands": each(or_null(each(TEXT))), "end": either(ANY_OBJECT)})),
        "result": or_null(exactly({"how": TEXT, "winners": each(WHOLE)})),
    }
)


def build_state(match: Match, seat: Seat | None, now: datetime) -> dict[str, Any]:
    """Return exactly the keys of docs/http.md for the viewer in `seat`, or a spectator if that is None."""
    position = seat.position if seat else None
    view = perspective(get_visible_value(match, repository.get_value(match), position), position)
    seats = list(match.seats.all())
    here = presence.load_presence(match, seats, now)
    halt = get_halt() if match.playing else None
    deadline = None if halt else get_running_deadline(match, seats, view.turn, view, now)
    last = view.ended[-1] if view.ended else None
    return {
        "match": match.code,
        "version": match.version,
        "status": match.status,
        "preset": match.preset,
        "rules": view.rules.as_dict(),
        "target": view.rules.target,
        "rated": match.rated,
        "you": seat.position if seat else None,
        "turn": view.turn,
        "round": view.round,
        "deadline": _moment(deadline),
        "wait_until": _moment_after(get_wait_end(match, now)),
        "layout": [{"tile": NAMES[t.tile], "end": t.end, "seat": t.seat} for t in view.laid],
        "ends": dict(view.ends),
        "count": view.count,
        "open_points": None,
        "hand": [NAMES[tile] for tile in view.hand],
        "legal": [str(move) for move in view.legal],
        "seats": [
            {
                "name": row.name,
                "kind": "computer" if row.computer else row.kind,
                "rating": row.displayed_rating,
                "tiles": view.tiles[row.position],
                "connected": row.computer or row.position in here.seats,
                "clock": remaining_seconds(match, row, view.turn, view, halt or now),
                "left": row.position in view.gone,
                **({"bot": True} if row.is_bot else {}),
            }
            for row in seats
        ],
        "boneyard": view.boneyard,
        "scores": list(view.scores),
        "seal": match.seal,
        "deals": match.deals or None,
        "secrets": [] if match.concealed else [ended.key for ended in view.ended],
        "last_round": None
        if last is None
        else {
            "hands": [
                None if match.concealed and position != number else [NAMES[tile] for tile in hand]
                for number, hand in enumerate(last.remaining)
            ],
            "end": records.round_end_data(last)["end"],
        },
        "result": None
        if view.result is None
        else {"how": view.result.how, "winners": list(view.result.winners)},
    }


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else repository.format_utc(moment)


def _moment_after(moment: datetime | None) -> str | None:
    """Format rounded up: a program that moves then must not be refused for part of a second."""
    if moment is None or not moment.microsecond:
        return _moment(moment)
    return _moment(moment.replace(microsecond=0) + timedelta(seconds=1))
