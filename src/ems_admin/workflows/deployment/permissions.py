"""Giving what was prepared back to who runs the EMS: owners and modes of config and data.

Source: `http.md` 5.3 (repair-permissions); `seed 000` 2.4; `faults.md` F13.
"""

from __future__ import annotations

from typing import Final

from attrs import define, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.installed import DeploymentMarker
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.workflows.authority import AuthorityRow, Demand, Hold, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.deployment.marker import own_marker
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.files import DirectoryVerdict, RuntimeIdentity
from ems_admin.workflows.ports.records import RefusalError

# A config folder that cannot be written is what this route is for, and no reason against it.
ROW: Final = AuthorityRow(
    demands=(Demand.WORKFLOW, Demand.CLAIM, Demand.OWNERSHIP, Demand.RESOURCES, Demand.ARTIFACT),
    claim=WorkKind.PERMISSION_REPAIR,
    mends=frozenset({Code.CONFIG_NOT_WRITABLE}),
)


@frozen(kw_only=True)
class Repaired:
    """What was mended, relative to the install root; nothing when all was well."""

    repaired: tuple[str, ...]


async def repair_permissions(house: House, caller: Caller, workflow_id: str | None) -> Repaired:
    """Repair what prepare has laid down, as B3 says for whom. Raises `RefusalError`.

    After the resource gate: `deployment_not_prepared`, `deployment_marker_invalid`; then `config_not_writable` or
    `workspace_permission_denied`, which name what belongs to somebody else.
    """
    prepared = _Prepared()
    own = {Demand.ARTIFACT: prepared.is_own}
    async with under(house, caller, ROW, workflow_id=workflow_id, own=own):
        outcome = await house.installation.repair_permissions(prepared.identity)
    if isinstance(outcome, DirectoryVerdict):
        raise RefusalError(Refusal(outcome.code, detail=outcome.detail))
    return Repaired(repaired=outcome)


@define(kw_only=True, eq=False)
class _Prepared:
    """What was prepared. Mutable: filled by the check."""

    marker: DeploymentMarker | None = None

    async def is_own(self, hold: Hold) -> None:
        """Find the marker of this workflow."""
        self.marker = await own_marker(hold)

    @property
    def identity(self) -> RuntimeIdentity:
        """As whom the EMS was prepared to run."""
        if self.marker is None:
            raise LookupError("what is repaired has been found prepared before")
        return RuntimeIdentity(puid=self.marker.puid, pgid=self.marker.pgid)
