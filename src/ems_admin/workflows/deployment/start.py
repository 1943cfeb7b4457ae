"""Starting the EMS: the operation is claimed, the services start, stay, and are proven healthy.

Source: `seed 000` 5.4; `site.md` 1.12, 3, 8 (start).
"""

from __future__ import annotations

from typing import Final

from attrs import define

from ems_admin.machines.alignment.facts import (
    EMS_STARTED,
    REQUEST_EMS_OPERATION,
    START_EMS_OPERATION,
    AgedFacts,
    OperationFacts,
)
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal, Refused
from ems_admin.machines.records.reading import Absent, Present
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.running.kinds import WorkKind
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT
from ems_admin.machines.values.fingerprints import sha256_of
from ems_admin.workflows import standing
from ems_admin.workflows.alignment import health
from ems_admin.workflows.alignment.resources import failed
from ems_admin.workflows.authority import AuthorityRow, Demand, Hold, under
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.config.preview import revision_of, selected_resources
from ems_admin.workflows.deployment.marker import names
from ems_admin.workflows.house import House
from ems_admin.workflows.jobs import Job
from ems_admin.workflows.ports.engine import Deployment, Done, EngineFailure, Progress
from ems_admin.workflows.ports.records import RefusalError

ROW: Final = AuthorityRow(
    demands=(Demand.WORKFLOW, Demand.CLAIM, Demand.OWNERSHIP, Demand.RESOURCES, Demand.ARTIFACT),
    claim=WorkKind.DEPLOYMENT_START,
)
STEPS: Final = (
    ("start", "Start the EMS"),
    ("settle", "Watch that it stays up"),
    *health.STEPS,
)


async def start(house: House, caller: Caller, workflow_id: str | None) -> Job:
    """Claim the EMS operation and let a job start it. Raises `RefusalError`.

    In this order: the engine's own code, `deployment_not_prepared`, `deployment_workspace_missing`,
    `deployment_marker_invalid`, `deployment_config_mismatch`; then what the operation answers, such as `expired`.
    """
    prepared = _Prepared()
    own = {Demand.ARTIFACT: prepared.is_startable}
    request = sha256_of({"workflow": workflow_id})
    async with under(house, caller, ROW, workflow_id=workflow_id, request_hash=request, own=own) as hold:
        if hold.joined:
            return await house.jobs.of(hold.work)
        transition = await request_operation(hold)
        job = house.jobs.open(
            job_id=hold.work.id,
            kind=hold.work.kind,
            steps=STEPS,
            workflow_id=workflow_id,
            operation_id=transition.operation_id,
        )
        house.jobs.run(job, _run(hold, transition, prepared, job), hold.hand_over())
        return job


async def startable(hold: Hold) -> None:
    """Check what a start checks, up to the operation itself, and move nothing."""
    await _Prepared().is_startable(hold)
    transition = _own(hold)
    decision = SYSTEM_ALIGNMENT.decide(transition, REQUEST_EMS_OPERATION, _age(hold.house, transition))
    if isinstance(decision, Refused):
        raise RefusalError(decision.refusal)


async def request_operation(hold: Hold) -> Transition:
    """Move the workflow's own operation to where an EMS may be started; `expired` closes this step."""
    house, transition = hold.house, _own(hold)
    return await house.records.transition.decide(REQUEST_EMS_OPERATION, _age(house, transition), hold.caller)


def _own(hold: Hold) -> Transition:
    if hold.transition is None:
        raise RefusalError(Refusal(Code.SYSTEM_ALIGNMENT_INCOMPLETE))
    return hold.transition


def _age(house: House, transition: Transition) -> AgedFacts:
    return AgedFacts(
        now=house.clock.now(), operation_id=transition.operation_id, expiry=standing.expiry(house, transition)
    )


@define(kw_only=True, eq=False)
class _Prepared:
    """What was prepared. Mutable: filled by the checks, read by the worker."""

    deployment: Deployment | None = None

    async def is_startable(self, hold: Hold) -> None:
        """Hold what was prepared against what is there now."""
        house = hold.house
        status = await house.engine.status()
        if not status.ready:
            raise RefusalError(Refusal(status.code or Code.INTERNAL_ERROR, detail=status.detail))
        reading = await house.records.marker.read()
        if isinstance(reading, Absent):
            raise RefusalError(Refusal(Code.DEPLOYMENT_NOT_PREPARED))
        if not await house.installation.workspace_exists():
            raise RefusalError(Refusal(Code.DEPLOYMENT_WORKSPACE_MISSING))
        build = await selected_resources(house, hold.setup)
        self.deployment = Deployment(manifest=build.manifest, stack=build.stack)
        if not isinstance(reading, Present) or not names(reading.record, hold.setup):
            raise RefusalError(Refusal(Code.DEPLOYMENT_MARKER_INVALID))
        if revision_of(await house.config.config()) != reading.record.config_sha256:
            raise RefusalError(Refusal(Code.DEPLOYMENT_CONFIG_MISMATCH))


async def _run(hold: Hold, transition: Transition, prepared: _Prepared, job: Job) -> None:
    if prepared.deployment is None:
        raise LookupError("what is started has been found startable before")
    house, caller = hold.house, hold.caller
    await standing.still_accepted(house, hold.workflow_id)
    facts = OperationFacts(now=house.clock.now(), operation_id=transition.operation_id)
    running = await house.records.transition.decide(START_EMS_OPERATION, facts, caller)
    job.report(Progress(step="start"))
    await _require(house, caller, running, await house.engine.start(prepared.deployment, job.report))
    job.report(Progress(step="settle", percent=0))
    await _require(house, caller, running, await house.engine.settle(house.stability, job.report))
    await standing.still_accepted(house, hold.workflow_id)
    facts = OperationFacts(now=house.clock.now(), operation_id=transition.operation_id)
    checking = await house.records.transition.decide(EMS_STARTED, facts, caller)
    await health.check_health(house, caller, checking, hold.work, job.report)


async def _require(house: House, caller: Caller, transition: Transition, outcome: Done | EngineFailure) -> None:
    if isinstance(outcome, EngineFailure):
        raise await failed(house, caller, transition, outcome.code, outcome.message or outcome.detail)
