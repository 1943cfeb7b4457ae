"""The new Admin: created under the old name, started at most three times, kept or removed.

It is known by the attempt that it was started for, which its environment names: whoever created it, noted or not, finds
it again. Source: `replacement.md` 7.4 (U7, U8, U12, Rollback); `faults.md` F25, F30, F31, F32, F34.
"""

from __future__ import annotations

from typing import Final

from aiodocker.exceptions import DockerError
from attrs import frozen

from ems_admin.docker.containers import Container, Doing
from ems_admin.docker.daemon import CONFLICT, NOT_FOUND
from ems_admin.docker.labels import STARTED_FOR
from ems_admin.docker.own_container import is_own
from ems_admin.docker.replacement.acts import ENDED, NOT_DONE, Acts, is_taken, networks_of, refused
from ems_admin.docker.replacement.addresses import Seeker
from ems_admin.docker.replacement.limits import POLL
from ems_admin.docker.replacement.making_way import MakingWay
from ems_admin.docker.replacement.recreation import Creation, successor_of
from ems_admin.docker.replacement.snapshot import Remembered
from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import Run
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.replacement import Moved, Silence

START_FAILED: Final = Code.REPLACEMENT_START_FAILED


@frozen(kw_only=True)
class Successor:
    """What is done with the new Admin. Every act raises `UnaskedError` when nobody answers."""

    acts: Acts
    seeker: Seeker
    way: MakingWay
    own: str | None

    async def find(self, run: Run, name: str) -> Container | None:
        """Find the Admin of this very attempt: by its noted id, else under the name that it was created with."""
        for which in (run.successor.id if run.successor else None, name):
            found = await self.acts.look(which) if which else None
            if found is not None and started_for(found) == mark(run):
                return found
        return None

    async def create(self, run: Run, old: Remembered) -> Container | EngineFailure | Silence:
        """Create it, or find it; then see that it is in all its networks."""
        wanted = successor_of(old, mark(run))
        found = await self.find(run, wanted.name) or await self._created(run, wanted)
        return await self._in_networks(found, wanted) if isinstance(found, Container) else found

    async def start(self, run: Run, old: Remembered) -> Moved:
        """Start it, until it answers somebody or has been started too often."""
        clock, limits = self.acts.clock, self.acts.limits
        free = clock.boottime() + limits.taken.total_seconds()
        up: float | None = None
        begun: int | None = None
        refusal: DockerError | None = None
        left = tuple[str, ...]()
        while (new := await self.find(run, old.name)) is not None:
            if new.doing is Doing.RUNNING:
                await self.way.back(left)
                left = ()
                up = up or clock.boottime() + limits.up.total_seconds()
                if clock.boottime() >= up or await self.seeker.answers(new):
                    return Done()
                await clock.sleep(POLL)
                continue
            if new.doing not in ENDED:
                await self.acts.thaw(new)
                await clock.sleep(POLL)
                continue
            if begun is None:
                begun = await self.acts.starts_of(new)
            if begun >= limits.starts:
                return await self._failed(new, refusal)
            refusal = await self.acts.start(new)
            if refusal is None or not is_taken(refusal):
                begun += 1  # also when the daemon could not
            elif clock.boottime() >= free:
                return refused(START_FAILED, refusal, "port")
            else:
                left = left or await self.way.out(old)
            await clock.sleep(POLL)
        return EngineFailure(code=START_FAILED, detail="absent")

    async def unfence(self, run: Run, old: Remembered) -> Moved:
        """Give it the policy of the old one, and see that it runs."""
        new = await self.find(run, old.name)
        if new is None:
            return EngineFailure(code=START_FAILED, detail="absent")
        guarded = await self.acts.see_policy(new, old.policy)
        if not isinstance(guarded, Done) or new.doing is Doing.RUNNING:
            return guarded
        await self.acts.thaw(new)
        refusal = await self.acts.start(new)
        left = await self.acts.look(new.id)
        return Done() if left is not None and left.runs else refused(START_FAILED, refusal)

    async def remove(self, run: Run, name: str) -> Moved:
        """Stop and remove it; one that cannot be stopped is removed all the same, for it is ours."""
        new = await self.find(run, name)
        if new is None:
            return Done()
        if is_own(new, self.own):
            return EngineFailure(code=Code.OWN_CONTAINER_PROTECTED)
        await self.acts.thaw(new)
        unstoppable = new.runs and await self.acts.stop(new) is not None
        refusal = await self.acts.remove(new, force=unstoppable)
        return Done() if await self.acts.gone(new) else refused(NOT_DONE, refusal, "remove")

    async def _created(self, run: Run, wanted: Creation) -> Container | EngineFailure | Silence:
        """Create it; a name whose holder nobody finds is waited for (F31)."""
        clock = self.acts.clock
        deadline = clock.boottime() + self.acts.limits.name.total_seconds()
        while True:
            holder = await self.acts.look(wanted.name)
            if holder is not None:
                ours = started_for(holder) == mark(run)
                return holder if ours else EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail=wanted.name)
            refusal = await self.acts.create(wanted.name, wanted.body)
            if refusal is None:
                continue
            if refusal.status == NOT_FOUND and await self.acts.image(str(wanted.body["Image"])) is None:
                return EngineFailure(code=Code.IMAGE_UNAVAILABLE)
            if refusal.status != CONFLICT:
                return refused(START_FAILED, refusal, "create")
            if clock.boottime() >= deadline:
                return Silence()
            await clock.sleep(POLL)

    async def _in_networks(self, new: Container, wanted: Creation) -> Container | EngineFailure | Silence:
        """Complete what a cut has left half connected; what cannot be completed does not stay."""
        for network in sorted(wanted.networks.keys() - networks_of(new)):
            refusal = await self.acts.connect(new, network, wanted.networks[network])
            left = await self.acts.look(new.id)
            if left is None or network not in networks_of(left):
                await self.acts.remove(new)
                return refused(START_FAILED, refusal, "network")
        return new

    async def _failed(self, new: Container, refusal: DockerError | None) -> EngineFailure:
        """Tell its last words; of one that never came so far, the daemon's."""
        if refusal is not None:
            return refused(START_FAILED, refusal)
        return EngineFailure(code=START_FAILED, message=await self.acts.words_of(new), exit_code=new.exit_code)


def mark(run: Run) -> str:
    """Name the attempt as the new Admin names it."""
    return f"{run.operation_id}-{run.attempt}"


def started_for(container: Container) -> str | None:
    """Say which attempt a container was created for; `None` for any other."""
    words = (container.said.get("Config") or {}).get("Env") or ()
    found = (word.partition("=") for word in words if isinstance(word, str))
    return next((value for name, _, value in found if name == STARTED_FOR), None)
