"""state.json: a viewer's own view of a match for other programs (docs/http.md)."""

from datetime import datetime, timedelta

from games import archive, presence, services
from games.engine.perspective import perspective
from games.engine.tiles import NAMES
from games.models import Match, Seat


def state_for(match: Match, seat: Seat | None, now: datetime) -> dict:
    """Exactly the keys of docs/http.md, for the viewer in `seat` (None: a spectator)."""
    value = archive.value_of(match)
    view = perspective(value, seat.position if seat else None)
    seats = list(match.seats.all())
    here = presence.presence_of(match, now)
    last = view.ended[-1] if view.ended else None
    return {
        "match": match.code,
        "version": match.version,
        "status": match.status,
        "preset": match.preset,
        "rules": match.rules,
        "target": view.rules.target,
        "rated": match.rated,
        "you": seat.position if seat else None,
        "turn": view.turn,
        "round": view.round,
        "deadline": _moment(services.deadline_of(match, seats, value)),
        "wait_until": _moment(match.wait_until if match.wait_until and match.wait_until > now else None),
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
                "rating": shown_rating(row),
                "tiles": view.tiles[row.position],
                "connected": row.computer or row.position in here.seats,
                "clock": clock_left(match, row, view.turn, now),
                "left": row.position in view.gone,
            }
            for row in seats
        ],
        "boneyard": view.boneyard,
        "scores": list(view.scores),
        "seal": match.seal,
        "secrets": [ended.key for ended in view.ended],
        "last_round": None
        if last is None
        else {
            "hands": [[NAMES[tile] for tile in hand] for hand in last.remaining],
            "end": {
                "how": last.end.how,
                "winner": last.end.winner,
                "pips": list(last.end.pips),
                "bonus": list(last.end.bonus),
            },
        },
        "result": None
        if view.result is None
        else {"how": view.result.how, "winners": list(view.result.winners)},
    }


def shown_rating(seat: Seat) -> int | None:
    """The rating beside a name, whole: as it stood before, or after a rated match."""
    value = seat.rating_after if seat.rating_after is not None else seat.rating_before
    return None if value is None else int(value + 0.5)


def clock_left(match: Match, seat: Seat, turn: int | None, now: datetime) -> float | None:
    """Seconds on a seat's clock, to a tenth; None without clocks. Only the clock of the seat on turn runs."""
    if seat.clock_ms is None:
        return None
    left = timedelta(milliseconds=seat.clock_ms)
    if match.playing and turn == seat.position:
        left -= max(timedelta(0), now - match.turn_began_at)
    return round(max(0.0, left.total_seconds()), 1)


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else archive.in_utc(moment)
