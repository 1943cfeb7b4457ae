"""The beginning of a Guided Setup, or its going on: under the lifecycle lock, and without an entry of work.

Source: `site.md` 2; `seed 000` 5.3, 7.3 (ensure_active).
"""

from __future__ import annotations

from ems_admin.machines.records.setup import ArtifactKind, GuidedSetup
from ems_admin.machines.setup.authority import Stored, stored
from ems_admin.machines.setup.facts import BEGIN, BeginFacts
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.install_state import installation_fingerprint


async def ensure_active(house: House, caller: Caller, setup: GuidedSetup | None) -> str:
    """Give the id of the active workflow; one begins when there is none. Raises `RefusalError`."""
    if setup is not None and stored(setup) is Stored.ACTIVE:
        return setup.workflow_id
    facts = BeginFacts(now=house.clock.now(), workflow_id=house.ids.secret(), selected_system_tag=None)
    begun = await house.records.setup.decide(BEGIN, facts, caller)
    if setup is not None:
        # The directory of a workflow that is over goes when the next one begins: its path is the proof.
        await house.setup_files.remove(ArtifactKind.WORKFLOW_DIRECTORY, setup.workflow_id)
    return begun.workflow_id


async def confirm(house: House, caller: Caller, workflow_id: str) -> str:
    """Give this caller a fresh confirmation for the workflow. Raises `RefusalError` with `setup_state_changed`."""
    return await house.intents.issue(caller, workflow_id, await installation_fingerprint(house))
