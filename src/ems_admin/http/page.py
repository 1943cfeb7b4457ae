"""The page of the routes, made from the table that is executed: `docs/routes.md`.

Source: DESIGN 4; `seed 000` 2.4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import attrs

from ems_admin.http.route import Method, Route
from ems_admin.http.routes import AREAS
from ems_admin.workflows.authority import AuthorityRow, Demand
from ems_admin.workflows.caller import Scope

PATH: Final = "docs/routes.md"

INTRODUCTION: Final = """<!-- Written by `make diagrams` from src/ems_admin/http/routes. Do not edit. -->

# Routes

Every request passes the same checks in the same order: session, origin and CSRF token, scope, body, and then the
authority of the route, demand by demand from left to right. What was demanded before a claim is read again under it.
A body is a JSON object; `?` marks what may be left out, and any other field is refused. The table is the one that the
server walks, and `GET /api/openapi.json` gives it to programs. [Refusals](refusals.md) says what each code means.
"""

MEANINGS: Final = {
    Demand.WORKFLOW: "the request names the one active Guided Setup",
    Demand.NOT_ENDING: "nothing is being ended right now",
    Demand.ADMIN_STAYS: "this Admin is not being handed over to another one",
    Demand.CLAIM: "the site is held for this kind of work, until it has ended",
    Demand.OWNERSHIP: "the live operation, if there is one, is the workflow's own",
    Demand.INTENT: "this session's confirmation for this workflow is used up",
    Demand.PREVIEW: "the draft is the one that was shown, and still comes to the same bytes",
    Demand.RESOURCES: "the workflow's own operation has its build verified, and nothing is started yet",
    Demand.TARGET: "nothing is overwritten without a yes",
    Demand.ARTIFACT: "what was written or prepared before is this workflow's, and still what it was",
    Demand.OPERATION: "the request names the exact operation",
    Demand.PLAN: "what was agreed to is what would be done now",
    Demand.CONFIRMATION: "the request itself says yes",
    Demand.NO_TRANSITION: "no operation is under way, whatever its kind or age",
}


def page() -> str:
    """Write the page."""
    return "\n".join((INTRODUCTION, *_areas(), *_demands())) + "\n"


def authority(route: Route) -> str:
    """Tell what a route demands, in order, or why it demands nothing."""
    row = route.authority
    if not isinstance(row, AuthorityRow):
        return "" if route.method is Method.GET else str(row)
    return " → ".join(f"claim `{row.claim}`" if demand is Demand.CLAIM else str(demand) for demand in row.demands)


def _areas() -> Iterator[str]:
    for area, routes in AREAS.items():
        yield f"## {area}\n"
        yield "| route | what it does | body | who | authority | answers |"
        yield "| --- | --- | --- | --- | --- | --- |"
        for route in routes:
            asked = f"`{route.method} {route.path}{_query(route)}`"
            answers = ", ".join(str(int(status)) for status in route.statuses)
            yield f"| {asked} | {route.summary} | {_body(route)} | {_who(route)} | {authority(route)} | {answers} |"
        yield ""


def _demands() -> Iterator[str]:
    yield "## What the demands mean\n"
    yield "| demand | holds when |"
    yield "| --- | --- |"
    for demand in Demand:
        yield f"| {demand} | {MEANINGS[demand]} |"


def _body(route: Route) -> str:
    names = [f"{field.name}{'' if field.default is attrs.NOTHING else '?'}" for field in attrs.fields(route.body)]
    names += ["header `X-Setup-Intent-ID`"] if route.takes_intent else []
    return ", ".join(names)


def _query(route: Route) -> str:
    names = [field.name for field in attrs.fields(route.query)]
    return f"?{'&'.join(f'{name}=' for name in names)}" if names else ""


def _who(route: Route) -> str:
    if route.public:
        return "anybody"
    return "signed in" if route.scope is Scope.READ else f"scope {route.scope}"
