"""A replacement that was handed over: the operation waits, the attempt is launched, its updater runs and takes a step
at a time."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from attrs import define, evolve, field, frozen

from ems_admin import codec
from ems_admin.machines.records.reading import Present, Reading
from ems_admin.machines.records.replacement import Attempt, Dispatch, Outcome, Run, WalkStep
from ems_admin.machines.records.transition import TTL, Stage, Transition
from ems_admin.machines.replacement.attempts import updater_name
from tests.memory.host import Container, Doing, Host, Kind
from tests.memory.processes import Processes
from tests.memory.running import MemoryClock
from tests.memory.site import MemorySite
from tests.memory.world import Blocked, Durable, Mark, World, drive
from tests.stores.records import OPERATION, TRANSITION

T = TypeVar("T")

NEW_IMAGE: Final = "c" * 64
UPDATER: Final = updater_name(OPERATION, 1)
PATIENCE: Final = 2000
"""Places that no walk passes: one that does is caught in a circle."""


@frozen(kw_only=True)
class End:
    """What can be seen when nobody moves any more."""

    admins: tuple[tuple[str, str, bool], ...]
    """Those that run: name, image, and whether the engine keeps them alive."""
    kept: int
    """All Admins that the engine knows."""
    pin: str
    step: WalkStep | None
    walk_code: str | None
    stage: Stage
    operation_code: str | None
    updater: tuple[Doing, bool]
    """What it does, and whether the engine would start it again."""


@define
class Handover:
    """One replacement. Mutable: it goes on."""

    world: World = field(factory=World)
    processes: Processes = field(init=False)
    passed: list[Mark] = field(factory=list)
    """Every place, in order."""

    @processes.default
    def _launched(self) -> Processes:
        clock = MemoryClock()
        transition = evolve(
            TRANSITION,
            stage=Stage.ADMIN_RECONNECT_PENDING,
            admin_alignment_required=True,
            admin_digest=NEW_IMAGE,
            resources_claimed_at=None,
            created_at=clock.now(),
            updated_at=clock.now(),
            expires_at=clock.now() + TTL,
            created_boot_id=clock.boot,
            created_boottime=clock.seconds,
        )
        dispatch = Dispatch(
            format_version=1, operation_id=OPERATION, transition_identity="a" * 64, attempts=(launched(1),)
        )
        self.world.files["state/pending-transition.json"] = codec.encode(transition)
        self.world.files["state/replacement-dispatch.json"] = codec.encode(dispatch)
        self.host.containers[UPDATER] = evolve(updater(1), restarts_by_itself=not self.host.native)
        return Processes(self.world, clock)

    @property
    def host(self) -> Host:
        return self.world.host

    @property
    def site(self) -> MemorySite:
        return MemorySite(world=self.world, clock=self.processes.clock)

    @property
    def run(self) -> Run | None:
        reading: Reading[Run] = drive(self.site.run.read())
        return reading.record if isinstance(reading, Present) else None

    @property
    def transition(self) -> Transition:
        reading = drive(self.site.transition.read())
        assert isinstance(reading, Present)
        return reading.record

    @property
    def walks(self) -> bool:
        return UPDATER in self.processes.live

    @property
    def durable(self) -> list[str]:
        return [mark.name for mark in self.passed if isinstance(mark, Durable)]

    def step(self) -> Mark | None:
        """Let the updater take one step; exactly one Admin at most ever runs."""
        mark = self.processes.step(UPDATER)
        assert len(self.host.admins_that_run()) <= 1
        assert len(self.passed) < PATIENCE, "the walk goes in a circle"
        if mark is not None:
            assert not isinstance(mark, Blocked), "nobody else holds anything"
            self.passed.append(mark)
        return mark

    def go(self, places: int) -> Handover:
        """Let the updater pass so many places, or fewer if it ends before."""
        for _ in range(places):
            if self.walks:
                self.step()
        return self

    def go_until(self, mark: Mark) -> Handover:
        """Let the updater go to the next place of this name."""
        while self.step() != mark:
            assert self.walks, f"the walk ended before {mark}"
        return self

    def finish(self) -> End:
        """Let the updater go to its end, however often it is started again."""
        while self.walks:
            self.step()
        return self.end()

    def end(self) -> End:
        host, run, kept = self.host, self.run, self.host.containers[UPDATER]
        return End(
            admins=tuple((found.name, found.image, found.restarts_by_itself) for found in host.admins_that_run()),
            kept=sum(found.kind is Kind.ADMIN for found in host.containers.values()),
            pin=host.pin,
            step=run.step if run else None,
            walk_code=run.code if run else None,
            stage=self.transition.stage,
            operation_code=self.transition.error_code,
            updater=(kept.doing, kept.restarts_by_itself),
        )

    def write(self, name: str, record: Any) -> None:
        """Let somebody else have written a record meanwhile."""
        self.world.files[name] = codec.encode(record)

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Let somebody else do something in one go."""
        return drive(work)


def launched(number: int) -> Attempt:
    return Attempt(
        number=number,
        container=updater_name(OPERATION, number),
        image=None,
        tries=1,
        outcome=Outcome.LAUNCHED,
        code=None,
        exit=None,
    )


def updater(number: int) -> Container:
    name = updater_name(OPERATION, number)
    return Container(
        id=name,
        name=name,
        kind=Kind.UPDATER,
        image="",
        doing=Doing.RUNNING,
        operation_id=OPERATION,
        attempt=number,
        predecessor="o",
    )
