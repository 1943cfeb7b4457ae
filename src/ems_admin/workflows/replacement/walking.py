"""The walk of the updater that replaces an Admin, from its first look to its last act.

Source: `replacement.md` 7.4, 7.7.
"""

from __future__ import annotations

from ems_admin.workflows.replacement.updating import Updating, WalkEnd


async def walk(updating: Updating) -> WalkEnd:
    """Go on from wherever the walk stands, and end with exactly one Admin.

    Waits for an engine or a disk that gives no answer. Being cancelled means: stop where it is, the next entry goes on.
    """
    raise NotImplementedError
