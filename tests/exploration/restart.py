"""The next process over the world that a power cut has left: whichever Admin the host runs, with clocks and ids of its
own."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from ems_admin.machines.records.build import OwnIdentity
from ems_admin.workflows import startup
from ems_admin.workflows.ports.identity import KnownIdentity
from tests.memory.house import OWN
from tests.memory.processes import Processes
from tests.memory.replacing import MemoryReplacement
from tests.memory.running import MemoryIds
from tests.memory.site import MemorySite
from tests.memory.world import World
from tests.workflows.replacement.old_admin import OLD
from tests.workflows.scene import Scene

LATER: Final = 7000
"""Where the ids of a later process begin, so that they are nobody else's."""
BUILDS: Final[dict[str | None, OwnIdentity]] = {OWN.digest: OWN, OLD.digest: OLD}
"""By image: which build an Admin is."""


COPIES: Final = "state/workflow-recovery"
"""What a release has set aside: nobody ever reads it again."""


def essence(world: World) -> int:
    """Tell a durable world from every other one that may go on in another way."""
    files = frozenset(item for item in dict.items(world.files) if not item[0].startswith(COPIES))
    folders = frozenset(name for name in set.__iter__(world.folders) if not name.startswith(COPIES))
    return hash((files, folders, world.host.picture()))


def restarted(scene: Scene, *, start_up: bool = True) -> Scene:
    """Start again on what is durable. The process that was there may go on: nothing of it is shared."""
    site = MemorySite(
        world=scene.site.world.after_power_cut(),
        clock=evolve(scene.site.clock, stands=False),
        ids=MemoryIds(max(scene.site.ids.count, LATER) + 100),
    )
    after = Scene(site=site, workflow_id=scene.workflow_id, preview_id=scene.preview_id, draft=scene.draft)
    as_whoever_runs(after)
    if start_up:
        after.house.startup.passed = False
        after.do(startup.start_up(after.house))
    return after


def as_whoever_runs(scene: Scene) -> None:
    """Let the process of the scene be the Admin that the host runs."""
    running = scene.site.world.host.admins_that_run()
    assert len(running) == 1, f"{len(running)} Admins run"
    hand = MemoryReplacement(world=scene.site.world, me=running[0].id)
    scene.house = evolve(scene.house, identity=KnownIdentity(BUILDS[running[0].image]), launcher=hand, mover=hand)


def updaters_end(world: World, scene: Scene) -> bool:
    """Let every updater that runs go to its end, and say whether there was one: live work ends."""
    processes = Processes(world, evolve(scene.site.clock, stands=False))
    walked = False
    while processes.live:
        processes.run(next(iter(processes.live)))
        walked = True
    return walked
