# ruff: noqa: ARG002  # the port is wider than this engine: here the target is in the snapshot
"""The hand of the updater on Docker: two containers, one name, and the line that the next start reads.

Every act is decided by looking and may be entered again at any point. Where the daemon does not answer, nothing is
concluded. Source: `replacement.md` 7.4, 7.5; `faults.md` F21, F25, F28, F30, F33, F34.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from datetime import timedelta
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from aiodocker.exceptions import DockerError
from attrs import field, frozen

from ems_admin.docker.containers import Doing
from ems_admin.docker.daemon import Daemon, UnaskedError
from ems_admin.docker.labels import OPERATION, PREDECESSOR, own_name_of
from ems_admin.docker.place import DockerPlace
from ems_admin.docker.replacement import pin, target
from ems_admin.docker.replacement.acts import Acts
from ems_admin.docker.replacement.addresses import Seeker
from ems_admin.docker.replacement.limits import Limits
from ems_admin.docker.replacement.making_way import MakingWay
from ems_admin.docker.replacement.predecessor import Predecessor
from ems_admin.docker.replacement.recreation import NO_RESTART
from ems_admin.docker.replacement.snapshot import Remembered, Target, remember, remembered
from ems_admin.docker.replacement.successor import Successor, mark
from ems_admin.docker.replacement.verification import Verifying
from ems_admin.engines.admin_health import ExpectedAdmin
from ems_admin.engines.disk import disk_failure
from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import Body, Run
from ems_admin.machines.records.transition import Transition
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.replacement import Moved, Silence, Snapshot, Verification
from ems_admin.workflows.ports.running import Clock

NO_WAY_BACK: Final = EngineFailure(code=Code.ROLLBACK_NOT_POSSIBLE)
STABLE: Final = timedelta(seconds=10)

P = ParamSpec("P")
T = TypeVar("T")
Act = Callable[Concatenate["DockerMover", P], Coroutine[Any, Any, T]]


def or_silence(act: Act[P, T]) -> Act[P, T | Silence]:
    """Say nothing where the daemon does not answer, or answers what nobody expected."""

    async def asked(self: DockerMover, /, *words: P.args, **named: P.kwargs) -> T | Silence:
        try:
            return await act(self, *words, **named)
        except (UnaskedError, DockerError):
            return Silence()

    asked.__doc__ = act.__doc__
    return asked


@frozen
class DockerMover:
    """Implements `Mover`."""

    daemon: Daemon
    place: DockerPlace
    own: str | None = field(kw_only=True)
    """The id of the container that this process runs in: the updater's, or an Admin's that finishes a walk."""
    clock: Clock = field(kw_only=True)
    limits: Limits = field(kw_only=True, factory=Limits)
    stable: timedelta = field(kw_only=True, default=STABLE)
    """How long a new Admin has to stay well."""

    def container(self) -> str:
        """Give the own id; nothing outside of a container."""
        return self.own or ""

    @or_silence
    async def snapshot(self, transition: Transition) -> Snapshot | EngineFailure:
        """Resolve the target, then take down the Admin that the own label names, with its image proven to be here."""
        async with self.daemon.asked() as docker:
            image = await target.resolve(docker, transition)
        reference = target.reference_of(transition)
        if isinstance(image, EngineFailure) or reference is None:
            return image if isinstance(image, EngineFailure) else target.ABSENT
        here = await self._acts.look(self.own) if self.own else None
        old_id = here.labels.get(PREDECESSOR) if here else None
        old = await self._acts.look(old_id) if old_id else None
        old_image = await self._acts.image(old.image_id) if old else None
        if old is None or old_image is None:
            return NO_WAY_BACK
        if (old.said.get("HostConfig") or {}).get("AutoRemove"):
            return EngineFailure(code=Code.ROLLBACK_NOT_POSSIBLE, detail="auto_remove")  # to stop it is to lose it
        try:
            pinned = await pin.read(self.place)
        except OSError as error:
            return disk_failure(error)
        name = own_name_of(old.name, transition.operation_id)
        named = Target(reference=reference, image_id=image.id)
        taken = remember(old, old_image, name=name, pin=pinned, target=named)
        if not taken.fits:
            return EngineFailure(code=Code.ROLLBACK_NOT_POSSIBLE, detail="too_large")
        return Snapshot(text=taken.text, predecessor=Body(id=old.id, image_id=old.image_id, name=name))

    @or_silence
    async def fence(self, run: Run) -> Moved:
        """Take its restart policy away."""
        return await self._with(run, self._predecessor.fence)

    @or_silence
    async def stop_predecessor(self, run: Run) -> Moved:
        """Stop it, and see that it has stopped."""
        return await self._with(run, self._predecessor.stop)

    @or_silence
    async def set_aside(self, run: Run) -> Moved:
        """Rename it."""
        return await self._with(run, lambda old: self._predecessor.set_aside(old, run.operation_id))

    @or_silence
    async def create_successor(self, run: Run, transition: Transition) -> Body | EngineFailure | Silence:
        """Create it, or find the one that was created for this very attempt."""
        old = remembered(run.snapshot)
        if old is None:
            return NO_WAY_BACK
        new = await self._successor.create(run, old)
        if isinstance(new, EngineFailure | Silence):
            return new
        return Body(id=new.id, image_id=new.image_id, name=new.name)

    @or_silence
    async def start_successor(self, run: Run) -> Moved:
        """Start it, until it answers."""
        return await self._with(run, lambda old: self._successor.start(run, old))

    @or_silence
    async def verify_successor(self, run: Run, transition: Transition) -> Verification | EngineFailure:
        """Ask it at the published address, else at its own, and compare it with the snapshot."""
        old = remembered(run.snapshot)
        if old is None:
            return NO_WAY_BACK
        verifying = Verifying(acts=self._acts, seeker=self._seeker, successor=self._successor, stable=self.stable)
        expected = ExpectedAdmin(build_id=transition.build_id, revision=transition.revision, started_for=mark(run))
        return await verifying.verify(run, old, expected)

    async def name_successor(self, run: Run) -> Moved:
        """Let `.env.admin` name its image as it was resolved."""
        return await self._with(run, lambda old: pin.name(self.place, old.target.reference))

    @or_silence
    async def unfence_successor(self, run: Run) -> Moved:
        """Give it the policy of the old one, and see that it runs."""
        return await self._with(run, lambda old: self._successor.unfence(run, old))

    @or_silence
    async def remove_predecessor(self, run: Run) -> Moved:
        """Remove the recorded container alone, while the new Admin is seen to run."""
        old = remembered(run.snapshot)
        if old is None:
            return NO_WAY_BACK
        new = await self._successor.find(run, old.name)
        if new is None or new.doing is not Doing.RUNNING:
            return EngineFailure(code=Code.REPLACEMENT_START_FAILED, detail="process")
        return await self._predecessor.remove(old)

    @or_silence
    async def remove_successor(self, run: Run) -> Moved:
        """Stop and remove it, if it is there."""
        old = remembered(run.snapshot)
        return Done() if old is None else await self._successor.remove(run, old.name)

    @or_silence
    async def restore_predecessor(self, run: Run) -> Moved:
        """Let it serve again as it did; then let `.env.admin` say what it said."""
        old = remembered(run.snapshot)
        if old is None:
            return NO_WAY_BACK
        restored = await self._predecessor.restore(old)
        named = await pin.restore(self.place, old.pin)
        return named if isinstance(restored, Done) else restored

    @or_silence
    async def running_image(self, run: Run) -> str | None:
        """Name what runs under the old name."""
        found = await self._acts.look(run.predecessor.name) if run.predecessor else None
        return found.image_id if found is not None and found.doing is Doing.RUNNING else None

    @or_silence
    async def revive_predecessor(self) -> Moved:
        """Start the Admin that the own label names, if nobody serves under its name."""
        here = await self._acts.look(self.own) if self.own else None
        old_id = here.labels.get(PREDECESSOR) if here else None
        if here is None or old_id is None:
            return NO_WAY_BACK
        return await self._predecessor.revive(old_id, here.labels.get(OPERATION, ""))

    @or_silence
    async def retire(self) -> Moved:
        """Keep the own container from being started again, if it is an updater's."""
        here = await self._acts.look(self.own) if self.own else None
        if here is None or OPERATION not in here.labels:
            return Done()
        return await self._acts.see_policy(here, NO_RESTART)

    @property
    def _acts(self) -> Acts:
        return Acts(daemon=self.daemon, clock=self.clock, limits=self.limits)

    @property
    def _seeker(self) -> Seeker:
        return Seeker(acts=self._acts, own=self.own)

    @property
    def _predecessor(self) -> Predecessor:
        return Predecessor(acts=self._acts, way=self._way, own=self.own)

    @property
    def _successor(self) -> Successor:
        return Successor(acts=self._acts, seeker=self._seeker, way=self._way, own=self.own)

    @property
    def _way(self) -> MakingWay:
        return MakingWay(acts=self._acts, own=self.own)

    async def _with(self, run: Run, act: Callable[[Remembered], Awaitable[Moved]]) -> Moved:
        """Act on what the snapshot says."""
        old = remembered(run.snapshot)
        return NO_WAY_BACK if old is None else await act(old)
