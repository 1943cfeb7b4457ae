"""The EMS of the new build in the place of the old one: made ready, replaced, found again after a cut, and checked.

Everything that can fail without touching what runs is tried first. Once the EMS is touched, a failure takes the way
back that the operator has chosen before anything is said of it.

Source: `site.md` 3 (table of the stages), 8, 9; `faults.md` F21 to F24.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.alignment.facts import (
    EMS_STARTED,
    HEALTHCHECKED,
    RECOVER_EMS_OPERATION,
    REQUEST_EMS_OPERATION,
    START_EMS_OPERATION,
    EmsHealth,
    HealthFacts,
)
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.upgrade.steps import Step
from ems_admin.workflows import standing
from ems_admin.workflows.alignment import health
from ems_admin.workflows.config.preview import document
from ems_admin.workflows.maintenance.config import findings
from ems_admin.workflows.maintenance.diagnostics import diagnose
from ems_admin.workflows.ports.builds import BuildFailure
from ems_admin.workflows.ports.engine import Deployment, Done, EngineFailure, Report
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.ports.services import NotSeen
from ems_admin.workflows.upgrade.deploying import write_down
from ems_admin.workflows.upgrade.rollback import roll_back, way_back_is_here
from ems_admin.workflows.upgrade.walk import Walk, told

UNTOUCHED: Final = frozenset({EmsHealth.IDENTITY_UNVERIFIABLE})
"""What could not be asked is no failure of the EMS: nothing is put back for it."""


async def make_ready(walk: Walk) -> None:
    """Check the config against the build and bring here what is to run; nothing that runs is touched."""
    deployment = await walk.attempt(walk.deployment())
    if walk.context.options.config_check:
        walk.begin(Step.CONFIG_CHECK)
        await walk.attempt(_config_fits(walk))
    report = walk.begin(Step.PULL)
    if walk.context.options.pull_image:
        await walk.attempt(_fetch(walk, deployment, report))
    await walk.attempt(_is_here(walk, deployment))
    walk.transition = await walk.house.records.transition.decide(REQUEST_EMS_OPERATION, walk.aged, walk.caller)


async def replace_ems(walk: Walk) -> None:
    """Write down what is to run, and replace what runs; the operation is claimed before anything is stopped."""
    house, ledger = walk.house, walk.house.records.transition
    deployment = await walk.attempt(walk.deployment())
    await walk.attempt(_is_here(walk, deployment))  # right before the first step that destroys anything (F21)
    if walk.context.options.auto_rollback:
        await walk.attempt(way_back_is_here(house))
    walk.begin(Step.UPDATE_STACK)
    await walk.attempt(write_down(house, deployment))
    walk.transition = await ledger.decide(START_EMS_OPERATION, walk.named, walk.caller)
    report = walk.begin(Step.RECREATE_EMS)
    if walk.context.options.recreate:  # otherwise what runs from the same program already is left alone
        await _started(walk, await house.engine.stop(report))
    await _started(walk, await house.engine.start(deployment, report))
    await _started(walk, await house.engine.settle(house.stability, report))
    walk.transition = await ledger.decide(EMS_STARTED, walk.named, walk.caller)


async def recover_ems(walk: Walk) -> None:
    """Find out which EMS a cut start has left. The one of the build is checked next, anything else tried again."""
    walk.begin(Step.RECREATE_EMS)
    facts = await standing.recovery_facts(walk.house, walk.transition, own_claim=walk.entry.id)
    walk.transition = await walk.house.records.transition.decide(RECOVER_EMS_OPERATION, facts, walk.caller)


async def go_back_from_start(walk: Walk) -> None:
    """Take a way back that was cut to its end. What it was taken for is not on record: that it was cut is told."""
    walk.begin(Step.RECREATE_EMS)
    await _failed(walk, Code.EMS_OPERATION_INTERRUPTED, None)


async def go_back_from_check(walk: Walk) -> None:
    """Do the same for an EMS that was found sick."""
    walk.begin(Step.DIAGNOSTICS)
    await _sick(walk, EmsHealth.UNHEALTHY, None)


async def check_health(walk: Walk) -> None:
    """Ask the EMS whether it is well, and complete the operation, or put back what ran before."""
    report = walk.begin(Step.DIAGNOSTICS)
    found, message = await health.examine(walk.house, walk.transition, report)
    if found is EmsHealth.HEALTHY:
        if walk.context.options.diagnostics:  # what it finds is shown: whether the EMS is well is settled by now
            diagnosis = await diagnose(walk.house, report)
            walk.job.result = {"checks": diagnosis.checks, "summary": diagnosis.summary}
        walk.begin(Step.KNOWN_GOOD)
        walk.transition = await health.succeed(walk.house, walk.caller, walk.transition, walk.entry)
        return
    await _sick(walk, found, message)


async def _sick(walk: Walk, found: EmsHealth, message: str | None) -> None:
    """Take the way back that was chosen, and only then record what the check has found. Raises `RefusalError`."""
    code = health.FAILURES[found]
    if found not in UNTOUCHED:
        code, message = await roll_back(walk, code, message)
    if code is not health.FAILURES[found]:
        raise await walk.fail(code, message)
    facts = HealthFacts(
        now=walk.house.clock.now(), operation_id=walk.transition.operation_id, health=found, message=message
    )
    await walk.house.records.transition.decide(HEALTHCHECKED, facts, walk.caller)
    raise RefusalError(Refusal(code, detail=message))


async def _started(walk: Walk, outcome: Done | EngineFailure) -> None:
    if isinstance(outcome, EngineFailure):
        await _failed(walk, outcome.code, outcome.message or outcome.detail)


async def _failed(walk: Walk, code: Code, message: str | None) -> None:
    """Take the way back that was chosen, and only then record the failure. Raises `RefusalError`."""
    raise await walk.fail(*await roll_back(walk, code, message))


async def _config_fits(walk: Walk) -> None:
    """Hold the live config against the schema of the build. Raises `validation_failed` with each field."""
    build = await walk.house.builds.resources(walk.transition.system_tag)
    if isinstance(build, BuildFailure):
        raise RefusalError(Refusal(build.code, detail=build.detail))
    config = document(await walk.house.config.config())
    found = findings(dict(config or {}), build.schema)
    if found:
        raise RefusalError(Refusal(Code.VALIDATION_FAILED, detail=found[0].pointer, more={"errors": found}))


async def _is_here(walk: Walk, deployment: Deployment) -> None:
    """Look whether all that is to be started from is here and verifies."""
    match await walk.house.engine.present(deployment):
        case NotSeen(code=code):
            raise RefusalError(Refusal(code))
        case False:
            raise RefusalError(Refusal(Code.IMAGE_UNAVAILABLE, detail=deployment.manifest.system_tag))
        case True:
            return


async def _fetch(walk: Walk, deployment: Deployment, report: Report) -> None:
    told(await walk.house.engine.fetch(deployment, report))
