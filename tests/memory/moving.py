"""The hand of the updater in memory, over the containers of a host. Every act may be asked for again."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from attrs import define

from ems_admin.machines.codes import Code
from ems_admin.machines.records.replacement import Body, Run
from ems_admin.machines.records.transition import Transition
from ems_admin.workflows.ports.engine import Done, EngineFailure
from ems_admin.workflows.ports.replacement import Moved, Silence, Snapshot, Verification
from tests.memory.hands import Hand, aside, started_for
from tests.memory.host import ADMIN_NAME, Container, Kind

PORT_IN_USE = EngineFailure(code=Code.REPLACEMENT_START_FAILED, detail="port")
ENDED_AT_ONCE = EngineFailure(code=Code.REPLACEMENT_START_FAILED, message="it ended at once", exit_code=3)
GONE = EngineFailure(code=Code.ROLLBACK_NOT_POSSIBLE)


@define(kw_only=True)
class MemoryMover(Hand):
    """Implements `Mover`."""

    def container(self) -> str:
        return self.me

    async def snapshot(self, transition: Transition) -> Snapshot | EngineFailure | Silence:
        def snapshot() -> Snapshot | EngineFailure:
            old = self.host.containers.get(self.own.predecessor) if self.own else None
            if old is None:
                return GONE
            text = {"policy": old.restarts_by_itself, "pin": self.host.pin, "target": transition.admin_digest}
            body = Body(id=old.id, image_id=old.image, name=old.name)
            return Snapshot(text=json.dumps(text, sort_keys=True), predecessor=body)

        return await self.act("snapshot", snapshot)

    async def fence(self, run: Run) -> Moved:
        return await self._old("fence", run, _fence)

    async def stop_predecessor(self, run: Run) -> Moved:
        return await self._old("stop old admin", run, self.host.stop)

    async def set_aside(self, run: Run) -> Moved:
        holder = self.host.named(aside(run))
        if holder is not None and holder.kind is Kind.STRANGER:
            return EngineFailure(code=Code.CONTAINER_NAME_CONFLICT, detail=holder.name)
        return await self._old("set aside", run, lambda old: setattr(old, "name", aside(run)))

    async def create_successor(self, run: Run, transition: Transition) -> Body | EngineFailure | Silence:
        def create() -> Body | EngineFailure:
            new = self.host.successor(started_for(run))
            if new is None and self.host.named(ADMIN_NAME) is not None:
                return EngineFailure(code=Code.CONTAINER_NAME_CONFLICT)
            if new is None:
                new = Container(
                    id=f"n-{started_for(run)}",
                    name=ADMIN_NAME,
                    kind=Kind.ADMIN,
                    image=transition.admin_digest,
                    restarts_by_itself=False,
                    started_for=started_for(run),
                    lives=self.host.successor_lives,
                    whole=self.host.successor_is_whole,
                )
                self.host.containers[new.id] = new
            return Body(id=new.id, image_id=new.image, name=new.name)

        return await self.act("create new admin", create)

    async def start_successor(self, run: Run) -> Moved:
        def start() -> Moved:
            new = self.host.successor(started_for(run))
            if new is None:
                return GONE
            return Done() if self.host.start(new) else PORT_IN_USE if new.lives else ENDED_AT_ONCE

        return await self.act("start new admin", start)

    async def verify_successor(self, run: Run, transition: Transition) -> Verification | EngineFailure | Silence:
        def verify() -> Verification | EngineFailure:
            new = self.host.successor(started_for(run))
            seen = new is not None and new.runs and new.whole and new.image == transition.admin_digest
            return Verification(published=True) if seen else EngineFailure(code=Code.HEALTHCHECK_FAILED)

        return await self.act("verify new admin", verify)

    async def name_successor(self, run: Run) -> Moved:
        return await self.done("pin new admin", lambda: setattr(self.host, "pin", snapshot_of(run)["target"]))

    async def unfence_successor(self, run: Run) -> Moved:
        def unfence() -> None:
            self._new(run).restarts_by_itself = snapshot_of(run)["policy"]

        def start() -> Moved:
            return Done() if self.host.start(self._new(run)) else PORT_IN_USE

        unfenced = await self.done("unfence new admin", unfence)
        return await self.act("keep new admin running", start) if isinstance(unfenced, Done) else unfenced

    async def remove_predecessor(self, run: Run) -> Moved:
        def remove() -> None:
            old = self.host.containers.get(old_admin(run).id)
            if old is not None:
                assert not old.runs, "what is removed has stopped"
                del self.host.containers[old.id]

        return await self.done("remove old admin", remove)

    async def remove_successor(self, run: Run) -> Moved:
        def remove() -> None:
            new = self.host.successor(started_for(run))
            if new is not None:
                del self.host.containers[new.id]

        return await self.done("remove new admin", remove)

    async def restore_predecessor(self, run: Run) -> Moved:
        acts: tuple[tuple[str, Callable[[Container], object]], ...] = (
            ("name old admin", lambda old: setattr(old, "name", old_admin(run).name)),
            ("start old admin", self.host.start),
            ("unfence old admin", lambda old: setattr(old, "restarts_by_itself", snapshot_of(run)["policy"])),
            ("pin old admin", lambda _old: setattr(self.host, "pin", snapshot_of(run)["pin"])),
        )
        for name, change in acts:
            answer = await self._old(name, run, change)
            if not isinstance(answer, Done):
                return answer
        return Done()

    async def running_image(self, run: Run) -> str | Silence | None:
        def running() -> str | None:
            found = self.host.named(old_admin(run).name)
            return found.image if found is not None and found.runs else None

        answer = await self.act("which image runs", running)
        return None if isinstance(answer, EngineFailure) else answer

    async def revive_predecessor(self) -> Moved:
        def revive() -> None:
            old = self.host.containers.get(self.own.predecessor) if self.own else None
            if old is not None and not self.host.admins_that_run():
                self.host.start(old)

        return await self.done("revive old admin", revive)

    async def retire(self) -> Moved:
        def retire() -> None:
            if self.own is not None and self.own.kind is Kind.UPDATER:
                self.own.restarts_by_itself = False

        return await self.done("retire", retire)

    def _new(self, run: Run) -> Container:
        new = self.host.successor(started_for(run))
        assert new is not None, "a verified Admin is there"
        return new

    async def _old(self, name: str, run: Run, change: Callable[[Container], object]) -> Moved:
        def act() -> Moved:
            old = self.host.containers.get(old_admin(run).id)
            if old is None:
                return GONE
            return PORT_IN_USE if change(old) is False else Done()

        return await self.act(name, act)


def old_admin(run: Run) -> Body:
    """Give the old Admin as the snapshot has it."""
    assert run.predecessor is not None, "nothing is touched without a snapshot"
    return run.predecessor


def snapshot_of(run: Run) -> dict[str, Any]:
    """Read the snapshot."""
    snapshot: dict[str, Any] = json.loads(run.snapshot or "")
    return snapshot


def _fence(old: Container) -> None:
    old.restarts_by_itself = False
