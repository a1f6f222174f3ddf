"""The addresses of the API with what they take and answer, by the names in `api.scopes.SCOPES`.

The schemas stand beside the code that builds the JSON; paths come from the URL patterns.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from api.bots import BOT_SCHEMA
from api.events import EVENT_SCHEMA
from api.form_schemas import CLOCK, COMMITMENT, LEVEL, NONCE, SEAT, TABLE_FIELDS
from core.json_schema import CODE, TEXT, WHOLE, Schema, exactly, having, one_of, or_null
from events.day_json import DAY_SCHEMA
from games.table.state_json import STATE_SCHEMA
from lobbies.commitments import TABLE_SCHEMA
from nights.night_json import NIGHT_SCHEMA
from study.analysis_json import ANALYSIS_SCHEMA

JSON, JSON_LINES = "application/json", "application/x-ndjson"

RECORD_SCHEMA = having("format", "match", "rules", "seats", "rounds", "result", "seal")
DRAWS_SCHEMA = having("night", "seal", "search", "format", "draw", "rounds", "draws")
HINT_SCHEMA = exactly({"move": TEXT, "claim": or_null(WHOLE)})
NOTHING_SCHEMA = exactly({})
ADDRESS_SCHEMA = exactly(
    {"address": TEXT}, {"number": WHOLE, "version": WHOLE, "state": TEXT, "sentence": TEXT}
)  # of a page of the night
# In `components` of the file.
SCHEMAS: Mapping[str, Schema] = {
    "State": STATE_SCHEMA,
    "Record": RECORD_SCHEMA,
    "Analysis": ANALYSIS_SCHEMA,
    "Day": DAY_SCHEMA,
    "Night": NIGHT_SCHEMA,
    "Draws": DRAWS_SCHEMA,
    "Table": TABLE_SCHEMA,
    "Event": EVENT_SCHEMA,
    "Hint": HINT_SCHEMA,
    "Bot": BOT_SCHEMA,
    "Address": ADDRESS_SCHEMA,
    "Nothing": NOTHING_SCHEMA,
    "Refusal": {
        "type": "object",
        "required": ["error", "reason"],
        "properties": {"error": TEXT, "reason": TEXT, "scopes": {"type": "array", "items": TEXT}},
    },
}


@dataclass(frozen=True)
class Operation:
    """What an address does. Its answer is one of these `SCHEMAS`.

    fields      of the form; of a GET without any
    path        of an address that is not Django's
    is_public   whether it needs no token
    """

    summary: str
    answers: tuple[str, ...]
    fields: Mapping[str, Schema] = field(default_factory=dict)
    method: str = "post"
    media_type: str = JSON
    path: str = ""
    is_public: bool = False


def _read(summary: str, answer: str) -> Operation:
    return Operation(summary, (answer,), method="get", is_public=True)


def _stream(summary: str, answer: str, path: str) -> Operation:
    return Operation(summary, (answer,), method="get", media_type=JSON_LINES, path=path)


def _texts(*names: str) -> dict[str, Schema]:
    return dict.fromkeys(names, TEXT)


VERSION: Mapping[str, Schema] = {"version": WHOLE}
MOVE: Schema = {
    "type": "string",
    "description": "one of `legal` in state.json; also muggins, resign, abort",
    "examples": ["6-4@L", "draw", "pass", "muggins", "resign", "abort"],
}
COMMITTED: Mapping[str, Schema] = {"commitment": COMMITMENT}

OPERATIONS: Mapping[str, Operation] = {
    "match-state": _read("A match as the account, or a spectator, sees it.", "State"),
    "match-record": _read("The record of an ended match.", "Record"),
    "analysis-json": _read("The analysis of an ended match, once somebody has asked for it.", "Analysis"),
    "daily-json": _read("A day of the Daily Deal, with the account's own result.", "Day"),
    "night-json": _read("A night: people, tables, results, standings.", "Night"),
    "night-draws": _read("Every draw of a night with its key.", "Draws"),
    "match-stream": _stream("A match, again after each version.", "State", "/games/{code}/stream"),
    "events": _stream("Own matches that begin, wait for a move or end, and challenges.", "Event", "/events"),
    "match-move": Operation(
        "Move, claim, call, resign or call off.",
        ("State",),
        {"move": MOVE, **VERSION, "claim": WHOLE, "until": TEXT, "expires": WHOLE},
    ),
    "match-absent": Operation("Answer somebody's absence.", ("State",), {"take": one_of("win", "computer")}),
    "match-prod": Operation("Ask the player on turn to move, where no clock runs.", ("State",)),
    "match-continue": Operation("End the pause after a round.", ("State",)),
    "match-hint": Operation("The best move, in casual matches against computers.", ("Hint",)),
    "table-new": Operation("Make a table.", ("Table",), TABLE_FIELDS),
    "table-sit": Operation("Sit down.", ("Table",), {"seat": SEAT, **COMMITTED}),
    "table-leave": Operation("Leave a table.", ("Nothing",)),
    "table-commit": Operation("Send the hash of a nonce.", ("Table",), COMMITTED),
    "table-nonce": Operation("Send the nonce.", ("Table",), {"nonce": NONCE}),
    "table-rematch": Operation(
        "Ask for a rematch after a match, accept or decline it.",
        ("Table", "Nothing"),
        {"on": one_of("1", "0", "keep", ""), **COMMITTED},
    ),
    "table-decline": Operation("Decline a challenge.", ("Nothing",)),
    "challenge": Operation("Challenge somebody.", ("Table",), TABLE_FIELDS),
    "quick-play": Operation(
        "Sit down where people wait, or play computers of a level at once.",
        ("Table",),
        {"seats": TABLE_FIELDS["seats"], "clock": CLOCK, "computer": LEVEL, **COMMITTED},
    ),
    "become-bot": Operation("Make the account a bot, for good; it must never have played.", ("Bot",)),
    "night-new": Operation(
        "Make a night.",
        ("Address",),
        {
            **_texts("name", "start", "zone", "weekly", "preset", "format", "draw", "where", "last", "out"),
            **dict.fromkeys(("rounds", "hands", "target", "minutes"), WHOLE),
            **_texts("clock", "rated", "difference_first", "audience", "club", "add_oneself"),
        },
    ),
    "night-people": Operation("Add people.", ("Address",), {**_texts("names", "name"), **VERSION}),
    "night-open": Operation("Let people add themselves.", ("Address",), VERSION),
    "night-entry": Operation(
        "Change a person.",
        ("Address",),
        {"number": WHOLE, **_texts("set", "stop_after", "own_table"), **VERSION},
    ),
    "night-directors": Operation("Add a director.", ("Address",), {"name": TEXT, **VERSION}),
    "night-draw": Operation("Draw the next round.", ("Address",), {"anyway": TEXT, **VERSION}),
    "night-undo": Operation("Undo the last draw.", ("Address",), VERSION),
    "night-swap": Operation(
        "Let two people change places.", ("Address",), {"a": WHOLE, "b": WHOLE, **VERSION}
    ),
    "night-absent": Operation("Say that somebody has not come.", ("Address",), {"number": WHOLE, **VERSION}),
    "night-close": Operation("Close the round.", ("Address",), VERSION),
    "night-finish": Operation("End the night.", ("Address",), VERSION),
    "night-cancel": Operation("Cancel the night.", ("Address",), VERSION),
    "night-result": Operation(
        "Send the result of a table; `version` is the table's.",
        ("Address",),
        {"round": WHOLE, "table": WHOLE, **_texts("points", "hands", "me", "code"), **VERSION},
    ),
    "night-confirm": Operation(
        "Confirm a result; `version` is the table's.",
        ("Address",),
        {"round": WHOLE, "table": WHOLE, "me": TEXT, **VERSION},
    ),
}
PARAMETERS: Mapping[str, Schema] = {
    "code": CODE,
    "preset": TABLE_FIELDS["preset"],
    "day": {"type": "string", "format": "date"},
}
