"""The old Admin: fenced, stopped and set aside; brought back as it was; removed when nobody needs it any more.

It is addressed by its id. Who stopped or removed it by hand meanwhile has done what was to be done, or is undone from
the snapshot. Source: `replacement.md` 7.4 (U4 to U6, U13, Rollback); `faults.md` F27, F30, F32, F33.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.docker.containers import Container, Doing
from ems_admin.docker.daemon import CONFLICT
from ems_admin.docker.labels import own_name_of, set_aside_name
from ems_admin.docker.own_container import is_own
from ems_admin.docker.replacement.acts import ENDED, NOT_DONE, Acts, is_taken, networks_of, refused
from ems_admin.docker.replacement.limits import POLL
from ems_admin.docker.replacement.making_way import MakingWay
from ems_admin.docker.replacement.recreation import NO_RESTART, predecessor_again
from ems_admin.docker.replacement.snapshot import Remembered
from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.replacement import Moved, Silence

PROTECTED: Final = EngineFailure(code=Code.OWN_CONTAINER_PROTECTED)


@frozen(kw_only=True)
class Predecessor:
    """What is done with the old Admin. Every act raises `UnaskedError` when nobody answers."""

    acts: Acts
    way: MakingWay
    own: str | None
    """The container of this very process."""

    async def fence(self, old: Remembered) -> Moved:
        """Keep the engine from starting it: one that was stopped through the API comes back at a reboot otherwise."""
        found = await self.acts.look(old.id)
        return Done() if found is None else await self.acts.see_policy(found, NO_RESTART)

    async def stop(self, old: Remembered) -> Moved:
        """Stop it."""
        found = await self.acts.look(old.id)
        if found is None or found.doing in ENDED:
            return Done()
        if is_own(found, self.own):
            return PROTECTED
        await self.acts.thaw(found)
        refusal = await self.acts.stop(found)
        left = await self.acts.look(old.id)
        if left is None or left.doing in ENDED:
            return Done()
        return refused(NOT_DONE, refusal, "stop")

    async def set_aside(self, old: Remembered, operation_id: str) -> Moved:
        """Take its name away."""
        found = await self.acts.look(old.id)
        return Done() if found is None else await self._rename(found, set_aside_name(old.name, operation_id))

    async def restore(self, old: Remembered) -> Moved:
        """Let it run under its own name and with its own policy.

        It serves before anything else: where somebody has taken its name, that alone is left to be tried again.
        """
        found = await self.acts.look(old.id) or await self._created_again(old)
        if not isinstance(found, Container):
            return found
        named = await self._rename(found, old.name)
        started = await self._start(found, old)
        if not isinstance(started, Done):
            return started
        guarded = await self.acts.see_policy(found, old.policy)
        return guarded if not isinstance(guarded, Done) else named

    async def revive(self, predecessor_id: str, operation_id: str) -> Moved:
        """Start it, if nobody serves under its name: without a snapshot nothing else is known of it."""
        found = await self.acts.look(predecessor_id)
        if found is None:
            return EngineFailure(code=Code.ROLLBACK_NOT_POSSIBLE)
        name = own_name_of(found.name, operation_id)
        holder = await self.acts.look(name)
        if found.runs or (holder is not None and holder.runs):
            return Done()
        if holder is None:
            await self._rename(found, name)
        return await self._start(found, None)

    async def remove(self, old: Remembered) -> Moved:
        """Remove it without force; its volumes stay."""
        stopped = await self.stop(old)
        found = await self.acts.look(old.id)
        if found is None or not isinstance(stopped, Done):
            return stopped
        refusal = await self.acts.remove(found)
        return Done() if await self.acts.gone(found) else refused(NOT_DONE, refusal, "remove")

    async def _created_again(self, old: Remembered) -> Container | EngineFailure | Silence:
        """Create what somebody has removed: the snapshot is complete, and the image was proven to be here."""
        wanted = predecessor_again(old)
        refusal = await self.acts.create(wanted.name, wanted.body)
        found = await self.acts.look(wanted.name)
        if found is None or found.image_id != old.image_id:
            return refused(Code.ROLLBACK_NOT_POSSIBLE, refusal)
        for network in wanted.networks.keys() - networks_of(found):
            await self.acts.connect(found, network, wanted.networks[network])
        return found

    async def _start(self, found: Container, old: Remembered | None) -> Moved:
        if found.doing is Doing.RUNNING:
            return Done()
        await self.acts.thaw(found)
        refusal = await self.acts.start(found)
        if refusal is not None and old is not None and "network" in str(refusal.message):
            await self._back_into_networks(found, old)
            refusal = await self.acts.start(found)
        if refusal is not None and old is not None and is_taken(refusal):
            stood = await self.way.out(old)
            refusal = await self.acts.start(found)
            await self.way.back(stood)
        left = await self.acts.look(found.id)
        if left is not None and left.runs:
            return Done()
        return refused(Code.REPLACEMENT_START_FAILED, refusal)

    async def _back_into_networks(self, found: Container, old: Remembered) -> None:
        """A network that somebody has made anew bears the same name, and is another one to the container."""
        for network, endpoint in predecessor_again(old).networks.items():
            await self.acts.disconnect(found, network)
            await self.acts.connect(found, network, endpoint)

    async def _rename(self, found: Container, name: str) -> Moved:
        """Give it a name, and wait a while for one whose holder nobody finds (F31)."""
        clock = self.acts.clock
        deadline = clock.boottime() + self.acts.limits.name.total_seconds()
        while True:
            now = await self.acts.look(found.id)
            if now is None or now.name == name:
                return Done()
            refusal = await self.acts.rename(now, name)
            if refusal is None:
                continue
            if refusal.status != CONFLICT:
                return refused(NOT_DONE, refusal, "rename")
            holder = await self.acts.look(name)
            if holder is not None and holder.id != found.id:
                return EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail=name)
            if clock.boottime() >= deadline:
                return Silence()
            await clock.sleep(POLL)
