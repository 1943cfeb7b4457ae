"""The start path: which door a person goes through, and the Setup that begins or goes on behind the first one.

It decides as a switch to Guided Setup does, and ends nothing: whatever has to end first waits for the previewed switch.
Source: `http.md` 5.3 (start-path); `seed 000` 7.5.
"""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.lifecycle.door import DOOR, Agreed, Door, Doorstep
from ems_admin.machines.lifecycle.switch import Target
from ems_admin.machines.records.reading import Unreadable
from ems_admin.machines.setup.install_state import InstallState
from ems_admin.workflows import standing
from ems_admin.workflows.arbiter.switching import LOCK, preview_of
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.install_state import install_state
from ems_admin.workflows.lifecycle.situation import Situation
from ems_admin.workflows.lifecycle.view import look
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.setup.beginning import confirm as confirmed
from ems_admin.workflows.setup.beginning import ensure_active
from ems_admin.workflows.setup.view import read_setup


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
    await _enter(house, await look(house), state, confirm=confirm)
    return await ensure_active(house, caller, setup)


async def rehearse_start(house: House, at: Situation) -> None:
    """Ask everything but the person, and open nothing. Raises `RefusalError` with what a request would meet first."""
    await standing.require_mutable(house)
    if isinstance(at.reads.setup, Unreadable):
        raise RefusalError(standing.setup_unreadable(at.reads.setup))
    await _enter(house, at, await install_state(house), confirm=True)


async def _enter(house: House, at: Situation, state: InstallState, *, confirm: bool) -> None:
    """Raise `RefusalError` unless the door leads to a Setup that goes on or begins."""
    preview = await preview_of(house, at, Target.GUIDED_SETUP)
    decision, lifecycle = preview.decision, preview.view.lifecycle
    agreed = Agreed.YES if confirm or state is InstallState.NONE else Agreed.NO
    match DOOR.classify(Doorstep(lifecycle.owner, decision.action, at.setup, agreed)):
        case Door.RESUME:
            return
        case Door.BEGIN:
            refusal = decision.refusal
        case Door.UNREADABLE:
            refusal = Refusal(Code.WORKFLOW_STATE_MALFORMED, detail=lifecycle.blocking_reason)
        case Door.ASK:
            refusal = Refusal(Code.EXISTING_INSTALL_CONFLICT, detail=state)
        case Door.CLEAN_UP:
            owing = at.reads.setup_record
            refusal = Refusal(Code.SETUP_CLEANUP_REQUIRED, detail=owing.cleanup.state if owing else None)
        case Door.SWITCH:
            shown = {"lifecycle": preview.view, "switch_preview": preview}
            detail = lifecycle.blocking_reason or lifecycle.owner
            refusal = Refusal(Code.WORKFLOW_SWITCH_REQUIRED, detail=detail, more=shown)
    if refusal is not None:
        raise RefusalError(refusal)
