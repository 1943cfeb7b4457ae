"""A refusal: the code for programs, the sentence for people, and the ways on. Source: `site.md` 1.1; `faults.md` D4."""

from __future__ import annotations

from typing import Annotated, Any, Required, TypedDict

from ems_admin.http.shown.shape import Like, Told, fields, shown, told
from ems_admin.http.shown.ways import ways_on
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.refusals import Action, sentence
from ems_admin.workflows.views.console import Warning as Warned
from ems_admin.workflows.views.offers import Offered

RESERVED = frozenset({"ok", "error", "message", "next_actions", "detail"})
"""Further fields of a refusal never take the place of these."""


class RefusalShape(TypedDict, total=False):
    """A refusal. What else its code has to say stands beside these."""

    ok: Required[bool]
    error: Required[str]
    message: Required[str]
    next_actions: Required[Annotated[Any, tuple[Action, ...]]]
    detail: str


@shown.register
def _refusal(refusal: Refusal) -> Annotated[dict[str, Any], RefusalShape]:
    code = Code(refusal.code)
    said = sentence(code)
    body: dict[str, Any] = {
        "ok": False,
        "error": str(code),
        "message": said.message,
        "next_actions": shown(ways_on(said.next_actions)),
    }
    if refusal.detail is not None:
        body["detail"] = str(refusal.detail)
    return body | {name: shown(value) for name, value in refusal.more.items() if name not in RESERVED}


@shown.register
def _action(action: Action) -> Annotated[dict[str, Any], Like(kind=Action)]:
    return fields(action)


@shown.register
def _offered(
    offered: Offered,
) -> Annotated[dict[str, Any], Like(kind=Action, but={"key": str, "enabled": bool, "reason": Told | None})]:
    refusal, action = offered.refusal, offered.action
    return {
        "key": action.action,
        **fields(action),
        "enabled": refusal is None,
        "reason": None if refusal is None else told(refusal.code, refusal.detail),
    }


@shown.register
def _warning(warning: Warned) -> Told:
    return told(warning.code, warning.detail)
