"""The deployment as it is shown: a projection of B3, the running work, the last job and the observed EMS.

B3 says what was prepared, never what runs. Source: `site.md` 2, 4 (B3).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.kernel import Table, row


class Marker(StrEnum):
    """B3."""

    ABSENT = "absent"
    VALID = "valid"
    INVALID = "invalid"


class DeploymentWork(StrEnum):
    """The running work that concerns the deployment."""

    NONE = "none"
    PREPARING = "preparing"
    STARTING = "starting"


class LastJob(StrEnum):
    """How the last preparation or start ended; a restart forgets it."""

    NONE = "none"
    SUCCEEDED = "succeeded"
    FAILED = "failed"


class ObservedEms(StrEnum):
    """What the engine shows."""

    AS_PREPARED = "as_prepared"
    """Running, with the very digests of B3."""
    STOPPED = "stopped"
    """The same, but for what a person has stopped: nothing is wrong with it."""
    OTHERWISE = "otherwise"
    UNKNOWN = "unknown"
    """The engine could not be asked: never taken for "it does not run", and never for "it runs"."""


class DeploymentState(StrEnum):
    """What a person sees of the deployment."""

    NONE = "none"
    PREPARING = "preparing"
    STARTING = "starting"
    RUNNING = "running"
    FAILED = "failed"
    PREPARED = "prepared"


@frozen
class Deployment:
    """What the projection depends on."""

    work: DeploymentWork
    marker: Marker
    ems: ObservedEms
    last_job: LastJob


# Work comes first: the first preparation runs before there is a B3. A start whose last step failed may well have left
# the EMS running, and then that is what is shown; the failure stands beside it.
DEPLOYMENT: Final = Table[Deployment, DeploymentState](
    name="deployment",
    asks=Deployment,
    rows=(
        row(DeploymentState.PREPARING, work=DeploymentWork.PREPARING),
        row(DeploymentState.STARTING, work=DeploymentWork.STARTING),
        row(DeploymentState.RUNNING, marker=Marker.VALID, ems=ObservedEms.AS_PREPARED),
        row(DeploymentState.PREPARED, marker=Marker.VALID, ems=ObservedEms.STOPPED),
        row(DeploymentState.FAILED, marker=Marker.INVALID),
        row(DeploymentState.FAILED, last_job=LastJob.FAILED),
        row(DeploymentState.NONE, marker=Marker.ABSENT),
        row(DeploymentState.PREPARED),
    ),
)
