"""The processes of Admins and updaters: found by the mark they carry, started detached, ended as exactly themselves.

Source: `replacement.md` 7.8; `faults.md` F28, F30, F34.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Final

from attrs import frozen

from ems_admin.engines.admin_health import HEALTH
from ems_admin.engines.asking import Answer, ask
from ems_admin.engines.disk import disk_failure
from ems_admin.machines.codes import Code
from ems_admin.native import children, logs, sockets
from ems_admin.native.ending import end_process
from ems_admin.native.place import MARKER, Place
from ems_admin.native.processes import Identity, Life, Processes, Unaskable
from ems_admin.native.replacement.incumbent import Incumbent
from ems_admin.native.replacement.trees import AdminTree
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.replacement import Moved, Silence
from ems_admin.workflows.ports.running import Clock

STARTED_FOR: Final = "EMS_ADMIN_STARTED_FOR"
"""`<operation>-<attempt>` in the environment of the Admin that an updater starts."""
EXECUTED: Final = "EMS_ADMIN_EXECUTED"
"""In the environment of a program that runs in the place of the one that was started."""
LOG: Final = "admin"
LINES: Final = 20
POLL: Final = timedelta(milliseconds=100)
NOT_INHERITED: Final = frozenset({STARTED_FOR, EXECUTED, MARKER})


class Role(StrEnum):
    """Whose process it is, as its mark says."""

    SUCCESSOR = "admin"
    PREDECESSOR = "admin-before"
    """The old Admin, started again on the way back."""
    UPDATER = "updater"


@frozen(kw_only=True)
class Limits:
    """How long things may take while an Admin is replaced."""

    grace: timedelta = timedelta(seconds=30)
    """Between the request to end and the kill."""
    starts: int = 3
    """Of one Admin (F34)."""
    up: timedelta = timedelta(seconds=60)
    """Until a started Admin answers; then the verification judges it."""
    taken: timedelta = timedelta(seconds=30)
    """For a port, or a site, that somebody else has."""
    launch: timedelta = timedelta(seconds=60)
    """Until an updater holds its lock."""
    well: timedelta = timedelta(seconds=60)
    """Until an Admin that answers is well."""
    stable: timedelta = timedelta(seconds=10)
    """How long it has to stay so (F22)."""


@frozen(kw_only=True)
class Wanted:
    """An Admin that is to run: from which program, like whom, and under which mark."""

    tree: AdminTree
    like: Incumbent
    mark: str
    started_for: str | None = None


@frozen(kw_only=True)
class Admins:
    """The processes of one site. `owner` gives the pid that holds the site lock; it raises `OSError`."""

    place: Place
    processes: Processes
    clock: Clock
    owner: Callable[[], int | None]
    limits: Limits

    def mark(self, role: Role, operation_id: str, attempt: int) -> str:
        """Say what the processes of one role carry, of one attempt."""
        return self.place.marker(role, f"{operation_id}-{attempt}")

    def find(self, mark: str) -> Identity | None:
        """Find the living process of a mark, never this one. Raises `Unaskable`."""
        found = (one for one in self.processes.carriers(mark) if one.pid != os.getpid())
        return next(found, None)

    async def end(self, mark: str) -> Moved:
        """End every process of a mark."""
        try:
            while found := await asyncio.to_thread(self.find, mark):
                await end_process(self.processes, found, grace=self.limits.grace)
        except Unaskable:
            return Silence()
        return Done()

    async def site_is_free(self) -> Moved:
        """Wait until nobody owns the site. Who goes on owning it is a stranger: `site_locked`."""
        deadline = self.clock.boottime() + self.limits.taken.total_seconds()
        while True:
            try:
                if self.owner() is None:
                    return Done()
            except OSError:
                return Silence()
            if self.clock.boottime() >= deadline:
                return EngineFailure(code=Code.SITE_LOCKED)
            await self.clock.sleep(POLL)

    async def run(self, wanted: Wanted) -> Moved:
        """See that an Admin runs and answers: find it, or start it, a few times at most."""
        starts, deadline = 0, self.clock.boottime() + self.limits.taken.total_seconds()
        try:
            found = await self._find(wanted)
            while True:
                if found is None:
                    if not isinstance(blocked := await self._is_unblocked(wanted), Done):
                        return blocked
                    starts += 1
                    found = await self._start(wanted)
                if await self.is_up(wanted.like.url, found):
                    return Done()
                failure = self._ended(found)
                if not sockets.is_free(wanted.like.port) and self.clock.boottime() < deadline:
                    starts -= 1  # somebody else has the port: this start said nothing about the program
                    await self.clock.sleep(POLL)
                elif starts >= self.limits.starts:
                    return failure
                found = await self._find(wanted)
        except Unaskable:
            return Silence()
        except OSError as error:
            return disk_failure(error)

    async def _find(self, wanted: Wanted) -> Identity | None:
        return await asyncio.to_thread(self.find, wanted.mark)

    async def _is_unblocked(self, wanted: Wanted) -> Moved:
        """Wait for the site. Whoever runs what the pointer names meanwhile comes under the same mark."""
        free = await self.site_is_free()
        ours = isinstance(free, EngineFailure) and await self._find(wanted) is not None
        return Done() if ours else free

    async def _start(self, wanted: Wanted) -> Identity:
        if (found := await self._find(wanted)) is not None:
            return found
        log = self.place.log(LOG)
        await asyncio.to_thread(self._begin_chapter, log, f"{wanted.tree.build_id} starts at {self.clock.now()}")
        pid = start(wanted.tree, wanted.like, environment_of(wanted), wanted.like.arguments, log)
        if (born := self.processes.find(pid)) is None:
            raise Unaskable
        return born

    def _begin_chapter(self, log: Path, title: str) -> None:
        log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        logs.keep_within_bounds(log)
        logs.begin_chapter(log, title)

    async def is_up(self, url: str, found: Identity) -> bool:
        """Wait until it answers or has had its time, and say whether it lives. Raises `Unaskable`."""
        deadline = self.clock.boottime() + self.limits.up.total_seconds()
        while (life := self.processes.life(found)) is Life.ALIVE:
            if await ask(url + HEALTH, timedelta(seconds=5)) is Answer.WELL or self.clock.boottime() >= deadline:
                return True
            await self.clock.sleep(POLL)
        if life is Life.UNKNOWN:
            raise Unaskable
        return False

    def _ended(self, found: Identity) -> EngineFailure:
        code = children.exit_code(found.pid)
        said = logs.last_words(self.place.log(LOG), LINES)
        return EngineFailure(code=Code.REPLACEMENT_START_FAILED, exit_code=code, message="\n".join(said) or None)


def environment_of(wanted: Wanted) -> dict[str, str]:
    """Give the environment of an Admin that is started: what this process has, and what the old one had."""
    marks = {MARKER: wanted.mark} | ({STARTED_FOR: wanted.started_for} if wanted.started_for else {})
    return wanted.tree.environment(inherited(os.environ) | wanted.like.environment) | marks


def inherited(environment: Mapping[str, str]) -> dict[str, str]:
    """Leave out what says something about one process alone."""
    return {name: value for name, value in environment.items() if name not in NOT_INHERITED}


def start(
    tree: AdminTree, like: Incumbent, environment: Mapping[str, str], arguments: tuple[str, ...], log: Path
) -> int:
    """Start a program of the Admin detached, with its words in a log. Raises `OSError`."""
    directory = Path(like.directory)
    return children.spawn(
        children.Spawn(
            command=tree.command(like.python, *arguments),
            directory=directory if directory.is_dir() else Path("/"),
            environment=environment,
            log=log,
        )
    )
