"""What was found when a build was looked at. Source: `http.md` 5.4 (Validate, action_state)."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from ems_admin.http.shown.shape import shown
from ems_admin.http.shown.ways import ways_on
from ems_admin.machines.refusals import Action
from ems_admin.workflows.setup.validate import TerminalError


class TerminalErrorShape(TypedDict):
    """What ends the way forward for a build."""

    code: str
    message: str
    next_actions: Annotated[Any, tuple[Action, ...]]


@shown.register
def _terminal(error: TerminalError) -> TerminalErrorShape:
    said = error.sentence
    return {"code": str(error.code), "message": said.message, "next_actions": shown(ways_on(said.next_actions))}
