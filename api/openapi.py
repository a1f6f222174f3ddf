"""`/api/openapi.json`, made from the scopes, the URL patterns and the schemas of the code that answers."""

import re
from functools import cache
from typing import Any, NamedTuple

from django.urls import get_resolver

from api.operations import JSON, JSON_LINES, OPERATIONS, PARAMETERS, SCHEMAS, Operation
from api.scopes import SCOPES, Scope
from core.json_schema import TEXT

# Status by status, what a program may meet; the reasons are in docs/http.md, "The API".
REFUSED = {
    "400": "the form cannot be read",
    "403": "not for this account, or the token lacks a scope",
    "404": "there is none, or it is not yet public",
    "409": "the version is not the present one",
    "422": "refused by the rules of the play or the night",
}


class Address(NamedTuple):
    """An address of the API: `path` has its parameters in braces. One of `scopes` opens it."""

    name: str
    path: str
    scopes: tuple[Scope, ...]
    operation: Operation


@cache
def list_addresses() -> tuple[Address, ...]:
    """Return the addresses in the order of `OPERATIONS`."""
    return tuple(
        Address(
            name,
            each.path or _find_path(name),
            tuple(scope for scope in Scope if scope in SCOPES[name]),
            each,
        )
        for name, each in OPERATIONS.items()
    )


def _find_path(name: str) -> str:
    """Return the path of an address of Django's, with its parameters in braces."""
    possible = get_resolver().reverse_dict.getlist(name)[0][0]
    path: str = possible[0][0]
    return "/" + re.sub(r"%\((\w+)\)s", r"{\1}", path)


def build_document(site: str, address: str) -> dict[str, Any]:
    """Return the OpenAPI file of a site at this address."""
    paths: dict[str, Any] = {}
    for each in list_addresses():
        paths.setdefault(each.path, {})[each.operation.method] = _build_operation(each)
    return {
        "openapi": "3.1.0",
        "info": {"title": site, "version": "1", "description": "JSON where `Accept` asks for it."},
        "servers": [{"url": address}],
        "paths": paths,
        "components": {
            "schemas": dict(SCHEMAS),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _build_operation(address: Address) -> dict[str, Any]:
    each = address.operation
    needed = [{"token": [str(scope)]} for scope in address.scopes]
    described: dict[str, Any] = {
        "operationId": address.name,
        "summary": each.summary,
        "security": [{}, *needed] if each.is_public else needed,
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": PARAMETERS.get(name, TEXT)}
            for name in re.findall(r"{(\w+)}", address.path)
        ],
        "responses": _build_responses(each),
    }
    if each.fields:
        form = {"schema": {"type": "object", "properties": dict(each.fields)}}
        described["requestBody"] = {"content": {"application/x-www-form-urlencoded": form}}
    return described


def _build_responses(each: Operation) -> dict[str, Any]:
    shown = [{"$ref": f"#/components/schemas/{name}"} for name in each.answers]
    schema = shown[0] if len(shown) == 1 else {"anyOf": shown}
    what = (
        "a line of the stream" if each.media_type == JSON_LINES else "done" if each.fields else "the answer"
    )
    refusal = {JSON: {"schema": {"$ref": "#/components/schemas/Refusal"}}}
    return {
        "200": {"description": what, "content": {each.media_type: {"schema": schema}}},
        "401": {"description": "the token is unknown, has ended or was revoked", "content": refusal},
        **{status: {"description": words, "content": refusal} for status, words in REFUSED.items()},
        "429": {"description": "too many requests; `Retry-After` says when to ask again"},
    }
