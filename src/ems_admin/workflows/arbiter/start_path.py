"""The start path: which door a person goes through, and the Setup that begins or goes on behind the first one.

It decides as a switch to Guided Setup does, and ends nothing: whatever has to end first waits for the previewed switch.
Source: `http.md` 5.3 (start-path); `seed 000` 7.5.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.lifecycle.claims import SetupClaim, setup_claim
from ems_admin.machines.lifecycle.switch import SwitchAction, Target
from ems_admin.machines.setup.install_state import InstallState
from ems_admin.machines.workflow_lifecycle import Owner
from ems_admin.workflows import standing
from ems_admin.workflows.arbiter.switching import LOCK, preview_of
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.install_state import install_state
from ems_admin.workflows.lifecycle.view import look
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.setup.beginning import confirm as confirmed
from ems_admin.workflows.setup.beginning import ensure_active
from ems_admin.workflows.setup.view import read_setup

UNCONVERGED: Final = frozenset({SetupClaim.CLEANUP_PENDING, SetupClaim.REVIEW_REQUIRED})


class Choice(StrEnum):
    """The two doors."""

    SETUP_NEW = "setup_new"
    MANAGE_EXISTING = "manage_existing"


@frozen(kw_only=True)
class StartPath:
    """Where the person goes on, and for a Setup with which identity and confirmation."""

    choice: Choice
    route: str
    state: InstallState
    setup_workflow_id: str | None = None
    setup_intent_id: str | None = None


async def start_path(house: House, caller: Caller, choice: Choice, *, confirm: bool) -> StartPath:
    """Open a door. Raises `RefusalError`.

    An active Setup is resumed with its id and without a question. Otherwise, in this order:
    `existing_install_conflict`, `setup_cleanup_required`, `workflow_switch_required`. Before all of them comes
    `workflow_state_malformed`, when it cannot be read who owns the console.
    """
    state = await install_state(house)
    if choice is Choice.MANAGE_EXISTING:
        return StartPath(choice=choice, route="maintenance", state=state)
    await standing.require_mutable(house)
    async with house.locks.hold(LOCK):
        workflow_id = await _begin_or_resume(house, caller, state, confirm=confirm)
    intent_id = await confirmed(house, caller, workflow_id)
    return StartPath(
        choice=choice, route="setup", state=state, setup_workflow_id=workflow_id, setup_intent_id=intent_id
    )


async def _begin_or_resume(house: House, caller: Caller, state: InstallState, *, confirm: bool) -> str:
    setup = await read_setup(house)  # a review that was never this workflow's is settled on the way
    if isinstance(setup, Refusal):
        raise RefusalError(setup)
    preview = await preview_of(house, await look(house), Target.GUIDED_SETUP)
    decision, verdict = preview.decision, preview.view.lifecycle
    if verdict.owner is Owner.UNKNOWN:
        # What cannot be read might claim anything: it is nobody to switch from (`faults.md` F03).
        raise RefusalError(Refusal(Code.WORKFLOW_STATE_MALFORMED, detail=verdict.blocking_reason))
    if decision.action is SwitchAction.RESUME_GUIDED_SETUP:
        return await ensure_active(house, caller, setup)
    if state is not InstallState.NONE and not confirm:
        raise RefusalError(Refusal(Code.EXISTING_INSTALL_CONFLICT, detail=state))
    if setup is not None and setup_claim(setup) in UNCONVERGED:
        raise RefusalError(Refusal(Code.SETUP_CLEANUP_REQUIRED, detail=setup.cleanup.state))
    if decision.action is not SwitchAction.START_GUIDED_SETUP:
        shown = {"lifecycle": preview.view, "switch_preview": preview}
        detail = verdict.blocking_reason or verdict.owner
        raise RefusalError(Refusal(Code.WORKFLOW_SWITCH_REQUIRED, detail=detail, more=shown))
    if decision.refusal is not None:
        raise RefusalError(decision.refusal)
    return await ensure_active(house, caller, setup)
