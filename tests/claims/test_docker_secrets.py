"""What a replacement by containers knows of an Admin's environment stays in its run record (`replacement.md` 7.1).

The snapshot has to hold it, for a way back reads nothing else (`faults.md` F33); nobody else may show it (D4, F25).
"""

from __future__ import annotations

import json

from attrs import evolve

from ems_admin.http.shown import shown
from ems_admin.machines.records.replacement import Run
from ems_admin.machines.replacement.walk import SnapshotFacts
from ems_admin.workflows.alignment.status import alignment_status
from ems_admin.workflows.lifecycle.view import lifecycle
from ems_admin.workflows.ports.replacement import Snapshot
from ems_admin.workflows.views.console import console
from tests.workflows.replacement.moments import walked
from tests.workflows.replacement.old_admin import RUN
from tests.workflows.scene import Scene

SECRET = "hunter2"
SAID = json.dumps({"container": {"Config": {"Env": [f"EMS_ADMIN_KEY={SECRET}"]}}})


def with_a_secret() -> Scene:
    scene = walked()
    scene.put(RUN, evolve(scene.record(RUN, Run), snapshot=SAID))
    return scene


def test_no_view_shows_what_a_snapshot_holds() -> None:
    """`replacement.md` 7.1, 7.7: step, time and entries are told, and nothing of the container."""
    scene = with_a_secret()
    assert SECRET in scene.files[RUN].decode()
    for view in (alignment_status(scene.house), console(scene.house), lifecycle(scene.house)):
        assert SECRET not in json.dumps(shown(scene.do(view)), default=str)


def test_no_line_of_a_log_shows_it_by_accident() -> None:
    """`replacement.md` 7.1: whoever prints a value prints no snapshot."""
    run = with_a_secret().record(RUN, Run)
    assert run.predecessor is not None
    taken = SnapshotFacts(now=run.step_at, operation_id="0", attempt=1, snapshot=SAID, predecessor=run.predecessor)
    held = Snapshot(text=SAID, predecessor=run.predecessor)
    assert SECRET not in repr(run) + repr(taken) + repr(held)
