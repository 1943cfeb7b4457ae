"""OpenAPI 3.1, made from the route table. Source: `http.md` 5.1, 5.3."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import attrs

from ems_admin import __version__
from ems_admin.http.answers import Answers
from ems_admin.http.route import Method, Nothing, Route
from ems_admin.http.schemas import schema_of
from ems_admin.http.sessions import COOKIE
from ems_admin.machines.codes import Code
from ems_admin.workflows.authority import AuthorityRow

REFUSAL: Final = {
    "type": "object",
    "required": ["ok", "error", "message", "next_actions"],
    "properties": {
        "ok": {"const": False},
        "error": {"type": "string", "enum": sorted(Code)},
        "message": {"type": "string"},
        "detail": {"type": "string"},
        "next_actions": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {name: {"type": "string"} for name in ("action", "label", "method", "path")},
            },
        },
    },
}


def document(areas: Mapping[str, tuple[Route, ...]]) -> dict[str, Any]:
    """Describe every route of the table."""
    paths: dict[str, dict[str, Any]] = {}
    answers = Answers()
    for area, routes in areas.items():
        for route in routes:
            paths.setdefault(route.path, {})[route.method.lower()] = _operation(area, route, answers)
    return {
        "openapi": "3.1.0",
        "info": {"title": "EMS Admin", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": {**answers.shapes, "Refused": REFUSAL},
            "securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": COOKIE}},
        },
    }


def _operation(area: str, route: Route, answers: Answers) -> dict[str, Any]:
    granted = answers.of_route(route)
    content = {"*/*": {}} if granted is None else {"application/json": {"schema": granted}}
    described: dict[str, Any] = {
        "tags": [area],
        "summary": route.summary,
        "operationId": f"{route.method.lower()}_{re.sub(r'[^a-z0-9]+', '_', route.path).strip('_')}",
        "parameters": _parameters(route),
        "responses": {
            **{str(int(status)): {"description": status.phrase, "content": content} for status in route.statuses},
            "default": {
                "description": "Refused: the code and its status are those of docs/refusals.md",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refused"}}},
            },
        },
        "security": [] if route.public else [{"session": []}],
        "x-scope": str(route.scope),
        "x-authority": _authority(route),
    }
    if route.body is not Nothing:
        schema = schema_of(route.body)
        described["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return described


def _parameters(route: Route) -> list[dict[str, Any]]:
    path = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", route.path)
    ]
    attrs.resolve_types(route.query)
    query = [
        {"name": field.name, "in": "query", "required": False, "schema": schema_of(field.type)}
        for field in attrs.fields(route.query)
    ]
    asked = []
    if route.method is Method.POST and not route.public:
        asked.append("X-CSRF-Token")
    if route.takes_intent:
        asked.append("X-Setup-Intent-ID")
    headers = [{"name": name, "in": "header", "required": False, "schema": {"type": "string"}} for name in asked]
    return [*path, *query, *headers]


def _authority(route: Route) -> dict[str, Any]:
    if isinstance(route.authority, AuthorityRow):
        claim = route.authority.claim
        return {"demands": [str(demand) for demand in route.authority.demands], "claim": claim and str(claim)}
    return {"demands": [], "reason": str(route.authority)}
