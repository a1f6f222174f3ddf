"""The answer of /daily/DATE.json (docs/http.md)."""

from datetime import datetime
from typing import Any

from boneyard.engine.shuffle import chain
from core.json_schema import (
    ANY_OBJECT,
    CODE,
    MOMENT,
    NUMBER,
    TEXT,
    TRUTH,
    WHOLE,
    each,
    exactly,
    one_of,
    or_null,
)
from events.field import LoadedField, Result, find_own_entry
from games.repository import format_utc, get_sealed_secret
from games.seats import Viewer

DAY_SCHEMA = exactly(
    {
        "date": or_null(TEXT),
        "deals": TEXT,
        "preset": TEXT,
        "rules": ANY_OBJECT,
        "seal": TEXT,
        "opens": MOMENT,
        "closes": MOMENT,
        "state": one_of("announced", "open", "closed", "cancelled"),
        "you": or_null(
            exactly(
                {
                    "match": CODE,
                    "rounds": each(exactly({"margin": or_null(NUMBER), "percent": or_null(NUMBER)})),
                    "score": or_null(NUMBER),
                }
            )
        ),
        "field": exactly({"people": WHOLE, "house": WHOLE}),
        "results": each(
            exactly(
                {
                    "name": TEXT,
                    "kind": TEXT,
                    "match": or_null(CODE),
                    "margins": each(or_null(NUMBER)),
                    "percents": each(or_null(NUMBER)),
                    "score": or_null(NUMBER),
                    "place": or_null(WHOLE),
                    "counts": TRUTH,
                }
            )
        ),
        "secrets": each(TEXT),
    }
)


def build_json(loaded: LoadedField, viewer: Viewer, now: datetime) -> dict[str, Any]:
    """Return exactly the keys of docs/http.md. Until the close nobody's results but the viewer's own are in it."""
    deals = loaded.deals
    return {
        "date": deals.day.isoformat() if deals.day else None,
        "deals": deals.name,
        "preset": deals.preset,
        "rules": deals.parsed_rules.written(),
        "seal": deals.seal,
        "opens": format_utc(deals.opens_at),
        "closes": format_utc(deals.closes_at),
        "state": deals.get_state(now),
        "you": _build_own(loaded, viewer),
        "field": {"people": loaded.people, "house": len(loaded.counted_house)},
        "results": [_build_result(result) for result in loaded.results] if deals.has_results else [],
        "secrets": _list_secrets(loaded) if deals.has_results else [],
    }


def _build_own(loaded: LoadedField, viewer: Viewer) -> dict[str, Any] | None:
    entry = find_own_entry(loaded.deals, viewer.pk)
    if entry is None:
        return None
    result = loaded.build_result(entry)
    rounds = zip(result.margins, result.percents, strict=True)
    return {
        "match": entry.match.code,
        "rounds": [{"margin": margin, "percent": _round(percent)} for margin, percent in rounds],
        "score": _round(result.score),
    }


def _build_result(result: Result) -> dict[str, Any]:
    return {
        "name": result.name,
        "kind": result.kind,
        "match": result.match,
        "margins": result.margins,
        "percents": [_round(percent) for percent in result.percents],
        "score": _round(result.score),
        "place": result.place,
        "counts": result.counts,
    }


def _list_secrets(loaded: LoadedField) -> list[str]:
    """Return the keys of the rounds in hex."""
    keys = chain(bytes.fromhex(get_sealed_secret(loaded.deals.name).secret))
    return [keys.key(number).hex() for number in range(1, loaded.deals.rounds + 1)]


def _round(percent: float | None) -> float | None:
    return None if percent is None else round(percent, 1)
