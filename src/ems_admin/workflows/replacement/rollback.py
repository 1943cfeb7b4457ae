"""The way back: the old Admin runs again under its own name, and B1 says why.

Source: `replacement.md` 7.4, 7.5.
"""

from __future__ import annotations

from ems_admin.machines.records.replacement import Run
from ems_admin.workflows.replacement.updating import Updating


async def bring_back(updating: Updating) -> Run | None:
    """Take back what a dead updater has left, as the Admin of last resort; B1 then carries the code of the walk.

    The caller has proven the updater to be dead, and holds the dispatch lock. Gives the run record as it stands then:
    verified or ended long ago it is left alone; `None` when there is none of this attempt, so that nothing had been
    touched. B1 is not marked then: that is for the caller. Raises `RefusalError` when the engine gives no answer or an
    act fails: whoever comes next goes on.
    """
    raise NotImplementedError
