"""What must hold of a replacement: one Admin at most at any moment, one at the end, and one launch an attempt."""

from __future__ import annotations

from attrs import define, field

from ems_admin.machines.records.replacement import Run as Walk
from ems_admin.machines.records.replacement import WalkStep
from ems_admin.machines.records.transition import Stage
from tests.exploration.explorer import Run, Thread, Watcher
from tests.exploration.footprint import Change
from tests.exploration.invariants import every_operation_has_its_owner, records_are_readable
from tests.exploration.replacement import Processes
from tests.exploration.restart import essence, restarted
from tests.exploration.ways import lead_home
from tests.memory.host import ADMIN_NAME
from tests.workflows.lifecycle.classes import RUN
from tests.workflows.replacement.old_admin import OLD

REACHED: set[int] = set()
"""Ends from which the way home has been walked."""


@define(kw_only=True)
class Replaced(Watcher):
    """The watcher of a host. Mutable: it remembers how replacements ended."""

    ends: set[tuple[str, bool]] = field(factory=set)
    """The stage of the operation, and whether the new Admin runs."""

    def landed(self, run: Run, thread: Thread, change: Change) -> None:
        files = run.files.plain()
        records_are_readable(files)
        every_operation_has_its_owner(files)

    def moved(self, run: Run) -> None:
        assert isinstance(run, Processes)
        host = run.scene.site.world.host
        assert len(host.admins_that_run()) <= 1, "two Admins run"
        for updater, launches in run.launches.items():
            assert launches <= 1, f"{updater} was launched {launches} times"

    def ended(self, run: Run) -> None:
        assert isinstance(run, Processes)
        host, scene = run.scene.site.world.host, run.scene
        assert not set.__len__(scene.site.world.held), "a lock is held by nobody"
        (admin,) = host.admins_that_run() or (None,)
        assert admin is not None, "no Admin runs"
        assert (admin.name, host.pin) == (ADMIN_NAME, admin.image), "the Admin that runs is not the one that is named"
        assert admin.restarts_by_itself, "the Admin that runs would not come back after a reboot"
        new = admin.image != OLD.digest
        self.ends.add((scene.stage.value, new))
        walked = scene.record(RUN, Walk).step if RUN in scene.files else None
        if new:
            assert scene.stage is Stage.ADMIN_RECONNECT_PENDING, f"the new Admin runs, and B1 is at {scene.stage}"
            assert walked is WalkStep.ENDED, f"the new Admin runs, and the walk is at {walked}"
        else:
            assert scene.stage in {Stage.FAILED_RECOVERABLE, Stage.ADMIN_UPDATE_PENDING}, (
                f"the old Admin runs, nobody acts, and B1 is at {scene.stage}"
            )
        if (world := essence(scene.site.world)) not in REACHED:
            REACHED.add(world)
            lead_home(restarted(scene))
