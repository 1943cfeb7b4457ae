# ruff: noqa: ARG002  # the port is wider than this engine: a program has neither name nor policy, and its tree stays
"""The hand of the updater natively: two processes and a pointer between them.

Source: `replacement.md` 7.4, 7.8; `faults.md` F21, F27, F28, F30, F33, F34.
"""

from __future__ import annotations

import asyncio
import os

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.replacement import Body, Run
from ems_admin.machines.records.transition import Transition
from ems_admin.native.ending import end_process
from ems_admin.native.processes import Unaskable
from ems_admin.native.replacement import trees
from ems_admin.native.replacement.admins import Admins, Role, Wanted
from ems_admin.native.replacement.incumbent import FORMAT, Incumbent, Remembered, remembered
from ems_admin.native.replacement.pointer import Pointer
from ems_admin.native.replacement.sight import running_tree
from ems_admin.native.replacement.verification import expected, verify
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.replacement import Moved, Silence, Snapshot, Verification

NAME = "ems-admin"
"""What every Admin is called where nothing bears a name."""
NO_WAY_BACK = EngineFailure(code=Code.ROLLBACK_NOT_POSSIBLE)


@frozen(kw_only=True)
class NativeMover:
    """Implements `Mover`."""

    admins: Admins
    pointer: Pointer
    told: Incumbent | None
    """What the old Admin left for this updater: its label. `None` in an Admin, which takes no snapshot."""
    own: str | None = None
    """The digest of the program that this Admin runs from; `None` in an updater."""

    def container(self) -> str:
        """Name this process."""
        return str(os.getpid())

    async def snapshot(self, transition: Transition) -> Snapshot | EngineFailure | Silence:
        """Hold both programs against their digests, and take down the old Admin and the pointer."""
        place, told = self.admins.place, self.told
        target = trees.tree_of(place, transition.build_id)
        if target is None:
            return EngineFailure(code=Code.IMAGE_UNAVAILABLE, detail=transition.build_id)
        if not await asyncio.to_thread(trees.is_whole, target, transition.admin_digest):
            return EngineFailure(code=Code.IMAGE_DIGEST_MISMATCH, detail=transition.build_id)
        if told is None:
            return NO_WAY_BACK
        old = trees.tree_of(place, told.build_id)
        if old is None or not await asyncio.to_thread(trees.is_whole, old, told.digest):
            return NO_WAY_BACK
        reading = await self.pointer.read()
        # One that nobody could read named nobody: going back then leaves none.
        before = reading.record if isinstance(reading, Present) else None
        taken = Remembered(format_version=FORMAT, incumbent=told, pointer=before)
        body = Body(id=f"{told.pid}-{told.start_ticks}", image_id=told.digest, name=NAME)
        return Snapshot(text=taken.text, predecessor=body)

    async def fence(self, run: Run) -> Moved:
        """Whoever starts the site meets the lock of this updater first: nothing else starts a program by itself."""
        return Done()

    async def stop_predecessor(self, run: Run) -> Moved:
        """End exactly the process that was taken down, and see that the site is free."""
        before = remembered(run.snapshot)
        if before is None:
            return NO_WAY_BACK
        if before.incumbent.pid == os.getpid():
            raise RuntimeError("an Admin does not stop itself")
        admins = self.admins
        try:
            await end_process(admins.processes, before.incumbent.identity, grace=admins.limits.grace)
            if await asyncio.to_thread(admins.find, self._mark(Role.SUCCESSOR, run)) is not None:
                return Done()  # an entry before this one has come further
        except Unaskable:
            return Silence()
        return await admins.site_is_free()

    async def set_aside(self, run: Run) -> Moved:
        """A program has no name to take away."""
        return Done()

    async def create_successor(self, run: Run, transition: Transition) -> Body | EngineFailure | Silence:
        """Switch the pointer: from here on whoever starts the site runs the new program."""
        before = remembered(run.snapshot)
        if before is None:
            return NO_WAY_BACK
        switched = await self.pointer.switch(
            transition.build_id, previous=before.incumbent.build_id, operation_id=run.operation_id
        )
        if not isinstance(switched, Done):
            return switched
        return Body(id=transition.build_id, image_id=transition.admin_digest, name=NAME)

    async def start_successor(self, run: Run) -> Moved:
        """Start the program that the pointer names, where the old one was served."""
        before, build_id = remembered(run.snapshot), run.successor.id if run.successor else ""
        tree = trees.tree_of(self.admins.place, build_id)
        if before is None or tree is None:
            return EngineFailure(code=Code.IMAGE_UNAVAILABLE, detail=build_id)
        mark = self._mark(Role.SUCCESSOR, run)
        wanted = Wanted(tree=tree, like=before.incumbent, mark=mark, started_for=started_for(run))
        return await self.admins.run(wanted)

    async def verify_successor(self, run: Run, transition: Transition) -> Verification | EngineFailure | Silence:
        """Ask it at the address of the old one."""
        before = remembered(run.snapshot)
        if before is None:
            return NO_WAY_BACK
        mark = self._mark(Role.SUCCESSOR, run)
        return await verify(
            self.admins, expected(transition, mark=mark, url=before.incumbent.url, started_for=started_for(run))
        )

    async def name_successor(self, run: Run) -> Moved:
        """The pointer has named it since it was created."""
        return Done()

    async def unfence_successor(self, run: Run) -> Moved:
        """Start it once more if a loss of power has taken it since: that is all that keeps a native Admin alive.

        Whether that works or not, the walk goes on: whoever starts the site runs what the pointer names.
        """
        try:
            if self.admins.owner() is not None:
                return Done()
        except OSError:
            return Silence()
        started = await self.start_successor(run)
        return started if isinstance(started, Silence) else Done()

    async def remove_predecessor(self, run: Run) -> Moved:
        """Its process is gone, and its tree stays: it is what `previous` names."""
        return Done()

    async def remove_successor(self, run: Run) -> Moved:
        """Stop the new Admin."""
        return await self.admins.end(self._mark(Role.SUCCESSOR, run))

    async def restore_predecessor(self, run: Run) -> Moved:
        """Switch the pointer back first, so that nobody starts the new program any more; then see the old one run."""
        before = remembered(run.snapshot)
        if before is None:
            return Done()  # nothing was touched
        moved = await self.pointer.put_back(before.pointer)
        if isinstance(moved, Done):
            moved = await self.remove_successor(run)
        return moved if not isinstance(moved, Done) else await self._serve(before.incumbent, run)

    async def running_image(self, run: Run) -> str | Silence | None:
        """Name the digest of the tree that the owner of the site runs from."""
        before = remembered(run.snapshot)
        if before is None:
            return None
        return await asyncio.to_thread(running_tree, self.admins, before.incumbent, self.own)

    async def revive_predecessor(self) -> Moved:
        """Start the Admin that launched this updater, if nobody serves."""
        if self.told is None:
            return NO_WAY_BACK
        return await self._serve(self.told, None)

    async def retire(self) -> Moved:
        """Nothing starts an updater again but an open walk."""
        return Done()

    async def _serve(self, old: Incumbent, run: Run | None) -> Moved:
        """See that an Admin serves: this one, the old one that never ended, or the old one started as it was.

        Nobody stops a stranger who owns the site: who it is, is seen next.
        """
        admins = self.admins
        mark = self._mark(Role.PREDECESSOR, run) if run else admins.mark(Role.PREDECESSOR, old.build_id, 0)
        try:
            # One that has been asked to end may own the site for a while yet, and answers no more.
            if old.pid == os.getpid() or await admins.is_up(old.url, old.identity):
                return Done()
            if admins.owner() is not None and await asyncio.to_thread(admins.find, mark) is None:
                return Done()
        except (OSError, Unaskable):
            return Silence()
        tree = trees.tree_of(admins.place, old.build_id)
        if tree is None:
            return EngineFailure(code=Code.IMAGE_UNAVAILABLE, detail=old.build_id)
        return await admins.run(Wanted(tree=tree, like=old, mark=mark))

    def _mark(self, role: Role, run: Run) -> str:
        return self.admins.mark(role, run.operation_id, run.attempt)


def started_for(run: Run) -> str:
    """Name the attempt as the new Admin names it."""
    return f"{run.operation_id}-{run.attempt}"
