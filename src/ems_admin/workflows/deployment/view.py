"""The deployment as people see it: what could be prepared, what was, and what really runs.

Source: `http.md` 5.4 (Deployment plan, Status); `site.md` 2.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.container_conflict import ConflictAction, clearing_refusal
from ems_admin.machines.deployment import (
    DEPLOYMENT,
    Deployment,
    DeploymentState,
    DeploymentWork,
    LastJob,
    Marker,
    ObservedEms,
)
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.installed import DeployedImage, DeploymentMarker
from ems_admin.machines.records.reading import Absent, Present, Reading
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.setup.install_state import InstallState
from ems_admin.workflows.config.preview import selected_resources
from ems_admin.workflows.deployment.conflicts import decision
from ems_admin.workflows.house import House
from ems_admin.workflows.install_state import install_state
from ems_admin.workflows.jobs import Job, JobStatus
from ems_admin.workflows.ports.engine import ContainerConflict, EngineStatus
from ems_admin.workflows.ports.engine import Deployment as Planned
from ems_admin.workflows.ports.files import Content, RuntimeIdentity
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.ports.services import NotSeen, Observation, SeenService, ServiceState
from ems_admin.workflows.setup.view import read_setup

WORK: Final = {
    WorkKind.DEPLOYMENT_PREPARE: DeploymentWork.PREPARING,
    WorkKind.DEPLOYMENT_START: DeploymentWork.STARTING,
}
LAST: Final = {
    JobStatus.SUCCEEDED: LastJob.SUCCEEDED,
    JobStatus.FAILED: LastJob.FAILED,
    JobStatus.RUNNING: LastJob.NONE,
}


@frozen(kw_only=True)
class DeploymentPlan:
    """What a preparation would use."""

    release: str | None
    generated_ready: bool
    generated_revision: str | None
    existing_install: InstallState
    images: tuple[DeployedImage, ...]
    engine: EngineStatus
    runtime_identity: RuntimeIdentity | None
    prepared: DeploymentMarker | None
    can_prepare: bool


@frozen(kw_only=True)
class ConflictAnswer:
    """One thing that can be done about a container in the way, and what stands against it now."""

    action: ConflictAction
    refusal: Refusal | None


@frozen(kw_only=True)
class ConflictView:
    """A container in the way, with what can be done about it."""

    conflict: ContainerConflict
    actions: tuple[ConflictAnswer, ...]


@frozen(kw_only=True)
class DeploymentStatus:
    """What is seen of the EMS."""

    state: DeploymentState
    services: tuple[SeenService, ...]
    engine: EngineStatus
    dashboard_url: str | None
    dashboard_reachable: bool | None
    """`None` when nobody has asked."""
    errors: tuple[Refusal, ...]
    conflict: ConflictView | None
    """The container that is in the way now; `None` also while the engine cannot be asked."""
    prepared: DeploymentMarker | None


async def deployment_plan(house: House) -> DeploymentPlan:
    """Say what would be prepared; what is missing is shown as missing."""
    setup = await read_setup(house)
    engine = await house.engine.status()
    identity = await house.installation.runtime_identity()
    marker = await house.records.marker.read()
    release: str | None = None
    generated: Content | None = None
    images: tuple[DeployedImage, ...] = ()
    if setup is not None and not isinstance(setup, Refusal):
        release = setup.selected_system_tag
        reading = await house.setup_files.generated_config(setup.workflow_id)
        generated = reading if isinstance(reading, Content) else None
        try:
            build = await selected_resources(house, setup)
            images = house.engine.images(Planned(manifest=build.manifest, stack=build.stack))
        except RefusalError:
            release = None
    return DeploymentPlan(
        release=release,
        generated_ready=generated is not None,
        generated_revision=generated.revision if generated else None,
        existing_install=await install_state(house),
        images=images,
        engine=engine,
        runtime_identity=identity,
        prepared=marker.record if isinstance(marker, Present) else None,
        can_prepare=bool(release and generated and engine.ready and identity),
    )


async def deployment_status(house: House) -> DeploymentStatus:
    """Look at the EMS. Never refuses: an engine that cannot be asked is shown as unknown."""
    marker = await house.records.marker.read()
    observation = await house.engine.observe()
    last = house.jobs.latest(WorkKind.DEPLOYMENT_PREPARE, WorkKind.DEPLOYMENT_START)
    holder = house.work.holder
    facts = Deployment(
        work=WORK.get(holder.kind, DeploymentWork.NONE) if holder else DeploymentWork.NONE,
        marker=_marker(marker),
        ems=_observed(observation, marker),
        last_job=LAST[last.status] if last else LastJob.NONE,
    )
    services = () if isinstance(observation, NotSeen) else observation.services
    dashboards = [seen.dashboard_url for seen in services if seen.dashboard_url]
    return DeploymentStatus(
        state=DEPLOYMENT.classify(facts),
        services=services,
        engine=await house.engine.status(),
        dashboard_url=dashboards[0] if dashboards else None,
        # Only a failed check says anything lasting: a success is as old as the last start.
        dashboard_reachable=False if Code.DASHBOARD_UNREACHABLE in house.warnings.shown else None,
        errors=(last.error,) if last and last.error else (),
        conflict=await _in_the_way(house, last),
        prepared=marker.record if isinstance(marker, Present) else None,
    )


async def _in_the_way(house: House, last: Job | None) -> ConflictView | None:
    """Look for what is in the way now: of any service, or at least under the name that the last start stumbled over."""
    found = await house.engine.conflict(None)
    if found is None and last and last.error and last.error.code is Code.CONTAINER_NAME_CONFLICT and last.error.detail:
        found = await house.engine.conflict(str(last.error.detail))
    if not isinstance(found, ContainerConflict):
        return None
    return ConflictView(
        conflict=found,
        actions=tuple(
            ConflictAnswer(action=action, refusal=clearing_refusal(decision(found, found.container_name, action)))
            for action in ConflictAction
        ),
    )


def _marker(reading: Reading[DeploymentMarker]) -> Marker:
    if isinstance(reading, Absent):
        return Marker.ABSENT
    return Marker.VALID if isinstance(reading, Present) else Marker.INVALID


def _observed(observation: Observation, marker: Reading[DeploymentMarker]) -> ObservedEms:
    if isinstance(observation, NotSeen):
        return ObservedEms.UNKNOWN
    if not isinstance(marker, Present):
        return ObservedEms.OTHERWISE
    wanted = {image.service: image.digest for image in marker.record.images}
    services = observation.services

    def those(*states: ServiceState) -> dict[str, str | None]:
        return {seen.service: seen.digest for seen in services if seen.state in states}

    if those(ServiceState.RUNNING) == wanted:
        return ObservedEms.AS_PREPARED
    resting = those(ServiceState.RUNNING, ServiceState.STOPPED) == wanted
    return ObservedEms.STOPPED if resting else ObservedEms.OTHERWISE
