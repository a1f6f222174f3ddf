"""analysis.json: an analysis for other programs (docs/http.md)."""

from core.json_schema import ANY_OBJECT, CODE, NUMBER, TEXT, each, exactly, one_of, or_null
from study.models import Analysis

ANALYSIS_SCHEMA = exactly(
    {
        "match": CODE,
        "state": one_of(*Analysis.State.values),
        "progress": NUMBER,
        "engine": TEXT,
        "decisions": each(ANY_OBJECT),
        "calls": each(ANY_OBJECT),
        "skill": or_null(each(or_null(NUMBER))),
        "luck": or_null(each(or_null(NUMBER))),
        "play": or_null(each(or_null(NUMBER))),
        "balance": or_null(ANY_OBJECT),
    }
)
_DECISION_FIELDS = (
    "number", "seat", "move", "claim", "best", "best_claim", "loss", "error", "points", "mark",
)  # fmt: skip


def build_json(analysis: Analysis) -> dict[str, object]:
    """Return exactly the keys of docs/http.md; until it is done there are no figures."""
    result = analysis.result if analysis.state == Analysis.State.DONE else None
    return {
        "match": analysis.match.code,
        "state": analysis.state,
        "progress": round(analysis.progress, 3),
        "engine": analysis.engine,
        "decisions": []
        if result is None
        else [{name: row.get(name) for name in _DECISION_FIELDS} for row in result["decisions"]],
        "calls": [] if result is None else result["calls"],
        "skill": None if result is None else result["skill"],
        "luck": None if result is None else result["luck"],
        "play": None if result is None else result.get("play"),
        "balance": None if result is None else result.get("balance"),
    }
