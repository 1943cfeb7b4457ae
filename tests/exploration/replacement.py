"""Product (iv), the replacement of an Admin: Admins and updaters as processes of one host, its engine, its reboots.

The old Admin dispatches while it looks after the replacement; the updater walks; whoever is killed is started again by
its policy, or not; the engine may give no answer, or refuse; the power of the whole host may go. Source:
`replacement.md` 7.
"""

# long because: processes, what befalls them and what is watched of them are one machine

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import cache
from typing import Any, Final

from attrs import define, evolve, field

from ems_admin.machines.codes import Code
from ems_admin.workflows.alignment.watch import EVERY, look_after
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.identity import KnownIdentity
from ems_admin.workflows.ports.replacement import Silence
from ems_admin.workflows.replacement.dispatch import dispatch
from ems_admin.workflows.replacement.walking import walk
from ems_admin.workflows.startup import start_up
from tests.exploration.explorer import SLEEP, Explorer, Run, Step, Thread, cut
from tests.exploration.fates import Fate
from tests.exploration.footprint import HOST, Footprint, watch_house
from tests.exploration.restart import BUILDS
from tests.memory.host import KILLED, Container, Doing, Kind, Trouble
from tests.memory.house import house as house_of
from tests.memory.replacing import MemoryReplacement, updating
from tests.memory.running import MemoryIds, MemoryTask
from tests.memory.site import MemorySite
from tests.memory.world import Call, Durable, Mark
from tests.workflows.replacement.old_admin import pending
from tests.workflows.scene import Scene

ACTS: Final = frozenset(
    {
        *("look at the updater", "look for other updaters", "own name", "create updater", "start updater"),
        *("discard updater", "snapshot", "fence", "stop old admin", "set aside", "create new admin"),
        *("start new admin", "verify new admin", "pin new admin", "unfence new admin", "remove old admin"),
        *("remove new admin", "name old admin", "start old admin", "which image runs", "retire"),
    }
)
"""What is asked of the engine."""


def _trouble(name: str, answer: EngineFailure | Silence, *, lands: bool) -> Fate:
    def strike(scene: Scene, mark: Mark | None) -> None:
        act = mark.name if mark else ""
        scene.site.world.host.troubles[act] = [Trouble(answer=answer, lands=lands)]

    return Fate(name, lambda mark: isinstance(mark, Call) and mark.name in ACTS, strike)


def _durable(mark: Mark) -> bool:
    return isinstance(mark, Durable)


def _nothing(_scene: Scene, _mark: Mark | None) -> None:
    """What befalls a process or its host is done by the run itself."""


KILL: Final = Fate("killed", _durable, _nothing)
REBOOT: Final = Fate("the host reboots", _durable, _nothing)
FATES: Final = (
    KILL,
    REBOOT,
    _trouble("no answer", Silence(), lands=False),
    _trouble("no answer, done", Silence(), lands=True),
    _trouble("refused", EngineFailure(code=Code.ADMIN_UPDATE_LAUNCH_FAILED), lands=False),
)


