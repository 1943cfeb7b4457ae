"""B0 as the browser may see it: identity and progress, no path and no secret.

Source: `seed 000` 5.3, 6.2.
"""

from __future__ import annotations

from ems_admin.machines.kernel import Refusal, Refused
from ems_admin.machines.records.reading import Absent, Present, Unreadable
from ems_admin.machines.records.setup import GuidedSetup
from ems_admin.machines.setup.facts import RECONCILE_REVIEW, Moment
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.standing import setup_unreadable


async def read_setup(house: House) -> GuidedSetup | Refusal | None:
    """Read B0 for a view; a record that cannot be read is the refusal that says so.

    The one permitted write on reading is tried here: a review that only ever named files of the installed system is
    settled, which changes the record and no file. When that write fails, the read still answers.
    """
    reading = await house.records.setup.read()
    match reading:
        case Absent():
            return None
        case Unreadable():
            return setup_unreadable(reading)
        case Present(record=record):
            settled = house.records.setup.regions.decide(record, RECONCILE_REVIEW, Moment(now=house.clock.now()))
            if isinstance(settled, Refused) or settled.record is record:
                return record  # nothing to settle: then not even a lock is taken
            try:
                return await house.records.setup.decide(RECONCILE_REVIEW, Moment(now=house.clock.now()))
            except RefusalError:
                return record
