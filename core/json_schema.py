"""A small notation for JSON schemas (2020-12), which the views' JSON is described with for /api/openapi.json."""

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
TRUTH: Schema = {"type": "boolean"}
ANY_OBJECT: Schema = {"type": "object"}
MOMENT: Schema = {"type": "string", "format": "date-time"}
CODE: Schema = {"type": "string", "pattern": "^[0-9a-z]+$"}


def exactly(properties: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """Return the schema of an object with these keys and no others; `optional` ones may be missing."""
    return {
        "type": "object",
        "required": list(properties),
        "properties": {**properties, **(optional or {})},
        "additionalProperties": False,
    }


def having(*names: str) -> Schema:
    """Return the schema of an object with these keys and perhaps others."""
    return {"type": "object", "required": list(names)}


def each(items: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": items}


def either(*schemas: Schema) -> Schema:
    return {"anyOf": list(schemas)}


def or_null(schema: Schema) -> Schema:
    return either(schema, {"type": "null"})


def one_of(*texts: str) -> Schema:
    """Return the schema of one of these texts."""
    return {"enum": list(texts)}


def by_name(values: Schema) -> Schema:
    """Return the schema of an object with any keys."""
    return {"type": "object", "additionalProperties": values}
