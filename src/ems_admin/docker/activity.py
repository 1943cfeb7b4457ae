"""Whether an Admin replacement runs. Only a proof that none does permits anything.

Source: `seed 000` 7.4.1; `faults.md` D1, D9, D10.
"""

from __future__ import annotations

from typing import Final

from aiodocker.exceptions import DockerError

from ems_admin.docker.containers import Container, Doing, labelled, named_like
from ems_admin.docker.daemon import Daemon, UnaskedError
from ems_admin.docker.labels import OPERATION, UPDATER_PREFIX
from ems_admin.workflows.ports.engine import Activity

ACTIVITY: Final = {
    Doing.CREATED: Activity.ACTIVE,
    Doing.RUNNING: Activity.ACTIVE,
    Doing.RESTARTING: Activity.ACTIVE,
    Doing.PAUSED: Activity.UNKNOWN,
    Doing.UNKNOWN: Activity.UNKNOWN,
    Doing.EXITED: Activity.INACTIVE,
}


async def replacement_activity(daemon: Daemon, operation_id: str | None) -> Activity:
    """Ask for the updaters of an operation, by their labels; without one, for whatever is named like an updater."""
    try:
        async with daemon.asked() as docker:
            if operation_id is None:
                found = await named_like(docker, UPDATER_PREFIX)
            else:
                found = await labelled(docker, f"{OPERATION}={operation_id}")
    except (UnaskedError, DockerError, ValueError, TypeError, AttributeError):
        return Activity.UNKNOWN  # also a list that makes no sense
    return activity_of(found)


def activity_of(updaters: tuple[Container, ...]) -> Activity:
    """Judge the updaters that were seen: one that runs decides, then one that nobody can tell."""
    said = {ACTIVITY[one.doing] for one in updaters}
    return next((one for one in (Activity.ACTIVE, Activity.UNKNOWN) if one in said), Activity.INACTIVE)
