"""The updater as a process of its own: one at a time, and stopped where it is (`replacement.md` 7.4, 7.8)."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from ems_admin.machines.records.replacement import WalkStep
from ems_admin.native import updater_locks
from ems_admin.workflows.ports.engine import Activity
from tests.cli.process import command, environment
from tests.native.host import until
from tests.native.replacement.stage import NEW, OPERATION, Stage


@contextmanager
def updater(stage: Stage) -> Iterator[subprocess.Popen[str]]:
    words = ("--install-root", str(stage.root), "--operation", OPERATION, "--attempt", "1")
    with subprocess.Popen(
        command("updater", *words), stderr=subprocess.PIPE, text=True, env=environment(stage.root)
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_second_updater_of_an_attempt_ends_and_the_first_stops_where_it_is_when_asked(stage: Stage) -> None:
    stage.begun("unwell")  # it is waited for, as long as an Admin may take to become well
    with updater(stage) as first:
        until(lambda: stage.running() == [NEW], 60)
        assert updater_locks.replacement_activity(stage.place.state, OPERATION) is Activity.ACTIVE
        with updater(stage) as second:
            assert second.wait(30) == 0
            assert stage.run.entries == 1
        first.send_signal(signal.SIGTERM)
        assert first.wait(30) == 1
    assert (stage.run.step, stage.run.code) == (WalkStep.MOVING, None)
    assert stage.running() == [NEW]
    assert updater_locks.replacement_activity(stage.place.state, OPERATION) is Activity.INACTIVE
