"""The look that an Admin takes at its own replacement, at its start and every ten seconds after that.

Source: `replacement.md` 7.5, 7.7; `faults.md` F28, F41, F42.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from ems_admin.machines.alignment.outlook import goes_on_by_itself
from ems_admin.machines.records.reading import Present
from ems_admin.machines.replacement.reconciling import Reconciling
from ems_admin.machines.upgrade.course import is_upgrade
from ems_admin.workflows.alignment.resume import resume
from ems_admin.workflows.caller import THE_HOUSE
from ems_admin.workflows.house import House
from ems_admin.workflows.jobs import JobStatus
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.replacement.reconcile import reconcile, tidy_up
from ems_admin.workflows.upgrade.resuming import resume_upgrade

EVERY: Final = timedelta(seconds=10)
GOES_ON: Final = frozenset({None, Reconciling.OFFER_RESUME})
"""No replacement is under way, or it has come to the Admin that serves."""


async def keep_watch(house: House) -> None:
    """Look again and again, as long as this Admin runs."""
    while True:
        await house.clock.sleep(EVERY)
        await house.identity.learn()  # an engine that was silent at the start may answer by now
        if house.startup.passed and await look_after(house) in GOES_ON:
            await go_on_by_itself_if_nobody_asks(house)


async def look_after(house: House) -> Reconciling | None:
    """Look once, and say how the replacement stands. What cannot be done now is told, and done by the next look."""
    try:
        verdict = await reconcile(house)
        if verdict is None:
            await tidy_up(house)
    except RefusalError:
        return None  # the journal has it where a record refused; an engine that is silent is shown by the views
    return verdict


async def go_on_by_itself_if_nobody_asks(house: House) -> None:
    """Resume an operation that a token accepted: nobody sits before it (`replacement.md` 7.5, `site.md` 9).

    Step by step, each by one look. What has failed or was stopped in this process has told why, and is not begun again
    behind anybody's back.
    """
    reading = await house.records.transition.read()
    if not isinstance(reading, Present) or not goes_on_by_itself(reading.record):
        return
    operation_id = reading.record.operation_id
    if any(job.operation_id == operation_id and job.status is not JobStatus.SUCCEEDED for job in house.jobs.jobs):
        return
    try:
        if is_upgrade(reading.record):
            await resume_upgrade(house, THE_HOUSE, operation_id)
        else:
            await resume(house, THE_HOUSE, operation_id)
    except RefusalError:
        return  # other work is under way, or the proof failed: B1 says so, and the next look asks again
