"""Choosing a System Build in a Guided Setup: the operation is created and owned, then it goes on by its first step.

Source: `seed 000` 2.4, 5.5; `http.md` 5.3 (update-admin, confirm, releases/prepare).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ems_admin.machines.alignment.outlook import ResumeStep
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.transition import Mode
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.values.fingerprints import sha256_of
from ems_admin.workflows.alignment.going_on import begin_step
from ems_admin.workflows.alignment.retry import forward
from ems_admin.workflows.authority import AuthorityRow, Demand, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.selection import Selection, resolve
from ems_admin.workflows.setup.creation import own_or_new

CREATION: Final = (Demand.WORKFLOW, Demand.CLAIM, Demand.OWNERSHIP, Demand.INTENT)
"""The claim stands before the intent: a refused claim leaves the person's one confirmation unspent."""
CONFIRM: Final = AuthorityRow(demands=CREATION, claim=WorkKind.SYSTEM_BUILD_CONFIRM)
PREPARE: Final = AuthorityRow(demands=CREATION, claim=WorkKind.SETUP_RELEASE_PREPARE)
UPDATE_ADMIN: Final = AuthorityRow(demands=CREATION, claim=WorkKind.SYSTEM_BUILD_UPDATE_ADMIN)

DOES: Final = frozenset(
    {
        ResumeStep.UPDATE_ADMIN,
        ResumeStep.RETRY_ADMIN_UPDATE,
        ResumeStep.PROVE_ADMIN,
        ResumeStep.VERIFY_RESOURCES,
    }
)
"""The steps up to verified resources. Past them these routes only tell how the operation stands."""


def admin_is_aligned(selection: Selection) -> None:
    """Refuse a build whose own Admin has to take over first."""
    if not selection.aligned:
        raise RefusalError(Refusal(Code.SYSTEM_BUILD_ALIGNMENT_REQUIRED, detail=selection.manifest.system_tag))


def admin_is_another(selection: Selection) -> None:
    """Refuse a build whose Admin runs already."""
    if selection.aligned:
        raise RefusalError(Refusal(Code.ADMIN_UPDATE_NOT_REQUIRED, detail=selection.manifest.system_tag))


FITS: Final[dict[AuthorityRow, Callable[[Selection], None]]] = {
    CONFIRM: admin_is_aligned,
    PREPARE: admin_is_aligned,
    UPDATE_ADMIN: admin_is_another,
}
"""What the running Admin has to be for each route, asked after the build is resolved and before anything is linked."""


async def prepare_build(  # noqa: PLR0913  # what the request presents
    house: House,
    caller: Caller,
    row: AuthorityRow,
    *,
    tag: str,
    workflow_id: str | None,
    intent_id: str | None,
    mode: Mode = Mode.FRESH_INSTALL,
) -> Job:
    """Create or go on with the operation for a build, and let a job do its first step. Raises `RefusalError`.

    For `UPDATE_ADMIN` that is the replacement of this Admin, otherwise the resources are verified. The answer is given
    only when B0's link and B1's beginning are durable.
    """
    request = sha256_of({"tag": tag, "workflow": workflow_id, "mode": mode})
    async with under(house, caller, row, workflow_id=workflow_id, intent_id=intent_id, request_hash=request) as hold:
        if hold.joined:
            return await house.jobs.of(hold.work)
        selection = await resolve(house, tag)
        FITS[row](selection)
        transition, step = await forward(house, caller, await own_or_new(hold, selection, mode))
        return begin_step(hold, transition, step if step in DOES else ResumeStep.REPORT)
