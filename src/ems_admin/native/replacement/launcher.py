# ruff: noqa: ARG002  # the port is wider than this engine: natively nothing has a name, and nothing is *created*
"""The hand of the Admin that is replaced natively: what can be tried before, and its updater, told by its lock.

Source: `replacement.md` 7.2, 7.3, 7.8; `faults.md` F20, F21, F24, F35, F37.
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Final

from attrs import field, frozen

from ems_admin.engines.disk import disk_failure
from ems_admin.machines.alignment.facts import OwnName
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import OwnIdentity
from ems_admin.machines.records.replacement import UpdaterExit
from ems_admin.machines.records.transition import Transition
from ems_admin.native import children, logs, updater_locks
from ems_admin.native.place import MARKER, Place
from ems_admin.native.processes import Identity, Life, Unaskable
from ems_admin.native.replacement import incumbent, trees
from ems_admin.native.replacement.admins import LINES, POLL, Admins, Role, inherited, start
from ems_admin.native.replacement.incumbent import Incumbent, Reachable
from ems_admin.native.replacement.pointer import Pointer
from ems_admin.native.replacement.trees import AdminTree
from ems_admin.workflows.ports.engine import Activity, Done, EngineFailure, Progress, Report
from ems_admin.workflows.ports.replacement import Launch, SeenUpdater, Unstarted, UpdaterState

UPDATER_LOG: Final = "updater"
NOT_ASKED: Final = EngineFailure(code=Code.INSTALL_STATE_UNAVAILABLE, detail="updater")


@frozen(kw_only=True)
class NativeLauncher:
    """Implements `Launcher`."""

    admins: Admins
    pointer: Pointer
    own: OwnIdentity | None
    reachable: Reachable
    _born: dict[tuple[str, int], int] = field(factory=dict, init=False, eq=False, repr=False)
    """The pids of the updaters that this very process launched: nobody else can learn how they ended."""

    @property
    def _place(self) -> Place:
        return self.admins.place

    async def prepare(self, transition: Transition, report: Report) -> Done | EngineFailure:
        """Find the own place, bring the new program here, check it, and let it say who it is."""
        report(Progress(step="place"))
        me = await self._incumbent()
        if isinstance(me, EngineFailure):
            return me
        report(Progress(step="image", percent=0))
        brought = await asyncio.to_thread(trees.bring, self._place, transition.system_tag, transition.build_id)
        if isinstance(brought, EngineFailure):
            return brought
        report(Progress(step="digest"))
        tree = trees.tree_of(self._place, transition.build_id)
        if tree is None:
            return EngineFailure(code=Code.IMAGE_UNAVAILABLE, detail=trees.ADMIN)
        if not await asyncio.to_thread(trees.is_whole, tree, transition.admin_digest):
            return EngineFailure(code=Code.IMAGE_DIGEST_MISMATCH, detail=trees.ADMIN)
        report(Progress(step="smoke"))
        answered = await asyncio.to_thread(trees.smoke, tree, sys.executable)
        return answered if isinstance(answered, EngineFailure) else await self._can_go_back(me)

    async def _can_go_back(self, me: Incumbent) -> Done | EngineFailure:
        if isinstance(await asyncio.to_thread(self._own_tree, me), EngineFailure):
            return EngineFailure(code=Code.ROLLBACK_NOT_POSSIBLE, detail=me.build_id)
        return await self.pointer.is_writable()

    async def _incumbent(self) -> Incumbent | EngineFailure:
        """Describe this Admin; one that cannot name itself, or that nobody reaches, cannot be replaced."""
        url = self.reachable.url
        if self.own is None or self.own.digest is None or url is None:
            return EngineFailure(code=Code.ADMIN_UNVERIFIABLE)
        try:
            return await asyncio.to_thread(
                incumbent.this_process, self.own, self.own.digest, url, self.admins.processes
            )
        except Unaskable:
            return EngineFailure(code=Code.SERVICE_MANAGER_UNREACHABLE)

    async def own_image(self) -> str | None:
        """Natively there is none."""
        return None

    async def own_name(self, operation_id: str) -> OwnName:
        """Nothing takes the name of a program."""
        return OwnName.HELD

    async def look(self, operation_id: str, attempt: int, *, claimed: bool) -> SeenUpdater:
        """Look at the locks of the operation; a running updater of an earlier attempt counts as this one."""
        match await asyncio.to_thread(updater_locks.replacement_activity, self._place.state, operation_id):
            case Activity.ACTIVE:
                return SeenUpdater(state=UpdaterState.RUNNING)
            case Activity.UNKNOWN:
                return SeenUpdater(state=UpdaterState.UNKNOWN)
            case Activity.INACTIVE:
                ended = await asyncio.to_thread(self._exit, operation_id, attempt)
                return SeenUpdater(state=UpdaterState.EXITED if claimed else UpdaterState.ABSENT, exit=ended)

    def _exit(self, operation_id: str, attempt: int) -> UpdaterExit | None:
        """Say how it ended, if this Admin was its parent. What killed it, the kernel tells nobody."""
        pid = self._born.get((operation_id, attempt))
        code = None if pid is None else children.exit_code(pid)
        if code is None:
            return None
        return UpdaterExit(code=code, oom=False, log=self._last_words())

    async def others(self, operation_id: str) -> Activity:
        """Ask the locks of every other operation."""
        return await asyncio.to_thread(updater_locks.other_activity, self._place.state, operation_id)

    async def unstarted(self) -> tuple[Unstarted, ...]:
        """There is none: a process that was never started is not there."""
        return ()

    async def create(self, launch: Launch) -> Done | EngineFailure:
        """There is no *created*: a process is there and runs, or it is not."""
        return Done()

    async def start(self, launch: Launch) -> Done | EngineFailure:
        """Start the updater from this Admin's own program, and wait until it holds its lock or has ended."""
        me = await self._incumbent()
        if isinstance(me, EngineFailure):
            return me
        if await self._is_held(launch.operation_id) is Activity.ACTIVE:
            return Done()
        tree = await asyncio.to_thread(self._own_tree, me)
        if isinstance(tree, EngineFailure):
            return tree
        try:
            pid = await asyncio.to_thread(self._spawn, tree, me, launch)
            found = self.admins.processes.find(pid)
        except Unaskable:
            return NOT_ASKED
        except OSError as error:
            return disk_failure(error)
        self._born[(launch.operation_id, launch.attempt)] = pid
        return await self._until_held(launch, found)

    def _own_tree(self, me: Incumbent) -> AdminTree | EngineFailure:
        tree = trees.tree_of(self._place, me.build_id)
        if tree is None or not trees.is_whole(tree, me.digest):
            return EngineFailure(code=Code.IMAGE_UNAVAILABLE, detail=me.build_id)
        return tree

    def _spawn(self, tree: AdminTree, me: Incumbent, launch: Launch) -> int:
        place, operation_id, attempt = self._place, launch.operation_id, launch.attempt
        incumbent.tell(place.state, operation_id, attempt, me)
        log = place.log(UPDATER_LOG)
        log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        logs.keep_within_bounds(log)
        logs.begin_chapter(log, f"updater {operation_id}-{attempt} starts at {self.admins.clock.now()}")
        words = ("--install-root", str(place.install_root), "--data-dir", str(place.admin_data))
        which = ("--operation", operation_id, "--attempt", str(attempt))
        mark = {MARKER: self.admins.mark(Role.UPDATER, operation_id, attempt)}
        environment = tree.environment(inherited(os.environ)) | mark
        return start(tree, me, environment, ("updater", *words, *which), log)

    async def _until_held(self, launch: Launch, found: Identity | None) -> Done | EngineFailure:
        clock, processes = self.admins.clock, self.admins.processes
        deadline = clock.boottime() + self.admins.limits.launch.total_seconds()
        while clock.boottime() < deadline:
            if await self._is_held(launch.operation_id) is Activity.ACTIVE:
                return Done()
            if found is None or processes.life(found) is Life.GONE:
                break
            await clock.sleep(POLL)
        else:
            return NOT_ASKED  # it may still come: looked at again
        code = None if found is None else await asyncio.to_thread(children.exit_code, found.pid)
        if code == 0:
            return Done()  # it has done what there was to do, so quickly that nobody saw it
        message = "\n".join(self._last_words()) or None
        return EngineFailure(code=Code.ADMIN_UPDATE_LAUNCH_FAILED, message=message, exit_code=code)

    async def _is_held(self, operation_id: str) -> Activity:
        return await asyncio.to_thread(updater_locks.replacement_activity, self._place.state, operation_id)

    def _last_words(self) -> tuple[str, ...]:
        return logs.last_words(self._place.log(UPDATER_LOG), LINES)

    async def discard(self, operation_id: str, attempt: int) -> Done | EngineFailure:
        """There is nothing to remove; one that runs stays."""
        match await self._is_held(operation_id):
            case Activity.ACTIVE:
                return EngineFailure(code=Code.REPLACEMENT_ACTIVE)
            case Activity.UNKNOWN:
                return NOT_ASKED
            case Activity.INACTIVE:
                return Done()

    async def quell(self, operation_id: str, attempt: int) -> Done | EngineFailure:
        """Stop it: nothing starts it again but whoever starts the site."""
        ended = await self.admins.end(self.admins.mark(Role.UPDATER, operation_id, attempt))
        return ended if isinstance(ended, Done | EngineFailure) else NOT_ASKED

    async def forget(self, operation_id: str) -> Done | EngineFailure:
        """Remove the lock files of an operation that is over."""
        try:
            await asyncio.to_thread(updater_locks.forget, self._place.state, operation_id)
        except OSError as error:
            return disk_failure(error)
        return Done()
