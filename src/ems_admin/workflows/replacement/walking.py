"""The walk of the updater that replaces an Admin, from its first look to its last act.

Source: `replacement.md` 7.4, 7.7.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.replacement import opening
from ems_admin.workflows.replacement.moving import FORWARD
from ems_admin.workflows.replacement.rollback import BACK
from ems_admin.workflows.replacement.steps import Acts, follow, heard
from ems_admin.workflows.replacement.updating import Updating, WalkEnd

PAUSE: Final = timedelta(seconds=2)
"""Between two tries of a step that could not be taken: the engine is silent, the disk is full."""

ACTS: Final[Acts] = {**FORWARD, **BACK}


async def walk(updating: Updating) -> WalkEnd:
    """Go on from wherever the walk stands, and end with exactly one Admin.

    Waits for an engine or a disk that gives no answer, as long as it takes: an updater that leaves has nobody behind
    it. Being cancelled means: stop where it is, the next entry goes on.
    """
    enter = opening.enter
    while True:
        try:
            found = await enter(updating)
            enter = opening.enter_again  # an entry is counted once, however often it has to look anew
            if isinstance(found, WalkEnd):
                return found
            run = await follow(updating, found, ACTS)
            heard(await updating.mover.retire())
            return WalkEnd(run.step.value)
        except RefusalError:
            await updating.clock.sleep(PAUSE)
