"""The start path: which door a person goes through, and the Setup that begins or goes on behind the first one.

Source: `http.md` 5.3 (start-path); `seed 000` 7.5.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.lifecycle.claims import SetupClaim, setup_claim
from ems_admin.machines.records.setup import ArtifactKind
from ems_admin.machines.setup.authority import Stored, stored
from ems_admin.machines.setup.facts import BEGIN, BeginFacts
from ems_admin.machines.setup.install_state import InstallState
from ems_admin.machines.workflow_lifecycle import Owner
from ems_admin.workflows import standing
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.install_state import install_state, installation_fingerprint
from ems_admin.workflows.lifecycle import lifecycle, lifecycle_view
from ems_admin.workflows.ports.records import RefusalError
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
    async with house.locks.hold("lifecycle"):
        workflow_id = await _begin_or_resume(house, caller, state, confirm=confirm)
    intent_id = await house.intents.issue(caller, workflow_id, await installation_fingerprint(house))
    return StartPath(
        choice=choice, route="setup", state=state, setup_workflow_id=workflow_id, setup_intent_id=intent_id
    )


async def _begin_or_resume(house: House, caller: Caller, state: InstallState, *, confirm: bool) -> str:
    setup = await read_setup(house)  # a review that was never this workflow's is settled on the way
    if isinstance(setup, Refusal):
        raise RefusalError(setup)
    view = await lifecycle(house)
    if view.owner is Owner.UNKNOWN:
        # What cannot be read might claim anything: it is nobody to switch from (`faults.md` F03).
        raise RefusalError(Refusal(Code.WORKFLOW_STATE_MALFORMED, detail=view.blocking_reason))
    if stored(setup) is Stored.ACTIVE and setup is not None and view.owner is Owner.GUIDED_SETUP:
        return setup.workflow_id
    if state is not InstallState.NONE and not confirm:
        raise RefusalError(Refusal(Code.EXISTING_INSTALL_CONFLICT, detail=state))
    facts = BeginFacts(now=house.clock.now(), workflow_id=house.ids.secret(), selected_system_tag=None)
    if setup is not None and setup_claim(setup) in UNCONVERGED:
        raise RefusalError(Refusal(Code.SETUP_CLEANUP_REQUIRED, detail=setup.cleanup.state))
    if view.owner is not Owner.NONE:
        shown = await lifecycle_view(house)
        raise RefusalError(
            Refusal(Code.WORKFLOW_SWITCH_REQUIRED, detail=view.blocking_reason or view.owner, more={"lifecycle": shown})
        )
    begun = await house.records.setup.decide(BEGIN, facts, caller)
    if setup is not None:
        # The directory of a workflow that is over goes when the next one begins: its path is the proof.
        await house.setup_files.remove(ArtifactKind.WORKFLOW_DIRECTORY, setup.workflow_id)
    return begun.workflow_id