@define
class Processes(Run):
    """One schedule of the processes of a host. Mutable: they come and go."""

    owners: dict[int, str] = field(factory=dict)
    """By thread, the container that it runs in."""
    houses: list[House] = field(factory=list)
    incarnations: dict[str, int] = field(factory=dict)
    launches: dict[str, int] = field(factory=dict)
    """How often each updater was started for the first time."""
    seen: dict[str, Doing] = field(factory=dict)
    troubled: set[int] = field(factory=set)
    """Who has met trouble since it slept last: it will ask again."""

    def begin(self) -> None:
        """Let the old Admin serve a request beside its own watch."""
        house = self._admin(self.scene.site.world.host.containers["o"])
        transition = self.scene.transition
        self._let_go_on("o", "o asks", dispatch(house, self.scene.caller, transition, after=0, retrying=False))
        self._let_go_on("o", "o watches", watching(house, starts=False))
        self.settle()

    def settle(self) -> None:
        """Cut what has lost its container, and begin what was started."""
        containers = self.scene.site.world.host.containers
        for container in containers.values():
            self._note_launch(container)
        for index, owner in self.owners.items():
            if not self.threads[index].task.ended and not (owner in containers and containers[owner].runs):
                self._cut_off(index)
        alive = {owner for index, owner in self.owners.items() if not self.threads[index].task.ended}
        for container in [found for found in containers.values() if found.runs and found.id not in alive]:
            number = self.incarnations[container.id] = self.incarnations.get(container.id, 1) + 1
            if container.kind is Kind.ADMIN:
                starting = watching(self._admin(container), starts=True)
                self._let_go_on(container.id, f"{container.id}#{number}", starting)
            elif container.kind is Kind.UPDATER:
                self._let_go_on(container.id, f"{container.id}#{number}", self._walk(container))
        self.watch.begin()

    def step(self, step: Step) -> Footprint:
        """Let one process go to its next place, or let befall it what is to befall it."""
        if step.fate in {KILL, REBOOT}:
            return self._befall(step)
        before = self.threads[step.index].mark
        footprint = Run.step(self, step)
        thread = self.threads[step.index]
        if step.fate is not None:
            self.troubled.add(step.index)
        if before == SLEEP:
            self.troubled.discard(step.index)
        if thread.task.ended and (owner := self.owners[step.index]) and not thread.name.endswith("asks"):
            container = self.scene.site.world.host.containers.get(owner)
            if container is not None and container.runs:
                self.scene.site.world.host.ended(container, int(thread.task.error is not None))
                footprint.write(HOST)
        if HOST in footprint.written:
            self.host = self._look_at_host()
            self.settle()
        return footprint

    def runnable(self) -> list[int]:
        """Those who can move; who has met trouble asks again after its sleep, whatever has changed."""
        again = {i for i in self.stuck & self.troubled if self.threads[i].mark == SLEEP}
        still = self.stuck - again
        return [i for i, thread in enumerate(self.threads) if not thread.task.ended and i not in still]

    def waiting(self) -> list[str]:
        """Name who waits for somebody else; an Admin that watches only sleeps."""
        return [t.name for t in self.threads if not t.task.ended and t.mark != SLEEP]

    def key(self) -> int:
        """Tell this state from every other one."""
        return hash((Run.key(self), self.scene.site.clock.boot, frozenset(self.troubled), frozenset(self.launches)))

    def let_go(self) -> None:
        """Drop every process."""
        for index in self.owners:
            self._cut_off(index)
        Run.let_go(self)

    def _befall(self, step: Step) -> Footprint:
        footprint, host = self.watch.begin(), self.scene.site.world.host
        thread, owner = self.threads[step.index], self.owners[step.index]
        thread.struck.append(str(step.fate and step.fate.name))
        if step.fate is KILL:
            self._end_all(owner)
            host.ended(host.containers[owner], KILLED)
        else:
            for container in set(self.owners.values()):
                self._end_all(container)
            set.clear(self.scene.site.world.held)
            host.reboot()
            clock = self.scene.site.clock
            clock.boot, clock.seconds = f"boot-{host.boots}", 0.0
        self.faults += 1
        self.schedule.append(step)
        self.current = None
        for left in self.threads:
            left.outdated = True
        self.stuck = {i for i in self.stuck if self.threads[i].mark != SLEEP}
        footprint.write(HOST)
        self.host = self._look_at_host()
        self.settle()
        return footprint

    def _admin(self, container: Container) -> House:
        site = self._site(len(self.threads))
        hand = MemoryReplacement(world=site.world, me=container.id)
        house = evolve(house_of(site), identity=KnownIdentity(BUILDS[container.image]), launcher=hand, mover=hand)
        watch_house(house, self.watch)
        self.houses.append(house)
        return house

    async def _walk(self, container: Container) -> None:
        await walk(updating(self._site(len(self.threads)), container.id, container.operation_id, container.attempt))

    def _site(self, number: int) -> MemorySite:
        scene = self.scene.site
        return MemorySite(world=scene.world, clock=scene.clock, ids=MemoryIds(1000 * (number + 1)))

    def _let_go_on(self, owner: str, name: str, work: Coroutine[Any, Any, Any]) -> None:
        self.owners[len(self.threads)] = owner
        self.threads.append(Thread(name, MemoryTask(name, work)))

    def _end_all(self, owner: str) -> None:
        for index, other in self.owners.items():
            if other == owner:
                self._cut_off(index)

    def _cut_off(self, index: int) -> None:
        task = self.threads[index].task
        cut(task.work)
        task.ended = True

    def _note_launch(self, container: Container) -> None:
        if container.kind is Kind.UPDATER:
            if container.runs and self.seen.get(container.id, Doing.CREATED) is Doing.CREATED:
                self.launches[container.id] = self.launches.get(container.id, 0) + 1
            self.seen[container.id] = container.doing


async def watching(house: House, *, starts: bool) -> None:
    """Be an Admin: start up, then look after the replacement again and again."""
    if starts:
        house.startup.passed = False
        await start_up(house)
    while True:
        await house.clock.sleep(EVERY)
        await look_after(house)


@define
class HostExplorer(Explorer):
    """Explores processes instead of callers. Mutable: it counts, and it remembers."""

    def _start(self) -> Run:
        run = Processes(self.begin(), [])
        run.begin()
        return run


@cache
def _pending() -> tuple[Any, str | None]:
    scene = pending()
    return scene.site.world.after_power_cut(), scene.workflow_id


def stand(*, lives: bool = True, whole: bool = True) -> Scene:
    """Stand where the operation waits for the update of its Admin, and nothing was launched."""
    world, workflow_id = _pending()
    scene = Scene(site=MemorySite(world=world.after_power_cut(), ids=MemoryIds(50)), workflow_id=workflow_id)
    scene.site.world.host.successor_lives, scene.site.world.host.successor_is_whole = lives, whole
    return scene


SUCCESSORS: Final[dict[str, Callable[[], Scene]]] = {
    "whole": stand,
    "unhealthy": lambda: stand(whole=False),
    "ends at once": lambda: stand(lives=False),
}
"""What the new Admin turns out to be."""
