"""How an Admin is replaced on this engine: what the Admin dispatches with, and what its updater moves with.

Both go by looking: every act may be asked for again, and a wished condition is success however it came about. A
container of Docker and a detached process of the native engine are the same thing here. Source: `replacement.md`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol, TypeAlias

from attrs import field, frozen

from ems_admin.machines.alignment.facts import OwnName
from ems_admin.machines.records.replacement import Body, Run, UpdaterExit
from ems_admin.machines.records.transition import Transition
from ems_admin.workflows.ports.engine import Activity, Done, EngineFailure, Report


class UpdaterState(StrEnum):
    """What the engine shows of an updater."""

    ABSENT = "absent"
    """Proven: the engine answered."""
    CREATED = "created"
    RUNNING = "running"
    RESTARTING = "restarting"
    EXITED = "exited"
    UNKNOWN = "unknown"
    """No answer, or one that says nothing (paused, malformed)."""


@frozen(kw_only=True)
class SeenUpdater:
    """The updater of the last attempt as it was just seen; a running one of an earlier attempt counts as it."""

    state: UpdaterState
    restarts: int = 0
    exit: UpdaterExit | None = None


@frozen(kw_only=True)
class Launch:
    """One updater that is to come into being. It reads all else from the records."""

    operation_id: str
    attempt: int
    container: str
    """Its name."""
    image: str | None
    """The image id of the Admin that launches it; null natively."""


@frozen(kw_only=True)
class Unstarted:
    """An updater that was created and never started, as it says itself."""

    operation_id: str
    attempt: int


@frozen(kw_only=True)
class Silence:
    """The engine gave no answer: nothing is concluded, and the walk waits."""


@frozen(kw_only=True)
class Snapshot:
    """All that a rollback needs, complete."""

    text: str = field(repr=False)
    """Canonical JSON, with the bytes that name the running Admin for the next start."""
    predecessor: Body


@frozen(kw_only=True)
class Verification:
    """The successor was seen healthy from outside."""

    published: bool
    """At the published address; otherwise at its own."""


Moved: TypeAlias = Done | EngineFailure | Silence


class Launcher(Protocol):
    """The hand of the Admin that is to be replaced (`replacement.md` 7.2, 7.3, 7.5, 7.6)."""

    async def prepare(self, transition: Transition, report: Report) -> Done | EngineFailure:
        """Make everything ready that can be while the operation may still be cancelled; nothing that runs is touched.

        Reports the steps `place`, `image`, `digest`, `smoke`, in this order.
        """
        ...

    async def own_image(self) -> str | None:
        """Name the image id of the Admin that runs; `None` natively."""
        ...

    async def own_name(self, operation_id: str) -> OwnName:
        """Say whether this Admin still bears its own name, or was set aside for the operation."""
        ...

    async def look(self, operation_id: str, attempt: int, *, claimed: bool) -> SeenUpdater:
        """Look for the updater of this attempt; `claimed` is what B1 says, which a lock cannot tell by itself."""
        ...

    async def others(self, operation_id: str) -> Activity:
        """Say whether an updater of *another* operation runs."""
        ...

    async def unstarted(self) -> tuple[Unstarted, ...] | None:
        """Name every updater of this site that was never started, whosever it is; `None` when that cannot be asked.

        For a site whose records name none any more: an updater is found by its own labels then.
        """
        ...

    async def create(self, launch: Launch) -> Done | EngineFailure:
        """Create the updater without starting it (R3). What came of it is settled by looking."""
        ...

    async def start(self, launch: Launch) -> Done | EngineFailure:
        """Start it (R4). What came of it is settled by looking."""
        ...

    async def discard(self, operation_id: str, attempt: int) -> Done | EngineFailure:
        """Remove an updater without force: one that runs stays, and is `replacement_active`."""
        ...

    async def quell(self, operation_id: str, attempt: int) -> Done | EngineFailure:
        """Keep an updater from being started again, and stop it."""
        ...

    async def forget(self, operation_id: str) -> Done | EngineFailure:
        """Remove the updaters that were kept as evidence of an operation that is over (`faults.md` D10)."""
        ...


class Mover(Protocol):
    """The hand of the updater (`replacement.md` 7.4), and of whoever finishes its walk."""

    def container(self) -> str:
        """Give its own id."""
        ...

    async def snapshot(self, transition: Transition) -> Snapshot | EngineFailure | Silence:
        """Resolve the target locally and take down everything about the running Admin (U3). Touches nothing."""
        ...

    async def fence(self, run: Run) -> Moved:
        """Keep the engine from starting the old Admin by itself (U4)."""
        ...

    async def stop_predecessor(self, run: Run) -> Moved:
        """Stop it, and see that it has stopped (U5)."""
        ...

    async def set_aside(self, run: Run) -> Moved:
        """Take its name away (U6). `container_name_conflict` when a stranger bears the name for the set-aside."""
        ...

    async def create_successor(self, run: Run, transition: Transition) -> Body | EngineFailure | Silence:
        """Create the new Admin under the old name, or find the one that was created for this very attempt (U7)."""
        ...

    async def start_successor(self, run: Run) -> Moved:
        """Start it, at most three times (U8). `replacement_start_failed` with its last words."""
        ...

    async def verify_successor(self, run: Run, transition: Transition) -> Verification | EngineFailure | Silence:
        """See from outside that it is whole, the target, started for this very attempt, and stays so (U9)."""
        ...

    async def name_successor(self, run: Run) -> Moved:
        """Let the next start of the host find the new Admin (U11). Read from the run record: B1 may be past this."""
        ...

    async def unfence_successor(self, run: Run) -> Moved:
        """Give the new Admin the restart policy of the old one (U12), and see that it runs.

        A host that rebooted since it was verified has left it stopped: nothing but this walk would start it.
        """
        ...

    async def remove_predecessor(self, run: Run) -> Moved:
        """Remove the old Admin, and none of its data (U13)."""
        ...

    async def remove_successor(self, run: Run) -> Moved:
        """Roll back: stop and remove the new Admin, if it is there, even one that was created and never noted."""
        ...

    async def restore_predecessor(self, run: Run) -> Moved:
        """Roll back: the old Admin bears its own name again and runs, with its own policy, and will at the next start.

        Everything is read from the snapshot.
        """
        ...

    async def running_image(self, run: Run) -> str | Silence | None:
        """Name the image id of the Admin that runs under the old name; natively the digest of its program tree."""
        ...

    async def revive_predecessor(self) -> Moved:
        """Start the Admin that the own label names, if none serves: all that is left without a run record."""
        ...

    async def retire(self) -> Moved:
        """Keep this updater from being started again: its last act."""
        ...
