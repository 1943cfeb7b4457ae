"""The hand of the updater natively. Source: `replacement.md` 7.8."""

from __future__ import annotations

import os

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import Body, Run
from ems_admin.machines.records.transition import Transition
from ems_admin.native.place import Place
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.replacement import Moved, Silence, Snapshot, Verification

NOT_YET = EngineFailure(code=Code.ROLLBACK_NOT_POSSIBLE)


@frozen(kw_only=True)
class NativeMover:
    """Implements `Mover`."""

    place: Place

    def container(self) -> str:
        """Name this process."""
        return str(os.getpid())

    async def snapshot(self, transition: Transition) -> Snapshot | EngineFailure | Silence:
        """Take everything down."""
        return NOT_YET

    async def fence(self, run: Run) -> Moved:
        """Nothing starts a program by itself."""
        return Done()

    async def stop_predecessor(self, run: Run) -> Moved:
        """Stop the old Admin."""
        return NOT_YET

    async def set_aside(self, run: Run) -> Moved:
        """A program has no name to take away."""
        return Done()

    async def create_successor(self, run: Run, transition: Transition) -> Body | EngineFailure | Silence:
        """Switch the pointer."""
        return NOT_YET

    async def start_successor(self, run: Run) -> Moved:
        """Start the new Admin."""
        return NOT_YET

    async def verify_successor(self, run: Run, transition: Transition) -> Verification | EngineFailure | Silence:
        """Ask it at its address."""
        return NOT_YET

    async def name_successor(self, run: Run) -> Moved:
        """The pointer says so already."""
        return Done()

    async def unfence_successor(self, run: Run) -> Moved:
        """There is no policy."""
        return Done()

    async def remove_predecessor(self, run: Run) -> Moved:
        """Its tree stays."""
        return Done()

    async def remove_successor(self, run: Run) -> Moved:
        """Stop the new Admin."""
        return NOT_YET

    async def restore_predecessor(self, run: Run) -> Moved:
        """Switch the pointer back and start the old Admin."""
        return NOT_YET

    async def running_image(self, run: Run) -> str | Silence | None:
        """Name the tree that runs."""
        return None

    async def revive_predecessor(self) -> Moved:
        """Start the program of the label."""
        return NOT_YET

    async def retire(self) -> Moved:
        """Nothing starts it again."""
        return Done()
