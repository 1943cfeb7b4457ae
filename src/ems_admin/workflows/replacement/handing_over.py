"""The work of a job that hands the Admin over to its updater: prepared first, then dispatched.

Source: `replacement.md` 7.2, 7.3.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.alignment.outlook import is_handed_over
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.running.entries import WorkEntry
from ems_admin.workflows import standing
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.engine import Progress, Report
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.replacement import preparing
from ems_admin.workflows.replacement.dispatch import dispatch, settled_attempts

STEPS: Final = (*preparing.STEPS, ("launch", "Hand over to the updater"))
INTERRUPTIBLE: Final = preparing.INTERRUPTIBLE


async def hand_over(  # noqa: PLR0913  # what a worker is given
    house: House,
    caller: Caller,
    transition: Transition,
    entry: WorkEntry,
    job: Job,
    *,
    retrying: bool,
    report: Report | None = None,
) -> None:
    """Prepare the replacement and have its updater launched, as the worker of `job` under `entry`.

    `retrying` names an operation that has failed: it is prepared as it is, and its retry edge is taken by the dispatch.
    `report` takes the steps in where the job has others. Raises `RefusalError` with what stands against; B1 then says
    the same. A job that is stopped leaves B1 as it is.
    """
    tell = report or job.report
    after = await settled_attempts(house, transition)
    await preparing.prepare(house, caller, transition, tell)
    tell(Progress(step="launch"))
    await standing.still_accepted(house, entry.workflow_id)
    try:
        await dispatch(house, caller, transition, after=after, retrying=retrying)
    except RefusalError:
        await _tell_reconnect(house, job)
        raise
    await _tell_reconnect(house, job)


async def _tell_reconnect(house: House, job: Job) -> None:
    """Let the page look for another Admin as soon as one is waited for, whatever became of the launch."""
    reading = await house.records.transition.read()
    job.reconnect = isinstance(reading, Present) and is_handed_over(reading.record)
    job.changed()
