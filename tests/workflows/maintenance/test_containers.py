"""A person starts, stops and restarts a service, and nobody revives what was stopped (http.md 5.3; F27, F29, F38)."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import pytest
from attrs import asdict, define, evolve, field

from ems_admin.machines.codes import Code
from ems_admin.machines.container_control import ContainerAction
from ems_admin.machines.deployment import DeploymentState
from ems_admin.workflows.deployment.view import deployment_status
from ems_admin.workflows.jobs import Job, JobStatus
from ems_admin.workflows.maintenance.containers import MOST_LINES, Containers, containers, control, service_log
from ems_admin.workflows.ports.engine import EngineFailure
from ems_admin.workflows.ports.services import Health, NotSeen, ServiceContainer, ServiceState
from ems_admin.workflows.revive import revive
from tests.memory.outside import RUNNING, STOPPED, MemoryEngine
from tests.workflows.places import prepared, running
from tests.workflows.scene import B1, B3, Scene
from tests.workflows.situations import broken, maintenance_runs, without

EMS = ServiceContainer(
    service="ems",
    container="ems",
    image=None,
    image_id=None,
    state=ServiceState.RUNNING,
    health=Health.HEALTHY,
    started_at=None,
    ours=True,
    protected=False,
)
LISTED = {
    "admin": evolve(EMS, service="admin", container="the-admin", protected=True),
    "history": evolve(EMS, service="history", ours=False),
    "gone": evolve(EMS, service="gone", container=None, state=ServiceState.ABSENT),
}


@define(kw_only=True)
class Crowded(MemoryEngine):
    """An engine with more under the names of services than one EMS."""

    told: list[tuple[str, int]] = field(factory=list)

    async def containers(self) -> tuple[ServiceContainer, ...] | NotSeen:
        seen = await super().containers()
        return seen if isinstance(seen, NotSeen) else (*seen, *LISTED.values())

    async def logs(self, service: str, lines: int) -> tuple[str, ...]:
        self.told.append((service, lines))
        return ("it runs",)


def crowded(scene: Scene) -> Scene:
    scene.house = evolve(scene.house, engine=Crowded(**asdict(scene.engine, recurse=False)))
    return scene


def acting(
    scene: Scene, action: ContainerAction, service: str = "ems", *, confirm: bool = True
) -> Coroutine[Any, Any, Job]:
    return control(scene.house, scene.caller, service, action, confirm=confirm)


def stopped() -> Scene:
    scene = running()
    assert scene.job(acting(scene, ContainerAction.STOP)).error is None
    return scene


def state(scene: Scene) -> DeploymentState:
    return scene.do(deployment_status(scene.house)).state


def test_a_stop_and_a_start_are_jobs_and_are_written_down() -> None:
    scene = stopped()
    assert RUNNING not in scene.files
    job = scene.job(acting(scene, ContainerAction.START))
    assert (job.status, [step.key for step in job.steps]) == (JobStatus.SUCCEEDED, ["control"])
    assert RUNNING in scene.files
    lines = [entry.line for entry in scene.do(scene.house.journal.latest())]
    told = [(one.key, one.trigger, one.code, one.session) for one in lines if one.machine == "containers"]
    assert told == [("ems", "stop", None, scene.caller.session), ("ems", "start", None, scene.caller.session)]
    assert scene.house.work.holder is None


def test_what_was_stopped_on_purpose_is_revived_by_no_start_of_the_admin_and_does_not_look_broken() -> None:
    """F27."""
    scene = stopped()
    assert state(scene) is DeploymentState.PREPARED
    after = scene.restart()
    assert after.do(revive(after.house)) is None
    after.finish()
    assert STOPPED in after.files
    assert RUNNING not in after.files
    assert state(after) is DeploymentState.PREPARED


def test_what_went_down_with_the_host_is_revived() -> None:
    scene = running()
    without(RUNNING, scene)
    after = scene.restart()
    job = after.do(revive(after.house))
    after.finish()
    assert job is not None
    assert job.error is None
    assert RUNNING in after.files


def test_a_second_click_joins_the_first() -> None:
    scene = running()
    first, second = scene.do(acting(scene, ContainerAction.RESTART)), scene.do(acting(scene, ContainerAction.RESTART))
    assert first is second
    assert scene.refused(acting(scene, ContainerAction.STOP)).code is Code.WORK_IN_PROGRESS
    scene.finish()


def test_the_checks_come_in_their_order_and_nothing_is_sent_to_the_engine() -> None:
    scene = crowded(prepared())
    before = scene.files
    assert scene.refused(acting(scene, ContainerAction.STOP, confirm=False)).code is Code.CONFIRMATION_REQUIRED
    assert scene.refused(acting(scene, ContainerAction.STOP)).code is Code.SYSTEM_TRANSITION_IN_PROGRESS
    scene = crowded(running())
    before = scene.files
    maintenance_runs(scene)
    assert scene.refused(acting(scene, ContainerAction.STOP)).code is Code.WORK_IN_PROGRESS
    assert scene.files == before
    broken(B1, scene)
    assert scene.refused(acting(scene, ContainerAction.STOP)).code is Code.SYSTEM_TRANSITION_IN_PROGRESS


@pytest.mark.parametrize("action", ContainerAction)
def test_only_services_of_ours_are_acted_on(action: ContainerAction) -> None:
    """F29."""
    scene = crowded(running())
    before = scene.files
    wanted = {
        "admin": Code.OWN_CONTAINER_PROTECTED,
        "history": Code.CONTAINER_NAME_CONFLICT,
        "nobody": Code.NOT_FOUND,
    }
    for service, code in wanted.items():
        refusal = scene.refused(acting(scene, action, service))
        assert (refusal.code, refusal.detail) == (code, service)
    assert scene.files == before
    assert scene.house.work.holder is None


def test_a_service_whose_container_is_gone_is_brought_back_as_it_was_prepared() -> None:
    scene = crowded(running())
    assert scene.refused(acting(scene, ContainerAction.STOP, "gone")).code is Code.EMS_NOT_RUNNING
    without(RUNNING, scene)
    job = scene.job(acting(scene, ContainerAction.START, "gone"))
    assert (job.error, [step.key for step in job.steps]) == (None, ["start"])
    assert RUNNING in scene.files
    broken(B3, scene)
    assert scene.refused(acting(scene, ContainerAction.START, "gone")).code is Code.DEPLOYMENT_MARKER_INVALID
    without(B3, scene)
    assert scene.refused(acting(scene, ContainerAction.START, "gone")).code is Code.DEPLOYMENT_NOT_PREPARED


def test_a_failure_of_the_engine_is_the_end_of_the_job() -> None:
    scene = running()
    scene.engine.fails["control"] = EngineFailure(code=Code.OPERATION_STALLED, detail="ems")
    job = scene.job(acting(scene, ContainerAction.STOP))
    assert job.error is not None
    assert job.error.code is Code.OPERATION_STALLED
    assert RUNNING in scene.files
    assert scene.house.work.holder is None


def test_an_engine_that_cannot_be_asked_is_shown_as_that_and_nothing_is_done() -> None:
    """D1."""
    scene = running()
    scene.engine.reachable = False
    assert scene.do(containers(scene.house)) == Containers(containers=None, unseen=Code.SERVICE_MANAGER_UNREACHABLE)
    log = scene.do(service_log(scene.house, "ems", 5))
    assert (log.lines, log.unseen) == (None, Code.SERVICE_MANAGER_UNREACHABLE)
    assert scene.refused(acting(scene, ContainerAction.STOP)).code is Code.SERVICE_MANAGER_UNREACHABLE


def test_a_log_is_of_a_service_of_ours_and_no_longer_than_its_bound() -> None:
    scene = crowded(running())
    assert scene.do(service_log(scene.house, "ems", 10_000)).lines == ("it runs",)
    assert scene.do(service_log(scene.house, "ems", -5)).lines == ("it runs",)
    assert isinstance(scene.engine, Crowded)
    assert scene.engine.told == [("ems", MOST_LINES), ("ems", 0)]
    for service in ("admin", "history", "nobody", "../ems"):
        assert scene.refused(service_log(scene.house, service, 5)).code is Code.NOT_FOUND
