"""What a decision writes into B1: how an operation begins, moves, fails and is tried again.

Pure functions from record and facts to the next record, whole. The stage itself is written by the machine.

Source: `site.md` 3.
"""

from __future__ import annotations

from typing import Final

from attrs import evolve

from ems_admin.machines.alignment.facts import (
    AgedFacts,
    BeginFacts,
    EmsHealth,
    EmsRecoveryFacts,
    FailureFacts,
    HealthFacts,
    OperationFacts,
    ReconnectFacts,
)
from ems_admin.machines.codes import Code
from ems_admin.machines.records import words
from ems_admin.machines.records.transition import (
    RESUME_PATH,
    STATE_VERSION,
    TTL,
    Mode,
    NextStep,
    Stage,
    Transition,
)

RESUME_STAGE: Final = {
    Stage.ADMIN_UPDATE_PENDING: Stage.ADMIN_UPDATE_PENDING,
    Stage.ADMIN_RECONNECT_PENDING: Stage.ADMIN_UPDATE_PENDING,
    Stage.ADMIN_ALIGNED: Stage.ADMIN_ALIGNED,
    Stage.RESOURCES_VERIFIED: Stage.RESOURCES_VERIFIED,
    Stage.EMS_OPERATION_PENDING: Stage.EMS_OPERATION_PENDING,
    Stage.EMS_OPERATION_RUNNING: Stage.EMS_OPERATION_PENDING,
    Stage.HEALTHCHECK_PENDING: Stage.HEALTHCHECK_PENDING,
}
"""Where a retry begins again after a failure at a stage. A replacement and a start are done anew as a whole."""

HEALTH_FAILURE: Final = {
    EmsHealth.IDENTITY_UNVERIFIABLE: (Code.EMS_IDENTITY_UNVERIFIABLE, Stage.HEALTHCHECK_PENDING),
    EmsHealth.IDENTITY_MISMATCH: (Code.EMS_IDENTITY_MISMATCH, Stage.EMS_OPERATION_PENDING),
    EmsHealth.UNHEALTHY: (Code.HEALTHCHECK_FAILED, Stage.EMS_OPERATION_PENDING),
}
"""What a health check that failed records, and where it resumes: an EMS that cannot be asked is asked again, a wrong
or a sick one is started again. An operation that starts no EMS can only look again."""


def resume_fits(mode: Mode, failed_stage: Stage, resume_stage: Stage) -> bool:
    """Say whether a failure at the one stage can have been noted with the other one to resume at."""
    verdicts = {resume for _, resume in HEALTH_FAILURE.values()} if failed_stage is Stage.HEALTHCHECK_PENDING else set()
    if mode is Mode.ALIGN_EXISTING_INSTALL:
        verdicts -= {Stage.EMS_OPERATION_PENDING}
    return resume_stage in verdicts or RESUME_STAGE.get(failed_stage) is resume_stage


def begin(facts: BeginFacts) -> Transition:
    """Create the record of a new operation, at the stage that its Admin calls for."""
    update = facts.admin_alignment_required
    return Transition(
        state_version=STATE_VERSION,
        operation_id=facts.operation_id,
        mode=facts.mode,
        stage=Stage.ADMIN_UPDATE_PENDING if update else Stage.ADMIN_ALIGNED,
        system_tag=facts.system_tag,
        build_id=facts.build_id,
        revision=facts.revision,
        admin_image=facts.admin_image,
        admin_digest=facts.admin_digest,
        ems_image=facts.ems_image,
        ems_digest=facts.ems_digest,
        digest_kind=facts.digest_kind,
        created_at=facts.now,
        updated_at=facts.now,
        expires_at=facts.now + TTL,
        created_boot_id=facts.boot_id,
        created_boottime=facts.boottime,
        next_step=NextStep.UPDATE_ADMIN if update else NextStep.VERIFY_RESOURCES,
        resume_path=RESUME_PATH,
        admin_alignment_required=update,
        request_fingerprint=facts.request_fingerprint,
        compatibility_mode=facts.compatibility_mode,
        resource_strategy=facts.resource_strategy,
        orchestrator_admin=facts.orchestrator_admin,
        accepted_by=facts.accepted_by,
        development_risk_acknowledged=facts.acknowledged_development_tag is not None,
        development_risk_acknowledged_for_tag=facts.acknowledged_development_tag,
        failed_stage=None,
        resume_stage=None,
        error_code=None,
        error_message=None,
        admin_update_claimed_at=None,
        resources_claimed_at=None,
    )


def touch(record: Transition, facts: OperationFacts) -> Transition:
    """Note when the record moved. A wall clock that was set back does not take the note back."""
    return evolve(record, updated_at=max(record.updated_at, facts.now))


def claim_admin_update(record: Transition, facts: OperationFacts) -> Transition:
    """Note the claim of an updater. One that enters again holds it already, and nothing is written."""
    if record.admin_update_claimed_at is not None:
        return record
    return evolve(touch(record, facts), admin_update_claimed_at=facts.now)


def claim_resources(record: Transition, facts: OperationFacts) -> Transition:
    """Note the claim of an import, over a stale one if need be."""
    return evolve(touch(record, facts), resources_claimed_at=facts.now)


def fail(record: Transition, facts: FailureFacts) -> Transition:
    """Note a failure of the present stage."""
    return _failed(record, facts, code=facts.code, message=facts.message, resume=RESUME_STAGE[record.stage])


def fail_again(record: Transition, facts: FailureFacts) -> Transition:
    """Note that the preparation of a second try failed as well, in place of the failure that it was to mend."""
    at = Stage.ADMIN_UPDATE_PENDING
    return _failed(evolve(record, stage=at), facts, code=facts.code, message=facts.message, resume=RESUME_STAGE[at])


def fail_reconnect(record: Transition, facts: ReconnectFacts) -> Transition:
    """Note that another Admin came back than was sent for."""
    resume = RESUME_STAGE[record.stage]
    return _failed(record, facts, code=Code.ADMIN_IDENTITY_MISMATCH, message=None, resume=resume)


def fail_recovery(record: Transition, facts: EmsRecoveryFacts) -> Transition:
    """Note that the start of the EMS was cut."""
    resume = RESUME_STAGE[record.stage]
    return _failed(record, facts, code=Code.EMS_OPERATION_INTERRUPTED, message=None, resume=resume)


def fail_healthcheck(record: Transition, facts: HealthFacts) -> Transition:
    """Note what the health check found wrong."""
    code, resume = HEALTH_FAILURE[facts.health]
    if record.mode is Mode.ALIGN_EXISTING_INSTALL:
        resume = Stage.HEALTHCHECK_PENDING
    return _failed(record, facts, code=code, message=facts.message, resume=resume)


def settle(record: Transition, facts: OperationFacts) -> Transition:
    """Drop the failure: it is tried again, or given up. Only a failed operation carries one."""
    return evolve(touch(record, facts), failed_stage=None, resume_stage=None, error_code=None, error_message=None)


def retry_admin_update(record: Transition, facts: AgedFacts) -> Transition:
    """Open the Admin update anew: the claim belongs to the updater of the attempt that is over."""
    return evolve(settle(record, facts), admin_update_claimed_at=None)


def retry_resources(record: Transition, facts: AgedFacts) -> Transition:
    """Open the import anew, unclaimed."""
    return evolve(settle(record, facts), resources_claimed_at=None)


def _failed(record: Transition, facts: OperationFacts, *, code: Code, message: str | None, resume: Stage) -> Transition:
    return evolve(
        touch(record, facts),
        failed_stage=record.stage,
        resume_stage=resume,
        error_code=code.value,
        error_message=words.message(message),
    )
