"""What was found when a build was looked at. Source: `http.md` 5.4 (Validate, action_state)."""

from __future__ import annotations

from typing import Any

from ems_admin.http.shown.shape import shown
from ems_admin.http.shown.ways import ways_on
from ems_admin.workflows.setup.validate import TerminalError


@shown.register
def _terminal(error: TerminalError) -> dict[str, Any]:
    said = error.sentence
    return {"code": str(error.code), "message": said.message, "next_actions": shown(ways_on(said.next_actions))}
