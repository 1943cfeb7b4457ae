"""The note of what was prepared (B3), held against the workflow that acts on it.

Source: `seed 000` 2.4 (via B3 owner match); `site.md` 8.
"""

from __future__ import annotations

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.installed import DeploymentMarker
from ems_admin.machines.records.reading import Absent, Present
from ems_admin.machines.records.setup import OWNER, GuidedSetup
from ems_admin.workflows.authority import Hold
from ems_admin.workflows.ports.records import RefusalError


async def own_marker(hold: Hold) -> DeploymentMarker:
    """Give the marker of this workflow. Raises `deployment_not_prepared`, `deployment_marker_invalid`."""
    reading = await hold.house.records.marker.read()
    if isinstance(reading, Absent):
        raise RefusalError(Refusal(Code.DEPLOYMENT_NOT_PREPARED))
    if not isinstance(reading, Present) or not names(reading.record, hold.setup):
        raise RefusalError(Refusal(Code.DEPLOYMENT_MARKER_INVALID))
    return reading.record


async def marker_is_own(hold: Hold) -> None:
    """Check it, and keep nothing."""
    await own_marker(hold)


def names(marker: DeploymentMarker, setup: GuidedSetup) -> bool:
    """Say whether the marker names this workflow and the build that it has chosen."""
    claimed = (marker.owner, marker.workflow_id, marker.release)
    return claimed == (OWNER, setup.workflow_id, setup.selected_system_tag)
