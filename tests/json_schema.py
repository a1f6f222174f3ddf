"""Compare JSON with the part of JSON schema that `core.json_schema` writes."""

import re
from collections.abc import Iterator
from typing import Any

TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "object": (dict,),
    "array": (list,),
}


def find_faults(value: Any, schema: dict[str, Any], at: str = "") -> list[str]:
    """Return where a value is not as the schema says; [] if it is."""
    return list(_find(value, schema, at or "it"))


def _find(value: Any, schema: dict[str, Any], at: str) -> Iterator[str]:
    if "anyOf" in schema:
        faults = [find_faults(value, each, at) for each in schema["anyOf"]]
        if all(faults):
            yield min(faults, key=len)[0]
        return
    if "enum" in schema:
        if value not in schema["enum"]:
            yield f"{at} is {value!r}, none of {schema['enum']}"
        return
    expected: str = schema["type"]
    if not isinstance(value, TYPES[expected]) or isinstance(value, bool) != (expected == "boolean"):
        yield f"{at} is {value!r}, not {expected}"
    elif isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        yield f"{at} is {value!r}, not {schema['pattern']}"
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _find(item, schema["items"], f"{at}[{number}]")
    elif isinstance(value, dict):
        yield from _find_in_object(value, schema, at)


def _find_in_object(value: dict[str, Any], schema: dict[str, Any], at: str) -> Iterator[str]:
    properties, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name in schema.get("required", []):
        if name not in value:
            yield f"{at}.{name} is missing"
    for name, each in value.items():
        if name in properties:
            yield from _find(each, properties[name], f"{at}.{name}")
        elif others is False:
            yield f"{at}.{name} is not described"
        elif isinstance(others, dict):
            yield from _find(each, others, f"{at}.{name}")
